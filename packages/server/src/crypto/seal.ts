// The threat: a client that reads, changes, swaps, replays or forges the state it hands back. A cipher keeps it
// secret and whole; what it is bound to (principal, method, tool, arguments, questions, round, expiry) is inside and is
// checked by who opens it. Not defended here: a state used twice (which the log of its call is for), and a key that leaked.

import { StateRejectedError } from '@beckon/core'
import { base64url, cipherOf, deriveKey, fromBase64url, sha256 } from '#platform'
import type { Cipher } from '../platform/platform.js'

/** Seals values into opaque texts, and opens them again. */
export interface Seal {
  seal(value: unknown): string
  /** @throws StateRejectedError for anything that this ring did not seal */
  open(sealed: string): unknown
}

/** A key: 16 bytes or more of secret, as bytes or as text. */
export type Key = string | Uint8Array

interface RingKey {
  readonly id: Uint8Array
  readonly cipher: Cipher
}

const idBytes = 4
const minBytes = 16

/** A seal with a ring of keys: the first seals, all of them open, so that a key can be changed without losing calls. */
export function createSeal(keys: readonly Key[], purpose: string): Seal {
  const ring = keys.map(key => ringKey(key, purpose))
  const [current] = ring
  if (current === undefined) throw new TypeError('A seal needs at least one key.')
  return {
    seal: value => current.cipher.seal(current.id, JSON.stringify(value)),
    open(sealed) {
      const bytes = fromBase64url(sealed)
      const key = ring.find(({ id }) => id.every((byte, at) => byte === bytes[at]))
      // Decoding passes over what is not base64url: only the very text that was made counts.
      if (key === undefined || base64url(bytes) !== sealed) throw forged()
      try {
        return JSON.parse(key.cipher.open(bytes, idBytes))
      } catch {
        throw forged()
      }
    },
  }
}

/** Whether two sealed texts name different keys. */
export function sealedByAnother(one: string, other: string): boolean {
  return keyIdOf(one) !== keyIdOf(other)
}

/** As much of a sealed text as has its key's id in it. */
function keyIdOf(sealed: string): string {
  return fromBase64url(sealed.slice(0, 8)).subarray(0, idBytes).join()
}

/** A key of our own, for a server that was given none: states do not outlive the process. */
export function randomKey(): Key {
  return crypto.getRandomValues(new Uint8Array(32))
}

function ringKey(key: Key, purpose: string): RingKey {
  const bytes = typeof key === 'string' ? new TextEncoder().encode(key) : key
  if (bytes.length < minBytes)
    throw new TypeError(`A key needs at least ${minBytes} bytes; this one has ${bytes.length}.`)
  const secret = deriveKey(bytes, `beckon ${purpose}`)
  return { id: fromBase64url(sha256(secret)).subarray(0, idBytes), cipher: cipherOf(secret) }
}

function forged(): StateRejectedError {
  return new StateRejectedError('it was not made by this server, or was changed on the way')
}
