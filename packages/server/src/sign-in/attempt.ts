// One attempt to sign in, between leaving for the provider and coming back. Everything that has to match on return (state,
// nonce, the PKCE verifier) is derived from one secret in an HttpOnly cookie: it belongs to the browser that began, the
// server keeps nothing for strangers who only begin, and any node can finish what another began.
// The time and the way back are part of what is derived: a cookie in which they were changed fits no state.
import { createHash, createHmac } from 'node:crypto'
import { safePath } from './safe-path.js'
import { isSecret } from './secret.js'

export const attemptMs: number = 10 * 60 * 1000

export interface Attempt {
  readonly secret: string
  /** Milliseconds. */
  readonly startedAt: number
  /** Where the person wanted to go. */
  readonly next: string
}

/** What goes to the provider, and what has to come back. */
export interface Proofs {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Of PKCE, by S256. */
  readonly challenge: string
}

export function proofsOf({ secret, startedAt, next }: Attempt): Proofs {
  const derive = (purpose: string): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify([purpose, startedAt, next]))
      .digest('base64url')
  const verifier = derive('verifier')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { state: derive('state'), nonce: derive('nonce'), verifier, challenge }
}

/** An attempt as a cookie's value. */
export function encodeAttempt({ secret, startedAt, next }: Attempt): string {
  return `${secret}.${startedAt}.${Buffer.from(next).toString('base64url')}`
}

export function decodeAttempt(value: string): Attempt | undefined {
  const [secret = '', startedAt = '', next = '', ...rest] = value.split('.')
  if (!isSecret(secret) || !/^\d{1,15}$/.test(startedAt) || rest.length > 0) return undefined
  return { secret, startedAt: Number(startedAt), next: safePath(Buffer.from(next, 'base64url').toString()) }
}
