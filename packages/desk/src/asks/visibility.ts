import { type ActiveTurn, type InputRequestPart, type ResponsePart, SessionStatus, type Turn } from '@beckon/core/chat'
import { type Accepted, requestOf } from '../log/act.js'
import type { SessionRecord } from '../state/session-record.js'
import type { SessionStates } from '../state/session-states.js'
import { askKey } from './ask-key.js'
import { type Former, lastSeenBy, mayAnswer, type Person, type Policy, policyBefore } from './policy.js'

/** A session as someone may see it: without the asks that are not for them. One that was is there as it was told: withdrawn. */
export function seenBy(record: SessionRecord, person: Person): SessionStates {
  const hidden: Hidden = new Map(
    [...record.policies].flatMap(([id, policy]) =>
      mayAnswer(policy, person) ? [] : [[id, lastSeenBy(policy, person)]],
    ),
  )
  if (hidden.size === 0) return record
  const { older, chat, summary } = record
  const { inputRequests = [], ...rest } = older
  const left = inputRequests.filter(({ id }) => !hidden.has(id))
  const { inputNeeded = [], ...others } = summary
  const needed = inputNeeded.filter(({ id }) => !hidden.has(id))
  // Nothing is needed from someone who sees nothing open.
  const seen = (status: number) => (left.length > 0 ? status : status & ~waiting)
  const shown = { ...rest, summary: { ...rest.summary, status: seen(rest.summary.status) } }
  const mirror = { ...others, status: seen(others.status) }
  return {
    older: left.length > 0 ? { ...shown, inputRequests: left } : shown,
    chat: {
      ...chat,
      status: seen(chat.status),
      turns: chat.turns.map(turn => withoutParts(turn, hidden)),
      ...(chat.activeTurn && { activeTurn: withoutParts(chat.activeTurn, hidden) }),
    },
    summary: needed.length > 0 ? { ...mirror, inputNeeded: needed } : mirror,
  }
}

/** The bit that says that someone is waited for. */
const waiting = SessionStatus.inputNeeded & ~SessionStatus.inProgress

/** What a line is to someone: an ask may come into their sight, or go out of it. */
export type Sight = 'seen' | 'appears' | 'goes' | 'hidden'

/** Tells of each of some lines what it was to someone when it happened. Lines that are about no ask are for everyone. */
export function sightsIn(
  lines: readonly Accepted[],
): (line: Accepted, record: SessionRecord | undefined) => (person: Person) => Sight {
  const policyThen = formerPolicies(lines)
  return ({ session, act, seq }, record) => {
    const id = requestOf(act)
    const policy = id === undefined ? undefined : (policyThen(session, id, seq) ?? record?.policies.get(id))
    if (policy === undefined) return () => 'seen'
    const before = act.type === 'audienceChanged' ? policyBefore(policy) : undefined
    if (before === undefined) return person => (mayAnswer(policy, person) ? 'seen' : 'hidden')
    return person => {
      const isFor = mayAnswer(policy, person)
      if (isFor === mayAnswer(before, person)) return 'hidden'
      return isFor ? 'appears' : 'goes'
    }
  }
}

/** What held for an ask at a line, where it is for others since; undefined when nothing among the lines says so. */
export function formerPolicies(
  lines: readonly Accepted[],
): (session: string, request: string, seq: number) => Policy | undefined {
  const changes = new Map<string, { readonly seq: number; readonly before: Policy | undefined }>()
  for (const { session, act, seq } of lines)
    if (act.type === 'audienceChanged')
      changes.set(askKey(session, act.requestId), { seq, before: policyBefore(act.policy) })
  return (session, request, seq) => {
    const change = changes.size === 0 ? undefined : changes.get(askKey(session, request))
    return change !== undefined && seq < change.seq ? change.before : undefined
  }
}

/** By request id; with what someone saw last of it, if they ever did. */
type Hidden = ReadonlyMap<string, Former | undefined>

function withoutParts<T extends ActiveTurn | Turn>(turn: T, hidden: Hidden): T {
  return { ...turn, responseParts: turn.responseParts.flatMap(part => seenPart(part, hidden)) }
}

function seenPart(part: ResponsePart, hidden: Hidden): ResponsePart[] {
  if (!isRequest(part) || !hidden.has(part.request.id)) return [part]
  const former = hidden.get(part.request.id)
  return former === undefined ? [] : [{ ...part, request: former.request, response: 'cancel' }]
}

function isRequest(part: ResponsePart): part is InputRequestPart {
  return part.kind === 'inputRequest'
}
