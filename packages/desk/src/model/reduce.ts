import type { Answer } from '@beckon/core'
import { handedTo } from './audience.js'
import type { EventOf, SessionEvent, Stamp } from './events.js'
import type { Ask, EndedTurn, Former, Session } from './session.js'

/** Asks and turns that ended which a session remembers: more would cost with every event. */
export const maxRemembered = 200
/** Of each of both; so many of the last are remembered however long they are. */
const maxRememberedBytes = 1024 * 1024
const minRemembered = 10

/**
 * The session after an event; undefined before it was created and after it was disposed of. Never validates, never changes its
 * arguments, and gives back the same object when nothing changed.
 */
export function reduce(session: Session | undefined, event: SessionEvent): Session | undefined {
  if (event.type === 'created') return session ?? created(event)
  if (session === undefined) return undefined
  const { at } = event
  switch (event.type) {
    case 'disposed':
      return undefined
    case 'titleChanged':
      return { ...session, title: event.title, modifiedAt: at }
    case 'marked':
      return marked(session, event)
    case 'turnStarted': {
      const activeTurn = { id: event.turn, message: event.message, startedAt: at }
      return {
        ...session,
        modifiedAt: at,
        chatModifiedAt: at,
        turnChangedAt: at,
        activeTurn,
        isRead: false,
        hasFailed: false,
      }
    }
    case 'turnEnded': {
      const { activeTurn } = session
      if (activeTurn === undefined || activeTurn.id !== event.turn) return session
      const { state, error } = event
      const bytes = bytesOf([activeTurn.message, error])
      const turn: EndedTurn = { ...activeTurn, endedAt: at, bytes, state, ...(error && { error }) }
      const turns = recent([...session.turns, turn])
      // A turn does not end before it began, whatever the clocks of two nodes say.
      const turnChangedAt = Math.max(at, activeTurn.startedAt)
      return { ...withoutTurn(session, at), turnChangedAt, turns, hasFailed: state === 'error' }
    }
    case 'truncated': {
      const kept = event.turn === undefined ? 0 : session.turns.findIndex(({ id }) => id === event.turn) + 1
      if (event.turn !== undefined && kept === 0) return session
      const turns = session.turns.slice(0, kept)
      const isKept = new Set(turns.map(({ id }) => id))
      const next = withoutTurn(session, at)
      return { ...next, turns, hasFailed: false, ended: session.ended.filter(({ turn }) => isKept.has(turn)) }
    }
    case 'asked': {
      const { activeTurn, open, asks } = session
      const { request: given, policy, instance, digest, bytes, node, caller, rule } = event
      if (activeTurn === undefined || open.has(given.id)) return session
      const { answers = {}, ...request } = given
      const { id } = request
      const number = asks + 1
      const ask: Ask = {
        id,
        instance,
        digest,
        bytes,
        number,
        turn: activeTurn.id,
        request,
        policy,
        drafts: answers,
        approvals: [],
        askedAt: at,
        node,
        ...(caller !== undefined && { caller }),
        ...(rule !== undefined && { rule }),
      }
      const asked = new Map(open).set(id, ask)
      return { ...session, modifiedAt: at, chatModifiedAt: at, open: asked, asks: number, isRead: false }
    }
    case 'awaited':
      return withAsk(session, event.ask, ask => (ask.node === event.node ? ask : { ...ask, node: event.node }))
    case 'drafted': {
      const { question, answer } = event
      const next = withAsk(session, event.ask, ask => ({ ...ask, drafts: withDraft(ask.drafts, question, answer) }))
      return next === session ? session : { ...next, modifiedAt: at, chatModifiedAt: at }
    }
    case 'approved':
      return withAsk(session, event.ask, ask => withApproval(ask, event))
    case 'approvalWithdrawn':
      return withAsk(session, event.ask, ask => withoutApproval(ask, event))
    case 'escalated': {
      const number = session.asks + 1
      const next = withAsk(session, event.ask, ask => {
        const { escalation: _, audience: __, handedOn: ___, standIns: ____, ...policy } = ask.policy
        const { audience, standIns } = event
        // Only those who are asked now count; a group's members, whom nobody knows here, accept again.
        const approvals = ask.approvals.filter(({ principal }) => audience.principals?.includes(principal))
        const asked = { ...policy, audience, ...(standIns && { standIns }) }
        return { ...ask, policy: asked, approvals, formers: formersOf(ask, at, number) }
      })
      return next === session ? session : { ...next, asks: number, isRead: false }
    }
    case 'delegated': {
      const number = session.asks + 1
      const next = withAsk(session, event.ask, ask => {
        const giver = event.by?.principal
        if (giver === undefined) return ask
        const policy = handedTo(ask.policy, giver, event)
        const approvals = ask.approvals.filter(({ principal }) => principal !== giver)
        return { ...ask, policy, approvals, formers: formersOf(ask, at, number) }
      })
      return next === session ? session : { ...next, asks: number, isRead: false }
    }
    case 'commented': {
      const { by, text } = event
      if (by === undefined) return session
      const comment = { by: by.principal, at, text }
      return withAnyAsk(session, event.ask, ask => ({
        ...ask,
        bytes: ask.bytes + bytesOf(comment),
        comments: [...(ask.comments ?? []), comment],
      }))
    }
    case 'reported': {
      if (session.report !== undefined) return session
      const { status, text } = event
      return { ...session, report: { status, ...(text !== undefined && { text }), at } }
    }
    case 'reminded':
      return withAsk(session, event.ask, ask =>
        ask.remindedAt === event.dueAt ? ask : { ...ask, remindedAt: event.dueAt },
      )
    case 'askEnded': {
      const ask = session.open.get(event.ask)
      if (ask === undefined) return session
      const { response, answers, reason, isExpired, digest, rule, receipt } = event
      const by = answeredBy(event)
      const drafts = answers === undefined ? ask.drafts : { ...ask.drafts, ...answers }
      const ending = {
        response,
        ...(by !== undefined && { by }),
        ...(reason !== undefined && { reason }),
        ...(isExpired && { isExpired }),
        ...(digest !== undefined && { digest }),
        ...(rule !== undefined && { rule }),
        ...(receipt !== undefined && { receipt }),
        at,
      }
      const open = new Map(session.open)
      open.delete(event.ask)
      const bytes = Object.keys(drafts).length === 0 ? ask.bytes : ask.bytes + bytesOf(drafts)
      const ended = recent([...session.ended, { ...ask, bytes, drafts, ending }])
      return { ...session, modifiedAt: at, chatModifiedAt: at, open, ended }
    }
    default:
      return event satisfies never
  }
}

/** The ask of this id: an open one rather than one that has ended. */
export function findAsk({ open, ended }: Pick<Session, 'open' | 'ended'>, id: string): Ask | undefined {
  return open.get(id) ?? ended.findLast(ask => ask.id === id)
}

/** Who answered with an event; undefined for what the desk did itself, and what ended with something else. */
export function answeredBy({ by, isWithdrawn }: EventOf<'askEnded'>): string | undefined {
  return isWithdrawn ? undefined : by?.principal
}

function created(event: EventOf<'created'>): Session {
  const { id, title, server, isCall = false, at, by, owner = by?.principal, audience } = event
  return {
    id,
    title,
    firstTitle: title,
    server,
    isCall,
    ...(owner !== undefined && { owner }),
    ...(audience && { audience }),
    createdAt: at,
    modifiedAt: at,
    chatModifiedAt: at,
    turnChangedAt: at,
    isArchived: false,
    isRead: false,
    isMarkedRead: false,
    hasFailed: false,
    turns: [],
    open: new Map(),
    ended: [],
    asks: 0,
  }
}

/** How long something is as JSON. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

/** The last of what ended, in number and in bytes. */
function recent<T extends { readonly bytes: number }>(ended: readonly T[]): readonly T[] {
  let bytes = 0
  let from = ended.length
  for (const oldest = Math.max(0, ended.length - maxRemembered); from > oldest; from--) {
    bytes += ended[from - 1]?.bytes ?? 0
    if (bytes > maxRememberedBytes && ended.length - from >= minRemembered) break
  }
  return ended.slice(from)
}

/** The active turn is over, and with it every ask that is open. */
function withoutTurn({ activeTurn: _, ...session }: Session, at: number): Session {
  const abandoned = [...session.open.values()].map(ask => ({ ...ask, ending: { at } }))
  const ended = recent([...session.ended, ...abandoned])
  return { ...session, modifiedAt: at, chatModifiedAt: at, open: new Map(), ended }
}

function withAsk(session: Session, id: string, change: (ask: Ask) => Ask): Session {
  const ask = session.open.get(id)
  const next = ask && change(ask)
  return next === undefined || next === ask ? session : { ...session, open: new Map(session.open).set(id, next) }
}

/** An open ask, or the last of its id that has ended. */
function withAnyAsk(session: Session, id: string, change: (ask: Ask) => Ask): Session {
  if (session.open.has(id)) return withAsk(session, id, change)
  const index = session.ended.findLastIndex(ask => ask.id === id)
  const ask = session.ended[index]
  return ask === undefined ? session : { ...session, ended: session.ended.with(index, change(ask)) }
}

/** Those who were asked so far. */
function formersOf(
  { policy, drafts, comments = [], formers = [] }: Ask,
  at: number,
  number: number,
): readonly Former[] {
  const { audience, handedOn } = policy
  return [
    ...formers,
    { ...(audience && { audience }), ...(handedOn && { handedOn }), drafts, comments: comments.length, at, number },
  ]
}

function marked(session: Session, { mark, value }: EventOf<'marked'>): Session {
  if (mark === 'isArchived') return session.isArchived === value ? session : { ...session, isArchived: value }
  const { isRead, isMarkedRead } = session
  return isRead === value && isMarkedRead === value ? session : { ...session, isRead: value, isMarkedRead: value }
}

function withDraft(drafts: Ask['drafts'], question: string, answer: Answer | undefined): Ask['drafts'] {
  const { [question]: _, ...others } = drafts
  return answer === undefined ? others : { ...drafts, [question]: answer }
}

function withApproval(ask: Ask, { by, digest, method, rule }: EventOf<'approved'>): Ask {
  if (by === undefined) return ask
  const { principal } = by
  if (ask.approvals.some(approval => approval.principal === principal && approval.digest === digest)) return ask
  const others = ask.approvals.filter(approval => approval.principal !== principal)
  return { ...ask, approvals: [...others, { principal, digest, ...(method && { method }), ...(rule && { rule }) }] }
}

function withoutApproval(ask: Ask, { by }: Stamp): Ask {
  const approvals = ask.approvals.filter(({ principal }) => principal !== by?.principal)
  return approvals.length === ask.approvals.length ? ask : { ...ask, approvals }
}
