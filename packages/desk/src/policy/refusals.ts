// Why the desk does not do something. A program goes by the code, which stays; the sentence beside it is for people.

/** Every code, with the number that the live protocol has for it, and the status of HTTP. */
export const refusals = {
  'request-invalid': { rpc: -32602, http: 400 },
  'action-invalid': { rpc: -32602, http: 422 },
  'not-allowed': { rpc: -32009, http: 403 },
  'sign-in-required': { rpc: -32007, http: 401 },
  'session-not-found': { rpc: -32001, http: 404 },
  'session-exists': { rpc: -32003, http: 409 },
  'not-found': { rpc: -32008, http: 404 },
  'ask-not-found': { rpc: -32008, http: 404 },
  'ask-ended': { rpc: -32011, http: 409 },
  'ask-expired': { rpc: -32011, http: 409 },
  'passkey-required': { rpc: -32009, http: 403 },
  'passkey-missing': { rpc: -32009, http: 409 },
  'passkey-invalid': { rpc: -32009, http: 403 },
  'question-not-found': { rpc: -32008, http: 404 },
  'answer-required': { rpc: -32602, http: 422 },
  'answer-invalid': { rpc: -32602, http: 422 },
  'rule-invalid': { rpc: -32602, http: 422 },
  'reason-too-long': { rpc: -32602, http: 422 },
  'turn-in-progress': { rpc: -32004, http: 409 },
  'turn-not-active': { rpc: -32011, http: 409 },
  'turn-exists': { rpc: -32011, http: 409 },
  'turn-not-found': { rpc: -32008, http: 404 },
  conflict: { rpc: -32011, http: 409 },
  'method-not-allowed': { rpc: -32601, http: 405 },
  'too-large': { rpc: -32600, http: 413 },
  'not-json': { rpc: -32700, http: 415 },
  'too-many': { rpc: -32000, http: 429 },
  'too-many-asks': { rpc: -32000, http: 429 },
  unavailable: { rpc: -32603, http: 503 },
} as const

/** Says for good why something was refused. */
export type RefusalCode = keyof typeof refusals

/** Why something was refused, for programs and for people. `recorded` is an answer that counts, where more are needed. */
export interface Refusal {
  readonly code: RefusalCode | 'recorded'
  readonly reason: string
}

/** A desk that says no to a program: trying again does not help. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly code: Refusal['code']

  constructor({ code, reason }: Refusal, what = '') {
    super(`${what}${reason}`)
    this.code = code
  }
}

export const sessionNotFound: Refusal = { code: 'session-not-found', reason: 'There is no such session.' }
export const sessionExists: Refusal = { code: 'session-exists', reason: 'There is a session of this name already.' }
export const askEnded: Refusal = { code: 'ask-ended', reason: 'This request is no longer open.' }
export const expired: Refusal = { code: 'ask-expired', reason: 'The time to answer this is over.' }
export const otherContent: Refusal = {
  code: 'conflict',
  reason: 'There is an ask with this id, and it asks something else. Give this one an id of its own.',
}
export const notAllowed: Refusal = { code: 'not-allowed', reason: 'A client cannot send this action here.' }
export const reservedName: Refusal = { code: 'not-allowed', reason: 'Names that begin with "call-" are for calls.' }
export const onlyLooks: Refusal = { code: 'not-allowed', reason: 'You may look at this, and not change or answer it.' }
export const leftGroup: Refusal = {
  code: 'not-allowed',
  reason: 'You are no longer in a group that is asked this.',
}
export const unavailable: Refusal = { code: 'unavailable', reason: 'The desk could not keep this. Send it again.' }
export const tooLarge: Refusal = {
  code: 'too-large',
  reason: 'This is more than the desk keeps. Send less.',
}
export function tooManyAsks(max: number): Refusal {
  return {
    code: 'too-many-asks',
    reason: `the session has ${max} open asks, and takes no more before some are answered`,
  }
}
export function tooManyFromServer(max: number): Refusal {
  return {
    code: 'too-many-asks',
    reason: `The server has ${max} open asks, and opens no more before some are answered.`,
  }
}
export function tooManyFromCaller(max: number): Refusal {
  return {
    code: 'too-many-asks',
    reason: `The caller has ${max} open asks, and gets no more before some are answered.`,
  }
}
export function askTooLarge(maxBytes: number): Refusal {
  return {
    code: 'too-large',
    reason: `An ask has at most ${maxBytes} bytes, with arguments and audience. Ask about less.`,
  }
}
export function sessionFull(maxBytes: number): Refusal {
  return {
    code: 'too-many-asks',
    reason: `what is open in the session has ${maxBytes} bytes, and takes no more before some of it is answered`,
  }
}
export function tooManyInAll(max: number): Refusal {
  return {
    code: 'too-many-asks',
    reason: `This desk has ${max} open asks, and takes no more before some are answered.`,
  }
}
export function tooManySessions(max: number): Refusal {
  return { code: 'too-many', reason: `You have made ${max} sessions. Dispose of some first.` }
}
export const tooMany: Refusal = {
  code: 'too-many',
  reason: 'Too many messages at once. Wait a moment, and send this again.',
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

/** The code of an answer that has nothing but its status; undefined for one that is no refusal. */
export function codeOfStatus(status: number): RefusalCode | undefined {
  return byStatus.find(code => refusals[code].http === status)
}

/** What the model says of an action, where the words alone tell what is wrong. */
const known: ReadonlyMap<string, RefusalCode> = new Map<string, RefusalCode>([
  [notAllowed.reason, 'not-allowed'],
  ['There is no open request with this id.', 'ask-not-found'],
  [askEnded.reason, 'ask-ended'],
  ['This request has no such question.', 'question-not-found'],
  ['The response must be accept, decline or cancel.', 'action-invalid'],
  ['The answers must be an object by question.', 'action-invalid'],
  ['Another turn is in progress.', 'turn-in-progress'],
  ['This turn is not in progress.', 'turn-not-active'],
  ['There is a turn with this id already.', 'turn-exists'],
  ['There is no such turn.', 'turn-not-found'],
])

/** The model's reason against an action, with its code. The model has none: it is kept small for pages. */
export function refusalOf(actionType: string, reason: string): Refusal {
  const code = known.get(reason) ?? (/\/input\w+$/.test(actionType) ? answerCode(reason) : 'action-invalid')
  return { code, reason }
}

function answerCode(reason: string): RefusalCode {
  return reason.endsWith('An answer is required.') ? 'answer-required' : 'answer-invalid'
}
