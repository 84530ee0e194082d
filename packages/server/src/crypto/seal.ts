// The threat: a client that reads, changes, swaps, replays or forges the state it hands back. AES-256-GCM keeps it
// secret and whole; what it is bound to (principal, method, tool, arguments, questions, round, expiry) is inside and is
// checked by who opens it. Not defended here: a state used twice (which the log of its call is for), and a key that leaked.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomFillSync,
} from 'node:crypto'
import { StateRejectedError } from '@beckon/core'

/** Seals values into opaque texts, and opens them again. */
export interface Seal {
  seal(value: unknown): string
  /** @throws StateRejectedError for anything that this ring did not seal */
  open(sealed: string): unknown
}

/** A key: 16 bytes or more of secret, as bytes or as text. */
export type Key = string | Uint8Array

const idBytes = 4
const ivBytes = 12
const tagBytes = 16
const minBytes = 16

/** A seal with a ring of keys: the first seals, all of them open, so that a key can be changed without losing calls. */
export function createSeal(keys: readonly Key[], purpose: string): Seal {
  const ring = keys.map(key => ringKey(key, purpose))
  const [current] = ring
  if (current === undefined) throw new TypeError('A seal needs at least one key.')
  return {
    seal(value) {
      const iv = nonce()
      const cipher = createCipheriv('aes-256-gcm', current.secret, iv)
      const body = cipher.update(JSON.stringify(value), 'utf8')
      cipher.final() // empty in this mode, and due before the tag
      const sealed = Buffer.allocUnsafe(idBytes + ivBytes + body.length + tagBytes)
      sealed.set(current.id, 0)
      sealed.set(iv, idBytes)
      sealed.set(body, idBytes + ivBytes)
      sealed.set(cipher.getAuthTag(), idBytes + ivBytes + body.length)
      return sealed.toString('base64url')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      const key = ring.find(candidate => bytes.subarray(0, idBytes).equals(candidate.id))
      // Decoding passes over what is not base64url: only the very text that was made counts.
      const isWhole = bytes.length >= idBytes + ivBytes + tagBytes && bytes.toString('base64url') === sealed
      if (key === undefined || !isWhole) throw forged()
      const iv = bytes.subarray(idBytes, idBytes + ivBytes)
      const decipher = createDecipheriv('aes-256-gcm', key.secret, iv, { authTagLength: tagBytes })
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      try {
        const text =
          decipher.update(bytes.subarray(idBytes + ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
        return JSON.parse(text)
      } catch {
        throw forged()
      }
    },
  }
}

/** A key of our own, for a server that was given none: states do not outlive the process. */
export function randomKey(): Key {
  return randomBytes(32)
}

function ringKey(key: Key, purpose: string): { id: Buffer; secret: KeyObject } {
  const bytes = typeof key === 'string' ? Buffer.from(key) : key
  if (bytes.length < minBytes)
    throw new TypeError(`A key needs at least ${minBytes} bytes; this one has ${bytes.length}.`)
  const secret = Buffer.from(hkdfSync('sha256', bytes, '', `beckon ${purpose}`, 32))
  return { id: createHash('sha256').update(secret).digest().subarray(0, idBytes), secret: createSecretKey(secret) }
}

function forged(): StateRejectedError {
  return new StateRejectedError('it was not made by this server, or was changed on the way')
}

const pool = Buffer.allocUnsafe(ivBytes * 512)
let used = pool.length

/** Random bytes are dear one by one. What this gives is used up before the pool is filled again. */
function nonce(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += ivBytes
  return pool.subarray(used - ivBytes, used)
}
