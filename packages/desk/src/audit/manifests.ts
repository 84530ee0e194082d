// An hourly manifest has the heads of the logs of its hour, and of the one before it, in which somebody may have written late. It is
// signed, and has the digest of the manifest before it: a log that was deleted, cut or written anew does not fit.
import type { Expiry, JsonValue, Store } from 'beckon/store'
import { type ChainHead, decodeRecord, hashOf } from './chain.js'
import { type AuditKeys, isSignedBy } from './keys.js'
import { auditNames, hourMs, lateMs } from './log-names.js'
import type { LogReader } from './log-reader.js'
import { expiryOf } from './log-writer.js'
import { readRecords } from './read-records.js'

/** How a log stood: how many records it had, and the hash of the last. */
export interface SignedHead {
  readonly log: string
  readonly entries: number
  readonly head: string
}

export interface Manifest {
  /** Its place among the manifests, from 1. */
  readonly number: number
  /** When its hour began, in milliseconds. */
  readonly hour: number
  /** When it was made. */
  readonly at: number
  readonly logs: readonly SignedHead[]
  /** When what it is about may go; absent: never. */
  readonly expiresAt?: number
  /** The manifest before it. Absent for the first. */
  readonly previous?: { readonly digest: string; readonly expiresAt?: number }
}

/** As it is stored: the very text that was signed. */
export interface SignedManifest {
  readonly text: string
  readonly publicKey: string
  readonly signature: string
}

export interface ManifestsOptions {
  readonly store: Store
  readonly keys: AuditKeys
  readonly reader: LogReader
  readonly now: () => number
  readonly keepMs: number | undefined
}

/** A stored manifest; without one where nobody can read it. */
export interface ReadManifest {
  readonly number: number
  readonly signed?: SignedManifest
}

const pageManifests = 100

export class Manifests {
  readonly #options: ManifestsOptions
  #last: ReadManifest = { number: 0 }
  /** The last hour that was signed with the key of this audit. */
  #signedTo = 0

  constructor(options: ManifestsOptions) {
    this.#options = options
  }

  /** Those that are there, the earliest first. */
  async *read(from = 0): AsyncGenerator<ReadManifest, void, undefined> {
    for (let after = from; ; ) {
      const read = await readRecords(this.#options.store, auditNames.manifests, { after, limit: pageManifests })
      for (const { seq, value } of read) yield { number: seq, ...signedIn(value) }
      if (read.length < pageManifests) return
      after = read.at(-1)?.seq ?? after
    }
  }

  /** Signs the hours that are over, as far as nobody has. */
  async sign(): Promise<void> {
    const { reader, keys, now } = this.#options
    await keys.load()
    for await (const manifest of this.read(this.#last.number)) this.#take(manifest)
    let before: { readonly hour: number; readonly logs: readonly string[] } = { hour: 0, logs: [] }
    for await (const { hour, logs } of reader.hours(Math.max(0, this.#signedTo - hourMs))) {
      if (hour + hourMs + lateMs > now()) return
      const late = before.hour === hour - hourMs ? before.logs : []
      // Where another node was faster, it goes on.
      if (hour > this.#signedTo && !(await this.#append(hour, [...late, ...logs]))) return
      before = { hour, logs }
    }
  }

  /** Forgets the manifests of what may go. */
  async forget(): Promise<void> {
    const { store, now } = this.#options
    for await (const { number, signed } of this.read()) {
      const manifest = signed && manifestIn(signed)
      if (manifest !== undefined && (manifest.expiresAt ?? Number.POSITIVE_INFINITY) > now()) return
      if (manifest !== undefined) await store.trim(auditNames.manifests, number)
    }
  }

  /** The last record of a log. */
  async headOf(log: string): Promise<ChainHead | undefined> {
    const { store } = this.#options
    const logName = auditNames.log(log)
    // Nothing is appended: it resolves to the last number.
    const last = await store.append(logName, [])
    if (!last) return undefined
    const [found] = await readRecords(store, logName, { after: last - 1, limit: 1 })
    return { n: last, h: decodeRecord(found?.value)?.h ?? '' }
  }

  /** False when another node was faster. */
  async #append(hour: number, logs: readonly string[]): Promise<boolean> {
    const { store, keys, now, keepMs } = this.#options
    const heads: SignedHead[] = []
    for (const log of logs) {
      const head = await this.headOf(log)
      if (head !== undefined) heads.push({ log, entries: head.n, head: head.h })
    }
    if (heads.length === 0) return true
    const { number: after, signed: previous } = this.#last
    const { expiresAt }: Expiry = expiryOf(hour, keepMs)
    const number = after + 1
    const manifest: Manifest = {
      number,
      hour,
      at: now(),
      logs: heads,
      ...(expiresAt !== undefined && { expiresAt }),
      ...(after > 0 && { previous: linkTo(previous) }),
    }
    const text = JSON.stringify(manifest)
    const signed = { text, publicKey: keys.publicKey, signature: keys.sign(text) }
    const value: JsonValue = { ...signed }
    if ((await store.append(auditNames.manifests, [value], { after })) === undefined) return false
    this.#take({ number, signed })
    return true
  }

  #take(manifest: ReadManifest): void {
    const { signed } = manifest
    const own = signed && verifiedManifest(signed, this.#options.keys.publicKey)
    this.#last = manifest
    if (own !== undefined) this.#signedTo = Math.max(this.#signedTo, own.hour)
  }
}

/** What a manifest says; undefined when it was not signed with this key. */
export function verifiedManifest({ text, signature }: SignedManifest, publicKey: string): Manifest | undefined {
  return isSignedBy(publicKey, text, signature) ? (JSON.parse(text) as Manifest) : undefined
}

export function digestOf(signed: SignedManifest | undefined): string {
  return signed === undefined ? '' : hashOf([signed.text, signed.publicKey, signed.signature])
}

function linkTo(signed: SignedManifest | undefined): { digest: string; expiresAt?: number } {
  const { expiresAt } = (signed && manifestIn(signed)) ?? {}
  return { digest: digestOf(signed), ...(expiresAt !== undefined && { expiresAt }) }
}

/** What it says of itself, no matter who signed it. */
function manifestIn(signed: SignedManifest): Manifest | undefined {
  return verifiedManifest(signed, signed.publicKey)
}

function signedIn(value: JsonValue | undefined): { readonly signed?: SignedManifest } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const { text, publicKey, signature } = value
  if (typeof text !== 'string' || typeof publicKey !== 'string' || typeof signature !== 'string') return {}
  return { signed: { text, publicKey, signature } }
}
