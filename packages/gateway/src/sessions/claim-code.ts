// A claim code is what a person carries from an application to an agent. It is short, so it has to be hard to guess in
// other ways: it is compared in constant time, it expires, and anyone who guesses is locked out (`lock-out.ts`).
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Letters and digits that nobody mistakes for one another: 32 of them, so that each takes five bits. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A new code: `XXXX-XX`. */
export function mintCode(): string {
  const chars = Array.from(randomBytes(6), byte => alphabet[byte % alphabet.length])
  return `${chars.slice(0, 4).join('')}-${chars.slice(4).join('')}`
}

/** The code that a person meant: case, spaces and the dash do not matter. Undefined when it cannot be one. */
export function readCode(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > 32) return undefined
  const chars = given.toUpperCase().replace(/[\s-]/g, '')
  return /^[A-Z0-9]{6}$/.test(chars) ? `${chars.slice(0, 4)}-${chars.slice(4)}` : undefined
}

/** Whether two secrets are the same, in a time that says nothing about where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(sha256(one), sha256(other))
}

/** What is kept of a secret that only has to be recognised. */
export function hashSecret(secret: string): string {
  return sha256(secret).toString('base64url')
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
