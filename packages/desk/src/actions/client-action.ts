// What people do on a desk, checked: the shape and the state by the protocol's own rules, then who they are. Someone
// who may not see an ask gets the same answer as for one that is not there.
import { checkAction as checkLater } from '@beckon/core/chat'
import { type Dialect, dialectTraits, type Refusal } from '@beckon/core/live'
import { checkAction as checkOlder } from '@beckon/core/session-0.3'
import { encodeChat, encodeOlder, encodeSummary } from '../dialects/states.js'
import { endAsk } from '../model/end-ask.js'
import type { EventOf, SessionEvent, Stamp } from '../model/events.js'
import { bytesOf, findAsk } from '../model/reduce.js'
import type { Ask, Session } from '../model/session.js'
import {
  lastSeenBy,
  mayAnswer,
  mayChange,
  mayDispose,
  mayEndTurn,
  maySee,
  maySeeAsk,
  type SeenAsk,
  seenBy,
  type Viewer,
} from '../policy/audience.js'
import { askEnded, expired, notAllowed, readOnly, sessionNotFound, tooLarge } from '../policy/refusals.js'
import type { Decision } from '../sessions/sessions.js'
import { decideQuorum } from '../turns/quorum.js'
import type { SignEnding } from '../turns/turn.js'
import { type Proof, passkeyRefusal } from './accept-with-passkey.js'
import { acceptedAnswers } from './accepted-answers.js'
import { decidePeopleAction, isPeopleAction, type Receiver } from './people-actions.js'

/** An action as a client sent it, on a channel of a session. */
export interface ClientAction {
  readonly session: string
  readonly on: 'session' | 'chat'
  readonly dialect: Dialect
  /** Whatever the client sent. */
  readonly action: unknown
  readonly origin?: Stamp['origin']
}

/** What was found out of an action before it is decided, and what signs how an ask ends. */
export interface Checked {
  readonly proof?: Proof | undefined
  /** Undefined for an ask that nobody wants a statement of. */
  readonly sign?: SignEnding | undefined
  /** Whom an ask is handed to. */
  readonly receiver?: Receiver | undefined
}

type Fields = Readonly<Record<string, unknown>>

const maxReason = 2_000
/** Characters of JSON of one answer. */
const maxAnswerChars = 64 * 1024
/** What a client names itself: ids, titles. A message may be longer. */
const maxNameChars = 500
const maxMessageChars = 16 * 1024

/** When it is, and how much may be drafted for one ask. */
interface Terms {
  readonly now: number
  readonly maxDraftBytes: number
}

/** What a client's action comes to. */
export function decideAction(
  session: Session | undefined,
  viewer: Viewer,
  client: ClientAction,
  terms: Terms & Checked,
): Decision {
  if (!maySee(session, viewer)) return { refused: sessionNotFound }
  if (!mayChange(session, viewer)) return { refused: readOnly }
  const stamp = stampOf(viewer, client, terms.now)
  if (isPeopleAction(client.action))
    return decidePeopleAction(session, viewer, client.action, { stamp, receiver: terms.receiver })
  const refused = refusalFor(session, viewer, client, terms)
  if (refused !== undefined) return { refused }
  if (!mayDo(session, viewer, client.action)) return { refused: readOnly }
  // The check has seen that it is an action that clients may send, with its fields as they should be.
  return eventsFor(session, client.action as Fields, stamp, terms)
}

function stampOf({ principal, device }: Viewer, { origin }: ClientAction, at: number): Stamp {
  return { at, by: { principal, device }, ...(origin && { origin }) }
}

/** What ends more than one ask takes more than an answer. */
function mayDo(session: Session, viewer: Viewer, action: unknown): boolean {
  const kind = kindOf(action)
  if (kind === 'truncated') return mayDispose(session, viewer)
  return kind !== 'turnCancelled' || mayEndTurn(session, viewer)
}

/** The request that an action names. */
export function requestIn(action: unknown): string | undefined {
  return textIn(action, 'requestId')
}

/** The type of an action, without the prefix of its dialect. */
function kindOf(action: unknown): string {
  return (textIn(action, 'type') ?? '').replace(/^\w+\//, '')
}

export function textIn(action: unknown, key: string): string | undefined {
  if (typeof action !== 'object' || action === null) return undefined
  const value = (action as Fields)[key]
  return typeof value === 'string' ? value : undefined
}

/** The beginning of a text, which does not hold on to the rest of it: a slice does, for as long as it is kept. */
export function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : Buffer.from(text.slice(0, maxChars)).toString()
}

function refusalFor(
  session: Session,
  viewer: Viewer,
  client: ClientAction,
  { now, maxDraftBytes }: Terms,
): Refusal | undefined {
  const { action } = client
  if (isTooLong(action)) return tooLarge
  // An action is about one ask, or about none: the others do not matter.
  const id = requestIn(action)
  const about = id === undefined ? undefined : findAsk(session, id)
  const isSeen = about !== undefined && maySeeAsk(about.policy, viewer)
  const seen = (ask: Ask) => (isSeen && ask.id === id ? seenBy(viewer)(ask) : undefined)
  const refusal = protocolRefusal(session, seen, client)
  if (refusal === undefined) {
    if (about === undefined) return undefined
    if (!mayAnswer(about.policy, viewer)) return readOnly
    // Another ask may have the name of one that was forgotten: this is about what they saw.
    const { askedAt = about.askedAt } = action as Fields
    if (askedAt !== about.askedAt) return askEnded
    return now >= about.policy.expiresAt ? expired : draftRefusal(about, action, maxDraftBytes)
  }
  const hasSeen = about !== undefined && (isSeen || lastSeenBy(about, viewer) !== undefined)
  if (!hasSeen || (refusal.code !== 'ask-not-found' && refusal.code !== 'ask-ended')) return refusal
  return isSeen && about.ending?.isExpired ? expired : askEnded
}

/** What the protocol itself has against an action, in the version that its client speaks. */
function protocolRefusal(session: Session, seen: SeenAsk, { dialect, on, action }: ClientAction): Refusal | undefined {
  const { hasChats, hasChatMarks } = dialectTraits[dialect]
  if (!hasChats) return checkOlder(encodeOlder(session, seen), action)
  if (on === 'session') return checkLater(encodeSummary(session, seen, dialect), action)
  if (!hasChatMarks && isMark(action)) return notAllowed
  return checkLater(encodeChat(session, seen, dialect), action)
}

function isMark(action: unknown): boolean {
  return ['isReadChanged', 'isArchivedChanged'].includes(kindOf(action))
}

/** Drafts are kept for everyone who looks, so that they are bounded. */
function draftRefusal({ drafts }: Ask, action: unknown, maxBytes: number): Refusal | undefined {
  const { questionId, answer, answers } = action as Fields
  if (answer === undefined && answers === undefined) return undefined
  const drafted = answer === undefined ? {} : { [String(questionId)]: answer }
  // What replaces an answer counts instead of it.
  const all = { ...drafts, ...(answers as Fields | undefined), ...drafted }
  return lengthOf(answer) > maxAnswerChars || bytesOf(all) > maxBytes ? tooLarge : undefined
}

function isTooLong(action: unknown): boolean {
  const names = ['requestId', 'questionId', 'turnId', 'title', 'queuedMessageId'].map(key => textIn(action, key) ?? '')
  if (names.some(name => name.length > maxNameChars)) return true
  const { message } = (typeof action === 'object' && action !== null ? action : {}) as Fields
  return lengthOf(message) > maxMessageChars
}

function lengthOf(value: unknown): number {
  return value === undefined ? 0 : (JSON.stringify(value)?.length ?? 0)
}

/** The events of an action that has been checked. Only the fields that are known go in. */
function eventsFor(session: Session, action: Fields, stamp: Stamp, checked: Checked): Decision {
  const type = kindOf(action)
  switch (type) {
    case 'inputCompleted':
      return completed(session, action, stamp, checked)
    case 'inputAnswerChanged': {
      const { requestId: ask, questionId: question, answer } = action
      return one({ ...stamp, type: 'drafted', ask, question, ...(answer !== undefined && { answer }) } as SessionEvent)
    }
    case 'turnStarted': {
      const { turnId: turn, message } = action
      return one({ ...stamp, type, turn, message } as SessionEvent)
    }
    case 'turnCancelled':
      return one({ ...stamp, type: 'turnEnded', turn: String(action.turnId), state: 'cancelled' })
    case 'truncated':
      return one({ ...stamp, type, ...(action.turnId !== undefined && { turn: String(action.turnId) }) })
    case 'titleChanged':
      return one({ ...stamp, type, title: String(action.title) })
    case 'isReadChanged':
      return one({ ...stamp, type: 'marked', mark: 'isRead', value: action.isRead === true })
    default:
      // The check has let nothing else through.
      return one({ ...stamp, type: 'marked', mark: 'isArchived', value: action.isArchived === true })
  }
}

function completed(session: Session, action: Fields, stamp: Stamp, { proof, sign }: Checked): Decision {
  const { requestId, response, answers, reason } = action
  const ask = String(requestId)
  const open = session.open.get(ask)
  const isVerified = open?.policy.person === 'verified' && response === 'accept'
  // The check has seen that they are answers by question.
  const given = answers as Ask['drafts'] | undefined
  const refused = open && isVerified ? passkeyRefusal(session, open, given, proof) : undefined
  if (refused !== undefined) return { refused }
  const isForm = open?.request.questions !== undefined
  const accepted = isForm && response === 'accept' ? acceptedAnswers(open, given) : given
  const ended = {
    ...stamp,
    type: 'askEnded',
    ask,
    response,
    ...(accepted !== undefined && { answers: accepted }),
    ...(typeof reason === 'string' && { reason: cut(reason, maxReason) }),
    ...(isVerified && { method: 'passkey' }),
  } as EventOf<'askEnded'>
  const { events = [], ...rest } = decideQuorum(session, ended) ?? { events: endAsk(session, ended) }
  return { events: sign === undefined ? events : events.map(event => signed(session, event, sign)), ...rest }
}

function signed(session: Session, event: SessionEvent, sign: SignEnding): SessionEvent {
  const receipt = event.type === 'askEnded' ? sign(session, event) : undefined
  return receipt === undefined ? event : ({ ...event, receipt } as SessionEvent)
}

function one(event: SessionEvent): Decision {
  return { events: [event] }
}
