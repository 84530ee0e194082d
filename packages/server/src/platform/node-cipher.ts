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
const wordBytes = 4
/** Where the text stands in every room: behind the first block of its hash, the head and the counter. */
const textAt = 2 * padBytes
const sharedBytes = 32 * 1024

/** Where a text is sealed: its bytes, and the same as words, of which fewer have to be encrypted. */
interface Room {
  readonly bytes: Buffer
  readonly words: Int32Array
}

/** For short texts. */
const sharedRoom = makeRoom(sharedBytes)

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
      const room = roomFor(Buffer.byteLength(text))
      const { bytes } = room
      const start = textAt - counterBytes - head.length
      const end = textAt + bytes.write(text, textAt)
      bytes.set(head, start)
      stream.encrypt(room, end)
      bytes.write(tagOf(bytes, start, end), end, 'latin1')
      return bytes.toString('base64url', start, end + tagBytes)
    },
    open(sealed, headBytes) {
      const text = headBytes + counterBytes
      const end = sealed.length - tagBytes
      if (end < text) throw new TypeError('It is too short to be a sealed text.')
      const { bytes } = roomFor(end - text)
      const start = textAt - text
      bytes.set(sealed, start)
      const tag = Buffer.from(tagOf(bytes, start, start + end), 'latin1')
      if (!timingSafeEqual(tag, sealed.subarray(end))) throw new TypeError('It was changed, or sealed by another key.')
      const decipher = createDecipheriv('aes-256-ctr', key, sealed.subarray(headBytes, text))
      return decipher.update(sealed.subarray(text, end)).toString()
    },
  }
}

/** 32 bytes for one purpose, by HKDF with SHA-256. */
export function deriveKey(secret: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, hashBytes))
}

function roomFor(length: number): Room {
  return length <= sharedBytes ? sharedRoom : makeRoom(length)
}

/** For a text of so many bytes, and the tag behind it. */
function makeRoom(length: number): Room {
  const words = new Int32Array(Math.ceil((textAt + length + tagBytes) / wordBytes))
  return { bytes: Buffer.from(words.buffer), words }
}

/** HMAC with SHA-256 of what stands between two places, as the first characters of a binary string. The block before it is used. */
function authenticator(key: Uint8Array): (bytes: Buffer, start: number, end: number) => string {
  const inner = Buffer.alloc(padBytes, 0x36)
  const outer = Buffer.alloc(padBytes + hashBytes, 0x5c)
  for (const [at, byte] of key.entries()) {
    inner[at] = byte ^ 0x36
    outer[at] = byte ^ 0x5c
  }
  return (bytes, start, end) => {
    const block = start - padBytes
    bytes.set(inner, block)
    outer.write(sha256(bytes.subarray(block, end)), padBytes, 'latin1')
    bytes.fill(0, block, start)
    return sha256(outer).slice(0, tagBytes)
  }
}

/** The key stream of AES-256-CTR, made for many texts at a time. */
class KeyStream {
  readonly #key: KeyObject
  /** The nonce of the stream, then the number of a block in it. */
  readonly #counter = Buffer.alloc(counterBytes)
  #words = new Int32Array(0)
  /** How many bytes of it are taken, in whole blocks. */
  #taken = 0

  constructor(key: KeyObject) {
    this.#key = key
  }

  /** Encrypts the text of a room, which ends at `end`, where it is, and writes before it what decrypts it. */
  encrypt({ bytes, words }: Room, end: number): void {
    const length = end - textAt
    if (this.#taken + length > this.#words.byteLength) this.#renew(length)
    const from = this.#taken
    this.#taken += Math.ceil(length / blockBytes) * blockBytes
    this.#counter.writeUInt32BE(from / blockBytes, nonceBytes)
    bytes.set(this.#counter, textAt - counterBytes)
    const stream = this.#words
    const count = Math.ceil(length / wordBytes)
    let at = textAt / wordBytes
    // The last word may be longer than the text: its tag comes there.
    for (let taken = from / wordBytes, last = taken + count; taken < last; taken++, at++) {
      words[at] = (words[at] ?? 0) ^ (stream[taken] ?? 0)
      stream[taken] = 0
    }
  }

  #renew(length: number): void {
    crypto.randomFillSync(this.#counter, 0, nonceBytes)
    this.#counter.fill(0, nonceBytes)
    const zeros = Buffer.alloc(Math.max(streamBytes, Math.ceil(length / blockBytes) * blockBytes))
    this.#words = new Int32Array(zeros.length / wordBytes)
    Buffer.from(this.#words.buffer).set(createCipheriv('aes-256-ctr', this.#key, this.#counter).update(zeros))
    this.#taken = 0
  }
}
