// AES-256-CTR, and HMAC-SHA-256 over what came of it, cut to 128 bits: encrypt, then authenticate. AES-GCM on Node leaves a cipher
// and three buffers outside the heap behind for each text, and collecting those costs more than sealing. Here the key stream for
// many texts is made at once, and a hash leaves nothing behind. What one key sealed, no other key opens, which GCM does not promise.
//
// The threat: two texts under the same part of a key stream give each other away. A stream begins with a random nonce of 96 bits;
// each text takes the next blocks of it that nobody has taken, and names the first of them. What was taken is wiped.
// Not defended: a process that is restored twice from one snapshot of its memory goes on twice with the same stream.
import crypto, {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import type { Cipher } from './platform.js'

const blockBytes = 16
const counterBytes = 16
const nonceBytes = 12
const tagBytes = 16
const hashBytes = 32
const padBytes = 64
const streamBytes = 64 * 1024

/** Where short texts are sealed, behind room for the first block of their hash. */
const sharedRoom = Buffer.alloc(padBytes + 32 * 1024)

/** `hash` leaves no object behind; not every runtime with a `node:crypto` has it. */
const sha256: (data: Uint8Array) => string = crypto.hash
  ? data => crypto.hash('sha256', data, 'binary')
  : data => createHash('sha256').update(data).digest('binary')

/** Encrypts and authenticates texts with one key. */
export function cipherOf(secret: Uint8Array): Cipher {
  const key = createSecretKey(deriveKey(secret, 'encrypt'))
  const stream = new KeyStream(key)
  const tagOf = authenticator(deriveKey(secret, 'authenticate'))
  return {
    seal(head, text) {
      const length = head.length + counterBytes + Buffer.byteLength(text) + tagBytes
      const room = roomFor(length)
      const start = padBytes + head.length + counterBytes
      const end = start + room.write(text, start)
      room.set(head, padBytes)
      stream.encrypt(room, start, end)
      room.write(tagOf(room, end), end, 'latin1')
      return room.toString('base64url', padBytes, padBytes + length)
    },
    open(sealed, headBytes) {
      const start = headBytes + counterBytes
      const end = sealed.length - tagBytes
      if (end < start) throw new TypeError('It is too short to be a sealed text.')
      const room = roomFor(sealed.length)
      room.set(sealed, padBytes)
      const tag = Buffer.from(tagOf(room, padBytes + end), 'latin1')
      if (!timingSafeEqual(tag, sealed.subarray(end))) throw new TypeError('It was changed, or sealed by another key.')
      const decipher = createDecipheriv('aes-256-ctr', key, sealed.subarray(headBytes, start))
      return decipher.update(sealed.subarray(start, end)).toString()
    },
  }
}

/** 32 bytes for one purpose, by HKDF with SHA-256. */
export function deriveKey(secret: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, hashBytes))
}

function roomFor(length: number): Buffer {
  return padBytes + length <= sharedRoom.length ? sharedRoom : Buffer.allocUnsafe(padBytes + length)
}

/** HMAC with SHA-256 of what stands in a room up to `end`, as the first characters of a binary string. */
function authenticator(key: Uint8Array): (room: Buffer, end: number) => string {
  const inner = Buffer.alloc(padBytes, 0x36)
  const outer = Buffer.alloc(padBytes + hashBytes, 0x5c)
  for (const [at, byte] of key.entries()) {
    inner[at] = byte ^ 0x36
    outer[at] = byte ^ 0x5c
  }
  return (room, end) => {
    room.set(inner)
    outer.write(sha256(room.subarray(0, end)), padBytes, 'latin1')
    room.fill(0, 0, padBytes)
    return sha256(outer).slice(0, tagBytes)
  }
}

/** The key stream of AES-256-CTR, made for many texts at a time. */
class KeyStream {
  readonly #key: KeyObject
  /** The nonce of the stream, then the number of a block in it. */
  readonly #counter = Buffer.alloc(counterBytes)
  #stream: Buffer = Buffer.alloc(0)
  /** How much of it is taken, in whole blocks. */
  #taken = 0

  constructor(key: KeyObject) {
    this.#key = key
  }

  /** Encrypts the bytes of a room from `start` to `end` where they are, and writes before them what decrypts them. */
  encrypt(room: Buffer, start: number, end: number): void {
    const length = end - start
    if (this.#taken + length > this.#stream.length) this.#renew(length)
    const stream = this.#stream
    const from = this.#taken
    this.#taken += Math.ceil(length / blockBytes) * blockBytes
    this.#counter.writeUInt32BE(from / blockBytes, nonceBytes)
    room.set(this.#counter, start - counterBytes)
    for (let at = 0; at < length; at++) room[start + at] = (room[start + at] ?? 0) ^ (stream[from + at] ?? 0)
    stream.fill(0, from, from + length)
  }

  #renew(length: number): void {
    crypto.randomFillSync(this.#counter, 0, nonceBytes)
    this.#counter.fill(0, nonceBytes)
    const zeros = Buffer.alloc(Math.max(streamBytes, length))
    this.#stream = createCipheriv('aes-256-ctr', this.#key, this.#counter).update(zeros)
    this.#taken = 0
  }
}
