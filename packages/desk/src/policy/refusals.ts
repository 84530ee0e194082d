// Why the desk does not do something. The codes, what they are made of and their sentences are the live protocol's: here is what
// they come to in numbers, and those that several parts of the desk give.
import {
  describeRefusal,
  type Refusal,
  type RefusalCode,
  type Rejection,
  liveErrorCodes as rpc,
} from '@beckon/core/live'

/** The statuses of HTTP that refusals have. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 503

/** Every code, with the number that the live protocol has for it, and the status of HTTP. */
export const refusals: Readonly<Record<RefusalCode, { readonly rpc: number; readonly http: RefusalStatus }>> = {
  'request-invalid': { rpc: rpc.invalidParams, http: 400 },
  'action-invalid': { rpc: rpc.invalidParams, http: 422 },
  'not-allowed': { rpc: rpc.denied, http: 403 },
  'origin-not-allowed': { rpc: rpc.denied, http: 403 },
  'read-only': { rpc: rpc.denied, http: 403 },
  'auditors-only': { rpc: rpc.denied, http: 403 },
  'name-reserved': { rpc: rpc.denied, http: 403 },
  'person-unknown': { rpc: rpc.denied, http: 403 },
  'group-left': { rpc: rpc.denied, http: 403 },
  'own-request': { rpc: rpc.denied, http: 403 },
  'sign-in-required': { rpc: rpc.signInRequired, http: 401 },
  'session-not-found': { rpc: rpc.sessionNotFound, http: 404 },
  'session-exists': { rpc: rpc.sessionExists, http: 409 },
  'not-found': { rpc: rpc.notFound, http: 404 },
  'ask-not-found': { rpc: rpc.notFound, http: 404 },
  'ask-ended': { rpc: rpc.conflict, http: 409 },
  'ask-expired': { rpc: rpc.conflict, http: 409 },
  'passkey-required': { rpc: rpc.denied, http: 403 },
  'passkey-missing': { rpc: rpc.denied, http: 409 },
  'passkey-invalid': { rpc: rpc.denied, http: 403 },
  'too-many-passkeys': { rpc: rpc.conflict, http: 409 },
  'question-not-found': { rpc: rpc.notFound, http: 404 },
  'answer-required': { rpc: rpc.invalidParams, http: 422 },
  'answer-invalid': { rpc: rpc.invalidParams, http: 422 },
  'answers-incomplete': { rpc: rpc.invalidParams, http: 422 },
  'rule-invalid': { rpc: rpc.invalidParams, http: 422 },
  'rule-exists': { rpc: rpc.conflict, http: 409 },
  'too-many-rules': { rpc: rpc.tooMany, http: 429 },
  'reason-too-long': { rpc: rpc.invalidParams, http: 422 },
  'comment-too-long': { rpc: rpc.invalidParams, http: 422 },
  'too-many-comments': { rpc: rpc.tooMany, http: 429 },
  'cannot-delegate': { rpc: rpc.denied, http: 403 },
  'away-invalid': { rpc: rpc.invalidParams, http: 422 },
  'turn-in-progress': { rpc: rpc.turnInProgress, http: 409 },
  'turn-not-active': { rpc: rpc.conflict, http: 409 },
  'turn-exists': { rpc: rpc.conflict, http: 409 },
  'turn-not-found': { rpc: rpc.notFound, http: 404 },
  conflict: { rpc: rpc.conflict, http: 409 },
  'method-not-allowed': { rpc: rpc.methodNotFound, http: 405 },
  'too-large': { rpc: rpc.invalidRequest, http: 413 },
  'ask-too-large': { rpc: rpc.invalidRequest, http: 413 },
  'not-json': { rpc: rpc.parseError, http: 415 },
  'too-many': { rpc: rpc.tooMany, http: 429 },
  'too-many-attempts': { rpc: rpc.tooMany, http: 429 },
  'too-many-feeds': { rpc: rpc.tooMany, http: 429 },
  'too-many-sessions': { rpc: rpc.tooMany, http: 429 },
  'too-many-asks': { rpc: rpc.tooMany, http: 429 },
  'session-full': { rpc: rpc.tooMany, http: 429 },
  unavailable: { rpc: rpc.internalError, http: 503 },
}

/** A desk that says no to a program: trying again does not help. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly code: Rejection['code']
  readonly refusal: Rejection

  constructor(refusal: Rejection, what = '') {
    super(`${what}${describeRefusal(refusal)}`)
    this.code = refusal.code
    this.refusal = refusal
  }
}

export const sessionNotFound: Refusal = { code: 'session-not-found' }
export const askEnded: Refusal = { code: 'ask-ended', params: {} }
export const expired: Refusal = { code: 'ask-expired' }
export const otherContent: Refusal = { code: 'conflict' }
export const notAllowed: Refusal = { code: 'not-allowed' }
export const readOnly: Refusal = { code: 'read-only' }
export const unavailable: Refusal = { code: 'unavailable' }
export const tooLarge: Refusal = { code: 'too-large', params: {} }

export function tooManyAsks(of: 'session' | 'server' | 'caller' | 'desk', max: number): Refusal {
  return { code: 'too-many-asks', params: { of, max } }
}

/** What an answer of HTTP is about that says no more than its status. */
const byStatus: readonly RefusalCode[] = [
  'request-invalid',
  'sign-in-required',
  'not-allowed',
  'not-found',
  'method-not-allowed',
  'too-many',
  'unavailable',
]

/** The code of an answer that has nothing but its status; undefined for one that is not a refusal. */
export function codeOfStatus(status: number): RefusalCode | undefined {
  return byStatus.find(code => refusals[code].http === status)
}
