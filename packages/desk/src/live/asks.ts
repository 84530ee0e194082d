// Every ask of the desk on one channel, so that whoever watches them all need not listen to every session.
import type { AskEntry, AsksAction, AsksState } from '@beckon/core/asks'
import type { ActiveTurn, InputRequest, Turn } from '@beckon/core/chat'
import { lastSeenBy, mayAnswer, type Person, type Policy } from '../asks/policy.js'
import type { Accepted } from '../log/act.js'
import type { DeskState } from '../state/desk-state.js'
import type { SessionRecord } from '../state/session-record.js'
import { asksChannel } from './channel.js'
import type { Addressed } from './envelope.js'

/** How many asks that ended someone gets to see. */
const keptEnded = 500

/** Every open ask that someone may see, and the last that ended. */
export function asksSeenBy(state: DeskState, person: Person): AsksState {
  const open: AskEntry[] = []
  const ended: AskEntry[] = []
  for (const record of state.sessions()) {
    for (const ask of entriesOf(record, person)) (ask.ending === undefined ? open : ended).push(ask)
  }
  const kept = ended.sort((a, b) => endOf(b) - endOf(a)).slice(0, keptEnded)
  return { asks: [...kept, ...open].sort((a, b) => a.askedAt - b.askedAt) }
}

/** What a line is on the channel of all asks. */
export function addressedToAll(line: Accepted, record: SessionRecord | undefined): Addressed[] {
  const action = record && asksAction(line, record)
  return action === undefined ? [] : [{ channel: asksChannel, action }]
}

function asksAction({ session, act, at, by }: Accepted, record: SessionRecord): AsksAction | undefined {
  const who = by && { by: by.principal }
  switch (act.type) {
    case 'inputRequested':
      return { type: 'asks/asked', ask: entryOf(record, act.request, act.policy) }
    case 'inputAnswerChanged':
      return { ...act, type: 'asks/answerChanged', session, ...who }
    case 'inputCompleted': {
      const { requestId, response, answers, reason } = act
      const ending = { response, at, ...who, ...(reason !== undefined && { reason }) }
      return { type: 'asks/ended', session, requestId, ending, ...(answers && { answers }) }
    }
    case 'turnComplete':
      return { type: 'asks/turnEnded', session, turn: 'complete', at }
    case 'turnCancelled':
    case 'truncated':
      return { type: 'asks/turnEnded', session, turn: 'cancelled', at }
    case 'error':
      return { type: 'asks/turnEnded', session, turn: 'error', at }
    default:
      return undefined
  }
}

function* entriesOf(record: SessionRecord, person: Person): Generator<AskEntry> {
  const { turns, activeTurn } = record.chat
  for (const turn of turns) yield* entriesIn(record, person, turn)
  if (activeTurn !== undefined) yield* entriesIn(record, person, activeTurn)
}

function* entriesIn(record: SessionRecord, person: Person, turn: ActiveTurn | Turn): Generator<AskEntry> {
  for (const part of turn.responseParts) {
    const policy = part.kind === 'inputRequest' ? record.policies.get(part.request.id) : undefined
    if (part.kind !== 'inputRequest' || policy === undefined) continue
    const over = 'state' in turn ? { turn: turn.state } : undefined
    const former = lastSeenBy(policy, person)
    if (former !== undefined) {
      yield { ...entryOf(record, former.request, policy), ending: { response: 'cancel', at: former.at }, ...over }
    } else if (mayAnswer(policy, person)) {
      const { answers: _, ...ending } = record.endings.get(part.request.id) ?? { answers: {}, at: endedAt(turn) }
      yield { ...entryOf(record, part.request, policy), ...((part.response ?? over) && { ending }), ...over }
    }
  }
}

function entryOf(record: SessionRecord, request: InputRequest, { expiresAt, quorum = 1 }: Policy): AskEntry {
  const { id: session, server, title } = record
  const askedAt = record.askedAt.get(request.id) ?? record.bare.older.summary.createdAt
  return { session, server, title, request, askedAt, expiresAt, ...(quorum > 1 && { quorum }) }
}

function endedAt(turn: ActiveTurn | Turn): number {
  const { duration = 0 } = 'state' in turn ? turn : {}
  return (Date.parse(turn.startedAt ?? '') || 0) + duration
}

function endOf({ ending }: AskEntry): number {
  return ending?.at ?? 0
}
