// What the desk itself, and the programs that use it, do to a session.
import { hash, randomBytes } from 'node:crypto'
import type { InputRequest } from '@beckon/core/chat'
import type { Refusal } from '@beckon/core/live'
import type { CallReport } from 'beckon/desk/adapter'
import type { AskLimits } from '../limits/ask-limits.js'
import { endAsk } from '../model/end-ask.js'
import type { EventOf, SessionEvent, Stamp } from '../model/events.js'
import type { Policy, SessionAudience } from '../model/policy.js'
import { bytesOf, findAsk } from '../model/reduce.js'
import type { EndedTurn, Session, Turn } from '../model/session.js'
import { otherContent, RefusedError, sessionNotFound, tooManyAsks } from '../policy/refusals.js'
import type { Decision } from '../sessions/sessions.js'

export interface NewSession {
  readonly id: string
  readonly title: string
  readonly server: string
  readonly isCall?: true | undefined
  /** Whose it is. */
  readonly owner?: string | undefined
  /** Who sees it besides its owner and those whom it asks. */
  readonly audience?: SessionAudience | undefined
}

/** Makes a session, unless it is there. Who guessed its name may have made it first: that one is theirs, and not what is wanted. */
export function createSession(session: Session | undefined, wanted: NewSession, stamp: Stamp): Decision {
  if (session === undefined) return { events: [sessionCreated(wanted, stamp)] }
  return session.owner === wanted.owner ? {} : { refused: { code: 'session-exists' } }
}

export function sessionCreated(
  { id, title, server, isCall, owner, audience }: NewSession,
  stamp: Stamp,
): EventOf<'created'> {
  const whose = { ...(owner !== undefined && { owner }), ...(audience && { audience }) }
  return { ...stamp, type: 'created', id, title, server, ...(isCall && { isCall }), ...whose }
}

export function startTurn(session: Session | undefined, turn: string, text: string, stamp: Stamp): Decision {
  if (session === undefined) return { refused: sessionNotFound }
  if (session.activeTurn !== undefined) return { refused: { code: 'turn-in-progress' } }
  return { events: [turnStarted(turn, text, stamp)] }
}

export function turnStarted(turn: string, text: string, stamp: Stamp): EventOf<'turnStarted'> {
  return { ...stamp, type: 'turnStarted', turn, message: { text, origin: { kind: 'tool' } } }
}

/** Ends a turn, unless it is over. */
export function endTurn(
  session: Session | undefined,
  turn: string | undefined,
  how: Pick<EndedTurn, 'state' | 'error'>,
  stamp: Stamp,
): Decision {
  const active = session?.activeTurn?.id
  if (active === undefined || (turn !== undefined && active !== turn)) return {}
  return { events: [{ ...stamp, type: 'turnEnded', turn: active, ...how }] }
}

export interface NewAsk {
  readonly request: InputRequest
  /** Of all that was given to open it. */
  readonly digest: string
  readonly policy: Policy
  /** The node where someone waits for it. */
  readonly node: string
  readonly limits: AskLimits
  /** Who called, as a token, where a program opens it. */
  readonly caller?: string
  /** The rule that says whom it is for. */
  readonly rule?: string | undefined
}

/** What it takes of a session to open an ask in it. */
type Askable = Pick<Session, 'open' | 'ended'> & { readonly activeTurn?: Pick<Turn, 'id'> | undefined }

/** Half of a character, which no address can have: nobody would find the ask, nor be told of it. */
const unpaired = /\p{Cs}/u

const badId: Refusal = {
  code: 'request-invalid',
  params: { detail: 'The id of an ask has half of a character in it.' },
}

/** Opens an ask, unless it is there. One of the same id that is about something else is refused. */
export function openAsk(session: Askable | undefined, turn: string, ask: NewAsk, stamp: Stamp): Decision {
  const { request, policy, digest, node, limits, caller, rule } = ask
  if (session?.activeTurn?.id !== turn) return { refused: { code: 'turn-not-active' } }
  if (unpaired.test(request.id)) return { refused: badId }
  const known = findAsk(session, request.id)
  if (known !== undefined) return known.digest === digest ? {} : { refused: otherContent }
  const { maxOpenAsks, maxAskBytes, maxSessionBytes } = limits
  if (session.open.size >= maxOpenAsks) return { refused: tooManyAsks('session', maxOpenAsks) }
  // Whom it is for is kept with it.
  const bytes = bytesOf([request, policy])
  if (bytes > maxAskBytes) return { refused: { code: 'ask-too-large', params: { maxBytes: maxAskBytes } } }
  let inAll = bytes
  for (const open of session.open.values()) inAll += open.bytes
  if (inAll > maxSessionBytes) return { refused: { code: 'session-full', params: { maxBytes: maxSessionBytes } } }
  const asked = { type: 'asked', request, policy, instance: newInstance(), digest, bytes, node } as const
  return { events: [{ ...stamp, ...asked, ...(caller && { caller }), ...(rule !== undefined && { rule }) }] }
}

/** Has an open ask waited for on a node. */
export function awaitAsk(session: Session | undefined, ask: string, node: string, stamp: Stamp): Decision {
  const open = session?.open.get(ask)
  return open === undefined || open.node === node ? {} : { events: [{ ...stamp, type: 'awaited', ask, node }] }
}

/** Ends an open ask on behalf of the desk: nobody answered. */
export function withdrawAsk(
  session: Session | undefined,
  id: string,
  stamp: Stamp,
  how: { readonly isExpired?: true } = {},
): Decision {
  if (!session?.open.has(id)) return {}
  return { events: endAsk(session, { ...stamp, type: 'askEnded', ask: id, response: 'cancel', ...how }) }
}

/** Characters of what came of a call that are kept. */
const maxReportChars = 500

/** Says what came of the call that an ask is of. The first word counts. */
export function reportCall(
  session: Session | undefined,
  ask: string,
  { status, text }: CallReport,
  stamp: Stamp,
): Decision {
  if (!session?.isCall || session.report !== undefined || findAsk(session, ask) === undefined) return {}
  const said = text?.slice(0, maxReportChars)
  return { events: [{ ...stamp, type: 'reported', status, ...(said && { text: said }) }] }
}

/** Ends a session and forgets it. What is open is withdrawn first. */
export function disposeSession(session: Session | undefined, stamp: Stamp): Decision {
  if (session === undefined) return { refused: sessionNotFound }
  const withdrawn = [...session.open.keys()].map(
    (ask): SessionEvent => ({ ...stamp, type: 'askEnded', ask, response: 'cancel', isWithdrawn: true }),
  )
  return { events: [...withdrawn, { ...stamp, type: 'disposed' }] }
}

/** Sessions of calls have names of their own: no person makes one. */
export const callPrefix = 'call-'

/** What a client or a program may call a session: what a URI has without escapes, and no path. */
const sessionName = /^[\w.~:@!$&'()*+,;=-]{1,200}$/

export function isSessionName(name: string): boolean {
  return sessionName.test(name)
}

/**
 * Of what an ask is: a server that opens it again gives the same, in whatever order.
 * @throws RefusedError for a number that JSON does not have: as null it would be the same as another
 */
export function digestOfAsk(...given: readonly unknown[]): string {
  const ordered = (_key: string, value: unknown) => {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new RefusedError(notJson)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value
  }
  return hash('sha256', JSON.stringify(given, ordered), 'base64url')
}

const notJson: Refusal = {
  code: 'request-invalid',
  params: { detail: 'An ask has a number that JSON does not have: NaN, or one that is not finite.' },
}

function newInstance(): string {
  return randomBytes(9).toString('base64url')
}
