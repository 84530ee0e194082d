// Threat: finding a secret by measuring how long its comparison takes.
// Secrets are compared, looked up and kept as SHA-256 digests: where two digests begin to differ says nothing about the
// secrets, and who reads our memory or our store cannot use what is there.
// Not defended: digests of weak secrets can be guessed by anyone who has them. Ours have 256 random bits; tokens that an
// operator makes up are as good as that operator makes them.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** So many random bytes, fit for secrets. */
export type Random = (byteLength: number) => Uint8Array

export const systemRandom: Random = byteLength => randomBytes(byteLength)

/** 256 bits in characters that URLs, headers and cookies carry as they are. */
export function newSecret(random: Random): string {
  return Buffer.from(random(32)).toString('base64url')
}

/** Whether a text has the form of what `newSecret` makes. */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

export function digestOf(text: string): string {
  return digest(text).toString('base64url')
}

/** Compares in a time that depends on neither. */
export function sameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
