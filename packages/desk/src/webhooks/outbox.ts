// What a hook is to be told, as names in an ordered set: put there before the append of what happened, and removed once it was
// delivered. Whether it did happen, the session's log says.

import type { SetPut } from 'beckon/store'
import { endedOf } from '../asks/happening.js'
import type { Happened } from '../model/happened.js'
import type { Audience, Policy } from '../model/policy.js'
import { answeredBy } from '../model/reduce.js'
import type { Ask, Session } from '../model/session.js'
import type { Hook, WebhookEvent } from './hook.js'
import type { ToldAsk } from './told-ask.js'

/** What happened; when others are asked instead, the ask is new to some hooks, and gone for others. */
type OutboxEvent = WebhookEvent | 'joined' | 'left'

/** One thing that a hook is to be told. */
export interface OutboxEntry {
  readonly session: string
  /** The place of the ask among those of its session. */
  readonly number: number
  readonly instance: string
  readonly event: OutboxEvent
  /** The id of the ask; absent where it is too long for a name. */
  readonly ask?: string
}

const maxMember = 256
/** What happens to an ask in the same millisecond is told in this order. */
const phases: Readonly<Record<OutboxEvent, number>> = {
  asked: 0,
  left: 1,
  joined: 1,
  answered: 2,
  withdrawn: 2,
  expired: 2,
  reported: 3,
}
const numberChars = 7

export function outboxOf(hook: Hook): string {
  return `webhooks/${hook.id}`
}

/** The names of what a hook is told of an event. */
export function outboxNames(hook: Hook, happened: Happened): SetPut[] {
  const { id: session, event } = happened
  return toldTo(hook, happened).map(({ ask, what }) => ({
    set: outboxOf(hook),
    member: encodeEntry({ session, number: ask.number, instance: ask.instance, event: what, ask: ask.id }),
    score: event.at,
  }))
}

/** As a name of its own. Names of the same time are in the order of the asks of a session, and of what happened to each. */
export function encodeEntry({ session, number, instance, event, ask }: OutboxEntry): string {
  const place = `${number.toString(36).padStart(numberChars, '0')}.${phases[event]}`
  const short = `${session}/${place}/${instance}/${event}`
  const long = `${short}/${encodeURIComponent(ask ?? '')}`
  return long.length <= maxMember ? long : short
}

export function decodeEntry(member: string): OutboxEntry | undefined {
  const [session, place, instance, event, ask] = member.split('/')
  if (session === undefined || place === undefined || instance === undefined || !isOutboxEvent(event)) return undefined
  const number = Number.parseInt(place, 36)
  return { session, number, instance, event, ...(ask && { ask: decodeURIComponent(ask) }) }
}

/** Whether what an entry says has happened to its ask. */
export function hasHappened({ event }: OutboxEntry, { isEscalated, ended, status }: ToldAsk): boolean {
  if (event === 'asked') return true
  if (event === 'joined' || event === 'left') return isEscalated
  return event === 'reported' ? status !== undefined : ended?.event === event
}

/** The asks of an event that a hook stands for, and what it is told of each. */
function toldTo({ events, audience }: Hook, happened: Happened): { readonly ask: Ask; readonly what: OutboxEvent }[] {
  const isFor = (ask: Ask) => audience === undefined || meet(ask.policy, audience)
  return candidates(happened).filter(({ ask, what, instead }) => {
    const asWebhook = what === 'joined' ? 'asked' : what === 'left' ? 'withdrawn' : what
    return events.has(asWebhook) && isFor(ask) && !(instead && isFor(instead))
  })
}

interface Candidate {
  readonly ask: Ask
  readonly what: OutboxEvent
  /** The ask as it is for others: whom it is for both times is told nothing. */
  readonly instead?: Ask
}

function candidates({ event, before, after }: Happened): Candidate[] {
  switch (event.type) {
    case 'asked':
      return found(after, event.request.id).map(ask => ({ ask, what: 'asked' }))
    case 'askEnded': {
      const answered = answeredBy(event)
      const { event: what } = endedOf({
        response: event.response,
        ...(answered !== undefined && { by: answered }),
        ...(event.rule !== undefined && { rule: event.rule }),
        ...(event.isExpired && { isExpired: true }),
      })
      return found(before, event.ask).map(ask => ({ ask, what }))
    }
    case 'reported':
      if (after?.report === undefined || before?.report !== undefined) return []
      return after.ended.map(ask => ({ ask, what: 'reported' as const }))
    case 'delegated':
    case 'escalated': {
      const [was] = found(before, event.ask)
      const [is] = found(after, event.ask)
      if (was === undefined || is === undefined) return []
      return [
        { ask: was, what: 'left', instead: is },
        { ask: is, what: 'joined', instead: was },
      ]
    }
    case 'turnEnded':
    case 'truncated':
      return [...(before?.open.values() ?? [])].map(ask => ({ ask, what: 'withdrawn' as const }))
    default:
      return []
  }
}

function isOutboxEvent(event: string | undefined): event is OutboxEvent {
  return event !== undefined && Object.hasOwn(phases, event)
}

function found(session: Session | undefined, id: string): Ask[] {
  const ask = session?.open.get(id)
  return ask === undefined ? [] : [ask]
}

/** Whether someone of an audience may answer. */
function meet({ owner, audience: wanted }: Policy, { principals = [], groups = [] }: Audience): boolean {
  if (owner !== undefined) return principals.includes(owner)
  if (wanted === undefined) return true
  const isWanted = principals.some(principal => wanted.principals?.includes(principal))
  return isWanted || groups.some(group => wanted.groups?.includes(group))
}
