import { type ActiveTurn, type InputRequestPart, type ResponsePart, SessionStatus, type Turn } from '@beckon/core/chat'
import type { Accepted } from '../log/act.js'
import { policyOf, type SessionRecord } from '../state/session-record.js'
import { mayAnswer, type Person } from './policy.js'

/** A session as someone may see it: without the asks that are not for them. */
export function seenBy(record: SessionRecord, person: Person): SessionRecord {
  const hidden = new Set(
    Object.entries(record.policies).flatMap(([id, policy]) => (mayAnswer(policy, person) ? [] : [id])),
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
    ...record,
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

/** Whether someone may see a line. Lines that are about no ask are for everyone. */
export function isSeenBy({ act }: Accepted, record: SessionRecord | undefined, person: Person): boolean {
  const id = requestOf(act)
  const policy = id === undefined || record === undefined ? undefined : policyOf(record, id)
  return policy === undefined || mayAnswer(policy, person)
}

function requestOf(act: Accepted['act']): string | undefined {
  switch (act.type) {
    case 'inputRequested':
    case 'inputNeededSet':
      return act.request.id
    case 'inputAnswerChanged':
    case 'inputCompleted':
      return act.requestId
    case 'inputNeededRemoved':
      return act.id
    default:
      return undefined
  }
}

function withoutParts<T extends ActiveTurn | Turn>(turn: T, hidden: ReadonlySet<string>): T {
  return {
    ...turn,
    responseParts: turn.responseParts.filter(part => !(isRequest(part) && hidden.has(part.request.id))),
  }
}

function isRequest(part: ResponsePart): part is InputRequestPart {
  return part.kind === 'inputRequest'
}
