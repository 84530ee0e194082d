// What happened to a session, as each dialect of the live protocol tells it, and to whom.
import type { ChatAction, SessionSummaryAction } from '@beckon/core/chat'
import { channelsOf, type Dialect, dialectTraits } from '@beckon/core/live'
import type { SessionAction } from '@beckon/core/session-0.3'
import type { EventOf, SessionEvent } from '../model/events.js'
import type { Happened } from '../model/happened.js'
import type { Ask } from '../model/session.js'
import { withShownText } from '../model/shown.js'
import { maySeeAsk, type Person, seenBy } from '../policy/audience.js'
import { chatEntry, encodeRequest, errorPart, inputNeeded, iso, modifiedIn } from './states.js'

/** An action on its way to those subscribers of a channel whom it is for. */
export interface Addressed {
  readonly channel: string
  readonly action: SessionAction | ChatAction | SessionSummaryAction
  /** Absent: everyone who listens. */
  readonly isFor?: (person: Person) => boolean
}

/** An event in a dialect. Nothing, for what a dialect does not have. */
export function actionsOf(happened: Happened, dialect: Dialect): Addressed[] {
  const { event, before, after } = happened
  if (event.type === 'escalated' || event.type === 'delegated') {
    const [was, is] = [before?.open.get(event.ask), after?.open.get(event.ask)]
    return was === undefined || is === undefined ? [] : moved(happened, was, is, dialect)
  }
  // An ask that is open is not asked again.
  if (event.type === 'asked' && after?.open.get(event.request.id)?.instance !== event.instance) return []
  const actions = dialectTraits[dialect].hasChats ? laterActions(happened, dialect) : olderActions(happened)
  const ask = event.type === 'asked' ? askIn(happened) : undefined
  if (ask === undefined) return actions
  return [...actions, ...unread(happened, dialect, person => !maySeeAsk(ask.policy, person))]
}

/** What is new makes a session unread to everyone; those who may not see what it is hear so much. */
function unread({ id, before, after }: Happened, dialect: Dialect, isFor: (person: Person) => boolean): Addressed[] {
  if (before?.isRead !== true || after?.isRead !== false) return []
  const { session, chat } = channelsOf(id)
  const { hasChats, hasChatMarks } = dialectTraits[dialect]
  if (!hasChats) return [{ channel: session, action: { type: 'session/isReadChanged', isRead: false }, isFor }]
  return hasChatMarks ? [{ channel: chat, action: { type: 'chat/isReadChanged', isRead: false }, isFor }] : []
}

/** Others are asked instead: the ask appears to some, and goes for others; nobody else is told what it is. */
function moved(happened: Happened, was: Ask, is: Ask, dialect: Dialect): Addressed[] {
  const { id, event, before, after } = happened
  const { at } = event
  const { request, policy, instance, digest, bytes, node } = is
  const asked: SessionEvent = {
    type: 'asked',
    at,
    request: encodeRequest({ ...is, request }),
    policy,
    instance,
    digest,
    bytes,
    node,
  }
  const ended: SessionEvent = { type: 'askEnded', at, ask: is.id, response: 'cancel' }
  const { hasChats } = dialectTraits[dialect]
  const encode = (each: Happened) => (hasChats ? withoutEntry(each, dialect) : olderActions(each))
  const sawBefore = (person: Person) => maySeeAsk(was.policy, person)
  const seesNow = (person: Person) => maySeeAsk(is.policy, person)
  const appears = (person: Person) => seesNow(person) && !sawBefore(person)
  return [
    ...encode({ id, event: asked, before, after }).map(addressed => ({ ...addressed, isFor: appears })),
    ...encode({ id, event: ended, before, after }).map(addressed => ({
      ...addressed,
      isFor: (person: Person) => sawBefore(person) && !seesNow(person),
    })),
    ...unread(happened, dialect, person => !appears(person)),
    ...(hasChats ? entryChanged(happened, person => sawBefore(person) || seesNow(person), dialect) : []),
  ]
}

function olderActions(happened: Happened): Addressed[] {
  const action = olderAction(happened.event)
  if (action === undefined) return []
  return [{ channel: channelsOf(happened.id).session, action, ...onlyFor(askIn(happened)) }]
}

function olderAction(event: SessionEvent): SessionAction | undefined {
  switch (event.type) {
    case 'titleChanged':
      return { type: 'session/titleChanged', title: event.title }
    case 'marked':
      return markedOn('session', event)
    case 'turnStarted':
      return { type: 'session/turnStarted', turnId: event.turn, message: event.message }
    case 'turnEnded': {
      const { turn: turnId, state, error } = event
      if (error !== undefined) return { type: 'session/error', turnId, error }
      return { type: state === 'complete' ? 'session/turnComplete' : 'session/turnCancelled', turnId }
    }
    case 'truncated':
      return { type: 'session/truncated', ...(event.turn !== undefined && { turnId: event.turn }) }
    case 'asked':
      return { type: 'session/inputRequested', request: withShownText(event.request) }
    case 'drafted':
      return { type: 'session/inputAnswerChanged', ...draftIn(event) }
    case 'askEnded':
      return { type: 'session/inputCompleted', ...completionIn(event) }
    default:
      return undefined
  }
}

function laterActions(happened: Happened, dialect: Dialect): Addressed[] {
  const { isFor = () => true } = onlyFor(askIn(happened))
  return [...withoutEntry(happened, dialect), ...entryChanged(happened, isFor, dialect)]
}

function withoutEntry(happened: Happened, dialect: Dialect): Addressed[] {
  const { session, chat } = channelsOf(happened.id)
  const action = chatAction(happened, dialect)
  const only = onlyFor(askIn(happened))
  return [...(action === undefined ? [] : [{ channel: chat, action, ...only }]), ...mirrored(happened, session, only)]
}

function chatAction({ event, before }: Happened, dialect: Dialect): ChatAction | undefined {
  switch (event.type) {
    case 'marked':
      return dialectTraits[dialect].hasChatMarks ? markedOn('chat', event) : undefined
    case 'turnStarted':
      return { type: 'chat/turnStarted', turnId: event.turn, message: event.message, startedAt: iso(event.at) }
    case 'turnEnded': {
      const { turn: turnId, state, error, at } = event
      const duration = Math.max(0, at - (before?.activeTurn?.startedAt ?? at))
      if (error !== undefined)
        return {
          type: 'chat/error',
          turnId,
          duration,
          ...(dialectTraits[dialect].hasErrorParts ? { part: errorPart(error) } : { error }),
        }
      return { type: state === 'complete' ? 'chat/turnComplete' : 'chat/turnCancelled', turnId, duration }
    }
    case 'truncated':
      return { type: 'chat/truncated', ...(event.turn !== undefined && { turnId: event.turn }) }
    case 'asked':
      return { type: 'chat/inputRequested', request: withShownText(event.request) }
    case 'drafted':
      return { type: 'chat/inputAnswerChanged', ...draftIn(event) }
    case 'askEnded':
      return { type: 'chat/inputCompleted', ...completionIn(event) }
    default:
      return undefined
  }
}

/** What the session of a dialect with chats says of its chat's asks, its title and its marks. */
function mirrored(
  { id, event, before, after }: Happened,
  channel: string,
  only: Pick<Addressed, 'isFor'>,
): Addressed[] {
  switch (event.type) {
    case 'titleChanged':
      return [{ channel, action: { type: 'session/titleChanged', title: event.title } }]
    case 'marked':
      return [{ channel, action: markedOn('session', event) }]
    case 'asked':
    case 'drafted': {
      const ask = after?.open.get(event.type === 'asked' ? event.request.id : event.ask)
      if (ask === undefined) return []
      return [{ channel, action: { type: 'session/inputNeededSet', request: inputNeeded(id, ask) }, ...only }]
    }
    case 'askEnded':
      return [{ channel, action: { type: 'session/inputNeededRemoved', id: event.ask }, ...only }]
    case 'turnEnded':
    case 'truncated':
      return [...(before?.open.values() ?? [])]
        .filter(ask => !after?.open.has(ask.id))
        .map(ask => ({ channel, action: { type: 'session/inputNeededRemoved', id: ask.id }, ...onlyFor(ask) }))
    default:
      return []
  }
}

/**
 * What the session's list of chats says, last: when the session has heard what is waited for no longer. That a chat waits is
 * known to those who see what for, and when it changed to those whom the change concerns.
 */
function entryChanged(
  { id, event, before, after }: Happened,
  concerns: (person: Person) => boolean,
  dialect: Dialect,
): Addressed[] {
  if (before === undefined || after === undefined || event.type === 'created') return []
  const { session: channel, chat } = channelsOf(id)
  const [was, is] = [modifiedIn(before, dialect), modifiedIn(after, dialect)]
  const modifiedAt = iso(is)
  const waiting = chatEntry(after, ask => ask, dialect).status
  const statuses = new Set([waiting, chatEntry(after, () => undefined, dialect).status])
  return [...statuses].map(status => ({
    channel,
    action: { type: 'session/chatUpdated', chat, changes: { status, modifiedAt } },
    isFor(person) {
      const seen = seenBy(person)
      if (chatEntry(after, seen, dialect).status !== status) return false
      return (is !== was && concerns(person)) || chatEntry(before, seen, dialect).status !== status
    },
  }))
}

/** The ask that an event is about, as it stood. */
function askIn({ event, before, after }: Happened): Ask | undefined {
  if (event.type === 'asked') return after?.open.get(event.request.id)
  return 'ask' in event ? (before?.open.get(event.ask) ?? after?.open.get(event.ask)) : undefined
}

function onlyFor(ask: Ask | undefined): Pick<Addressed, 'isFor'> {
  return ask === undefined ? {} : { isFor: person => maySeeAsk(ask.policy, person) }
}

function markedOn<On extends 'session' | 'chat'>(
  on: On,
  { mark, value }: EventOf<'marked'>,
): { type: `${On}/isReadChanged`; isRead: boolean } | { type: `${On}/isArchivedChanged`; isArchived: boolean } {
  return mark === 'isRead'
    ? { type: `${on}/isReadChanged`, isRead: value }
    : { type: `${on}/isArchivedChanged`, isArchived: value }
}

function draftIn({ ask: requestId, question: questionId, answer }: EventOf<'drafted'>) {
  return { requestId, questionId, ...(answer !== undefined && { answer }) }
}

function completionIn({ ask: requestId, response, answers }: EventOf<'askEnded'>) {
  return { requestId, response, ...(answers !== undefined && { answers }) }
}
