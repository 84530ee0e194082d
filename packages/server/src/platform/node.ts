import crypto, { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { inspect, types } from 'node:util'
import type { Kinds } from './platform.js'

export { cipherOf, deriveKey } from './node-cipher.js'

/** Whether code runs only while a request is served, so that timers and handlers that wait end with it. */
export const isRequestBound: boolean = false

export function variable(name: string): string | undefined {
  return process.env[name]
}

export function commandLine(): readonly string[] {
  return process.argv
}

/** So many bytes, of the kind that is written as text most quickly. */
export function bytes(length: number): Uint8Array<ArrayBuffer> {
  return Buffer.alloc(length)
}

export function base64(data: string | Uint8Array): string {
  return bufferOf(data).toString('base64')
}

export function base64url(data: string | Uint8Array): string {
  return bufferOf(data).toString('base64url')
}

/** It may pass over what is not base64url: encode again to know. */
export function fromBase64url(text: string): Uint8Array {
  return Buffer.from(text, 'base64url')
}

/** The first characters of an ASCII text. No mere slice: that would keep all of it in memory, and be slow to compare. */
export function startOf(text: string, length: number): string {
  return Buffer.from(text, 'latin1').toString('latin1', 0, length)
}

/** `hash` is several times quicker for short texts; not every runtime with a `node:crypto` has it. */
export const sha256: (data: string | Uint8Array, encoding?: 'base64url' | 'base64') => string = crypto.hash
  ? (data, encoding = 'base64url') => crypto.hash('sha256', data, encoding)
  : (data, encoding = 'base64url') => createHash('sha256').update(data).digest(encoding)

/** The HMAC of a text with SHA-256, as base64url. */
export function hmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

/** Takes as long for texts that differ in the first character as in the last. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The same bytes, and no copy of them. */
function bufferOf(data: string | Uint8Array): Buffer {
  if (typeof data === 'string') return Buffer.from(data)
  return Buffer.isBuffer(data) ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}

/** All of a value as a text: two that differ in anything have two. */
export function describe(value: unknown): string {
  return inspect(value, { depth: Number.POSITIVE_INFINITY, maxArrayLength: null, maxStringLength: null, sorted: true })
}

export const isAnyArrayBuffer: Kinds['isAnyArrayBuffer'] = types.isAnyArrayBuffer
export const isDate: Kinds['isDate'] = types.isDate
export const isMap: Kinds['isMap'] = types.isMap
export const isSet: Kinds['isSet'] = types.isSet
