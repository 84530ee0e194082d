// For runtimes without `node:crypto`. Sealing there is synchronous as it is on Node, which WebCrypto is not: AES, SHA-256 and
// HKDF are those of noble, which was audited. Random bytes come from WebCrypto on every runtime.
// Not defended: noble's AES looks tables up by secret bytes, so anyone who can time the caches of this very machine may learn
// something about the key. Workers of other people on it cannot: they have no clock that runs while they compute.
import { ctr } from '@noble/ciphers/aes.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac as nobleHmac } from '@noble/hashes/hmac.js'
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'
import type { Cipher, Kinds } from './platform.js'

const counterBytes = 16
const nonceBytes = 12
const tagBytes = 16
const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const isRequestBound: boolean = true

/** Where a runtime has some, it keeps them where Node does. */
export function variable(name: string): string | undefined {
  return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name]
}

export function commandLine(): readonly string[] {
  return []
}

export function bytes(length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(length)
}

export function base64(data: string | Uint8Array): string {
  let binary = ''
  for (const byte of bytesOf(data)) binary += String.fromCharCode(byte)
  return btoa(binary)
}

export function base64url(data: string | Uint8Array): string {
  return base64(data).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Nothing, for what is not base64url at all. */
export function fromBase64url(text: string): Uint8Array {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(binary, character => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

export function startOf(text: string, length: number): string {
  return text.slice(0, length)
}

export function sha256(data: string | Uint8Array, encoding: 'base64url' | 'base64' = 'base64url'): string {
  return (encoding === 'base64' ? base64 : base64url)(nobleSha256(bytesOf(data)))
}

/** The HMAC of a text with SHA-256, as base64url. */
export function hmac(key: string, text: string): string {
  return base64url(nobleHmac(nobleSha256, bytesOf(key), bytesOf(text)))
}

/** 32 bytes for one purpose, by HKDF with SHA-256. */
export function deriveKey(secret: Uint8Array, purpose: string): Uint8Array {
  return hkdf(nobleSha256, secret, undefined, bytesOf(purpose), 32)
}

/** Takes as long for texts that differ in the first character as in the last. */
export function isSameText(one: string, other: string): boolean {
  return isSameBytes(bytesOf(one), bytesOf(other))
}

function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length
  for (const [at, byte] of one.entries()) difference |= byte ^ (other[at] ?? 0)
  return difference === 0
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Encrypts and authenticates texts with one key, to the same bytes as on Node; each text has a nonce of its own. */
export function cipherOf(secret: Uint8Array): Cipher {
  const key = deriveKey(secret, 'encrypt')
  const authenticationKey = deriveKey(secret, 'authenticate')
  const tagOf = (bytes: Uint8Array) => nobleHmac(nobleSha256, authenticationKey, bytes).subarray(0, tagBytes)
  return {
    seal(head, text) {
      const counter = new Uint8Array(counterBytes)
      crypto.getRandomValues(counter.subarray(0, nonceBytes))
      const encrypted = joined(head, counter, ctr(key, counter.slice()).encrypt(bytesOf(text)))
      return base64url(joined(encrypted, tagOf(encrypted)))
    },
    open(sealed, headBytes) {
      const start = headBytes + counterBytes
      const end = sealed.length - tagBytes
      if (end < start) throw new TypeError('It is too short to be a sealed text.')
      if (!isSameBytes(tagOf(sealed.subarray(0, end)), sealed.subarray(end)))
        throw new TypeError('It was changed, or sealed by another key.')
      return decoder.decode(ctr(key, sealed.slice(headBytes, start)).decrypt(sealed.subarray(start, end)))
    },
  }
}

export function describe(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member === 'function' || member instanceof RegExp) return String(member)
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))
  })
}

export const isAnyArrayBuffer: Kinds['isAnyArrayBuffer'] = value => value instanceof ArrayBuffer
export const isDate: Kinds['isDate'] = value => value instanceof Date
export const isMap: Kinds['isMap'] = value => value instanceof Map
export const isSet: Kinds['isSet'] = value => value instanceof Set

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? encoder.encode(data) : data
}
