// Threat: a receipt says itself where its keys are. They are fetched from there, over https, and the verdict names that address:
// whether it is the one that should have signed is for the person to see, or for `--jwks` to say.
import { readFile } from 'node:fs/promises'
import { CliError, usageError } from '../cli-error.js'
import { limitedFetch } from '../connect/limited-fetch.js'
import { exitCodes } from '../exit-codes.js'

export interface Jwks {
  readonly keys: readonly object[]
}

const path = '/beckon/receipts/jwks.json'

/** The keys in a file, or at an address. */
export async function readKeys(from: string): Promise<Jwks> {
  const text = /^https?:/i.test(from) ? await fetchText(from) : await readFile(from, 'utf8').catch(unreadable(from))
  const keys = keysIn(text)
  if (keys === undefined) throw usageError(`${from} is not a JSON Web Key Set: it has no "keys".`)
  return { keys }
}

/** Where who signed a receipt says that the keys are; undefined for one without an address. */
export function keysAddress(issuer: string): string | undefined {
  return /^https?:/i.test(issuer) && URL.canParse(issuer) ? `${issuer.replace(/\/+$/, '')}${path}` : undefined
}

async function fetchText(address: string): Promise<string> {
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:' && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
    throw usageError(`Keys come over https, and ${address} is not.`)
  try {
    const response = await limitedFetch(address, { redirect: 'error', signal: AbortSignal.timeout(30_000) })
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    return await response.text()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError(`The keys at ${address} cannot be read: ${reason}`, exitCodes.cannotConnect)
  }
}

function keysIn(text: string): object[] | undefined {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown }
    return Array.isArray(keys) ? keys.filter(key => typeof key === 'object' && key !== null) : undefined
  } catch {
    return undefined
  }
}

function unreadable(file: string): () => never {
  return () => {
    throw usageError(`${file} cannot be read.`)
  }
}
