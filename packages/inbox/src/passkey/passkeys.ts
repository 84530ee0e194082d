// A person's passkeys at the desk: used, listed, added and removed. The desk lets nobody add or remove one with a session alone, once
// they have one. One file, which is loaded when someone does any of it: most never do.
import type { Answer } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { ApiError, askDesk, type Reply } from '../api/desk-api.js'

export interface OwnPasskey {
  readonly id: string
  readonly name: string
  /** Milliseconds, like the next. */
  readonly createdAt: number
  readonly usedAt: number | undefined
}

const path = '/api/passkeys'

/** Those of this person; undefined on a desk that takes none. */
export async function ownPasskeys(api: string): Promise<OwnPasskey[] | undefined> {
  const { passkeys, withoutPasskey } = await askDesk(api, path)
  if (withoutPasskey === undefined || !Array.isArray(passkeys)) return undefined
  return passkeys.map(({ id, name, createdAt, usedAt }: Reply) => ({
    id: String(id),
    name: String(name),
    createdAt: Number(createdAt),
    usedAt: typeof usedAt === 'number' ? usedAt : undefined,
  }))
}

/**
 * What the authenticator says to this very accept. For someone without a passkey one is made first, where the desk lets them.
 * @param api where the desk answers over HTTP
 */
export async function confirmWithPasskey(
  api: string,
  { session, request }: AskEntry,
  answers: Readonly<Record<string, Answer>>,
): Promise<object> {
  const { passkeys, withoutPasskey } = await askDesk(api, path)
  if (withoutPasskey === 'enrol' && Array.isArray(passkeys) && passkeys.length === 0) await addPasskey(api)
  const at = `/api/asks/${encodeURIComponent(session)}/${encodeURIComponent(request.id)}/challenge`
  return usePasskey((await askDesk(api, at, { body: { answers } })).get)
}

/** Makes one on this device or another, confirmed with one that there is. */
export async function addPasskey(api: string, name?: string): Promise<void> {
  const { create, get } = await askDesk(api, `${path}/options`, { body: {} })
  const confirmed = get === undefined ? {} : { get: await usePasskey(get) }
  await askDesk(api, path, { body: { ...confirmed, create: await makePasskey(create), ...(name && { name }) } })
}

/** Removes one, confirmed with any that there is. */
export async function removePasskey(api: string, id: string): Promise<void> {
  const at = `${path}/${encodeURIComponent(id)}`
  const { get } = await askDesk(api, `${at}/options`, { body: {} })
  await askDesk(api, `${at}/remove`, { body: { get: await usePasskey(get) } })
}

/** Has the browser make a passkey, from what the desk gave for it. Rejects when the person or the browser does not. */
async function makePasskey(options: unknown): Promise<object> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON)
  return written(await navigator.credentials.create({ publicKey }))
}

/** Has the person's device confirm what the desk gave a challenge for. Rejects when it does not. */
async function usePasskey(options: unknown): Promise<object> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  return written(await navigator.credentials.get({ publicKey }))
}

function written(credential: Credential | null): object {
  if (!(credential instanceof PublicKeyCredential)) throw new ApiError()
  return credential.toJSON() as object
}
