import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Agent } from '../app/context.js'
import type { Credentials } from '../session/session.js'

/** What a gateway has to know to claim this app, as it stands in the manifest. */
export interface Claim extends Credentials {
  /** What a person tells the agent. */
  readonly code: string
  readonly mintedAt: number
  readonly expiresAt: number
  /** Who claimed it. */
  readonly boundAgent: Agent | null
}

/** How long a code can be claimed, unless it is renewed. */
export const claimLifeMs: number = 10 * 60 * 1000
/** How often it is renewed while the app runs. */
export const renewEveryMs: number = 5 * 60 * 1000

/** Without what is easily misread: 0 and O, 1, I and L. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const codePattern = /^[0-9A-Z]{4}-[0-9A-Z]{2}$/

/** A new code, for a new session or for the one that there is. */
export function mintClaim(now: number, known?: Credentials & { boundAgent: Agent | null }): Claim {
  return {
    code: mintCode(),
    sessionId: known?.sessionId ?? `s_${randomBytes(12).toString('hex')}`,
    resumeToken: known?.resumeToken ?? randomBytes(24).toString('base64url'),
    mintedAt: now,
    expiresAt: now + claimLifeMs,
    boundAgent: known?.boundAgent ?? null,
  }
}

/** Whether a text has the form of a code at all. */
export function isCode(text: string): boolean {
  return codePattern.test(text)
}

/** In the same time for every code, so that no part of the right one can be found by measuring. */
export function isSameCode(given: string, code: string): boolean {
  return given.length === code.length && timingSafeEqual(Buffer.from(given), Buffer.from(code))
}

function mintCode(): string {
  const letters = Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}
