import type { OpenAsk } from '../call/ask.js'
import { askEntry, type Entry, isSameAsk } from '../call/journal.js'
import type { AnsweredAsk, CallEvent, CallRecord, CallResponse, Owner, RoundReply } from './events.js'

/** A round that was answered. */
export interface AnsweredRound {
  readonly number: number
  /** Of what the client sent. */
  readonly answers: string
  /** How much of the journal was there before it. */
  readonly from: number
  /** `forgotten` in memory, once it was let go. */
  readonly reply: RoundReply | 'forgotten' | undefined
}

/** A call as its log has it. */
export interface CallState {
  /** Undefined for a call that is not durable. */
  readonly record: CallRecord | undefined
  readonly owner: Owner | undefined
  /** The journal: what a replay needs. */
  readonly entries: readonly Entry[]
  /** Of a durable call. */
  readonly open: readonly OpenAsk[]
  readonly rounds: readonly AnsweredRound[]
  /** A round that was opened again, with the journal as it was: what came of its answers stands behind the same answers. */
  readonly reopened: (AnsweredRound & Pick<CallState, 'entries'>) | undefined
  /** Whether the owner goes on beside its open round, by what it last said. Of a call that is not durable. */
  readonly isClaimed: boolean
  readonly end: CallResponse | 'cancelled' | undefined
  /** Whether someone who asked for it has its result, or is about to: the same request is a new call. */
  readonly isDelivered: boolean
  readonly updatedAt: number
}

/**
 * What a log says of who is at a call. A run that gave one up is never at it again: a durable call; or, of any other, the round
 * that has no reply yet.
 */
export interface Claim extends Owner {
  readonly round: number | null
}

const none: readonly never[] = []

/** The state of a call before its first event. */
export const emptyCallState: CallState = {
  record: undefined,
  owner: undefined,
  entries: none,
  open: none,
  rounds: none,
  reopened: undefined,
  isClaimed: false,
  end: undefined,
  isDelivered: false,
  updatedAt: 0,
}

/** Of a call that is over, of which nothing else is kept: no event changes it. */
export const overCallState: CallState = { ...emptyCallState, end: 'cancelled', isDelivered: true }

/** Applies an event. An event that changes nothing returns the same state object. */
export function reduce(state: CallState, event: CallEvent): CallState {
  if (state.end !== undefined)
    return event.kind === 'delivered' && !state.isDelivered ? { ...state, isDelivered: true } : state
  const updatedAt = event.at
  switch (event.kind) {
    case 'begun': {
      if (state.record !== undefined) return state
      const { record, owner } = event
      return { ...state, record, owner, updatedAt }
    }
    case 'asked':
      return isOpen(state, event.ask.id) ? state : { ...state, open: state.open.concat(event.ask), updatedAt }
    case 'answered':
      return answer(state, event)
    case 'step':
      return { ...state, entries: state.entries.concat(event.entry), updatedAt }
    case 'claimed':
      return { ...state, owner: event.owner, isClaimed: true, updatedAt }
    case 'replied':
      return { ...state, rounds: withReply(state.rounds, event.round, event.reply), isClaimed: false, updatedAt }
    case 'reopened':
      return reopen(state, event.round, updatedAt)
    case 'moved':
      return {
        ...state,
        open: state.open.map(open => (open.id === event.ask ? { ...open, wire: event.wire } : open)),
        updatedAt,
      }
    case 'expired': {
      const open = state.open.find(({ id }) => id === event.ask)
      if (open === undefined) return state
      const entry = askEntry(open.mark, open.from, { kind: 'expired' })
      return { ...state, open: without(state.open, [open.id]), entries: state.entries.concat(entry), updatedAt }
    }
    case 'withdrawn':
      return isOpen(state, event.ask) ? { ...state, open: without(state.open, [event.ask]), updatedAt } : state
    case 'cancelled':
      return endWith(state, 'cancelled', updatedAt)
    case 'ended':
      return endWith(state, event.end, updatedAt)
    case 'delivered':
      return state
  }
}

export function isOpen({ open }: Pick<CallState, 'open'>, ask: string): boolean {
  return open.some(({ id }) => id === ask)
}

/** The answer to a round; undefined while nobody has given one, or when it was reopened. */
export function roundOf({ rounds }: Pick<CallState, 'rounds'>, number: number): AnsweredRound | undefined {
  return rounds.find(round => round.number === number)
}

/** Who is at a call, as its log has it. */
export function claimOf({ owner, record, rounds }: CallState): Claim | undefined {
  const round = record === undefined ? rounds.findLast(({ reply }) => reply === undefined)?.number : undefined
  return owner && { ...owner, round: round ?? null }
}

function answer(state: CallState, event: Extract<CallEvent, { kind: 'answered' }>): CallState {
  const { entries, round, answers, owner = state.owner, at } = event
  const added: Entry[] = []
  const asks: string[] = []
  for (const entry of entries) {
    if (isAnswered(entry)) {
      // In a durable call an ask is answered once; before that, its round is.
      if (state.record !== undefined && !isOpen(state, entry.ask)) continue
      asks.push(entry.ask)
    }
    added.push(entry)
  }
  const reopened = round !== undefined && state.reopened?.answers === answers ? state.reopened : undefined
  const rounds =
    round === undefined || answers === undefined
      ? state.rounds
      : state.rounds.concat({ number: round, answers, from: reopened?.from ?? state.entries.length, reply: undefined })
  if (added.length === 0 && rounds === state.rounds && owner === state.owner) return state
  // Written out: on this path a spread costs more than everything else about it.
  return {
    record: state.record,
    owner,
    entries: reopened === undefined ? state.entries.concat(added) : inPlace(state, reopened, added),
    open: asks.length > 0 ? without(state.open, asks) : state.open,
    rounds,
    reopened: round === undefined ? state.reopened : undefined,
    isClaimed: rounds === state.rounds && state.isClaimed,
    end: state.end,
    isDelivered: false,
    updatedAt: at,
  }
}

/** Nothing is replayed after an end: the journal goes with it. */
function endWith({ record, owner, rounds }: CallState, end: CallState['end'], updatedAt: number): CallState {
  return { ...emptyCallState, record, owner, rounds, end, updatedAt }
}

export function isAnswered(entry: AnsweredAsk | Entry): entry is AnsweredAsk {
  return entry.kind === 'ask' && 'ask' in entry
}

function withReply(rounds: readonly AnsweredRound[], number: number, reply: RoundReply): readonly AnsweredRound[] {
  return rounds.map(round => (round.number === number ? { ...round, reply } : round))
}

/**
 * Takes back the answers of the round. Steps that were finished since stay finished, and an answer that no person can have
 * given stays refused.
 */
function reopen(state: CallState, number: number, updatedAt: number): CallState {
  const round = roundOf(state, number)
  if (round === undefined || round.reply !== undefined) return state
  const { from } = round
  const entries = state.entries.filter((entry, index) => index < from || outlastsReopening(entry))
  const rounds = state.rounds.filter(other => other !== round)
  return { ...state, rounds, isClaimed: false, entries, reopened: { ...round, entries: state.entries }, updatedAt }
}

/** The journal with the answers to a round that was opened again in the place that they had. */
function inPlace(
  { entries }: CallState,
  before: NonNullable<CallState['reopened']>,
  added: readonly Entry[],
): readonly Entry[] {
  const left = new Set(added)
  let kept = 0
  const placed = before.entries.flatMap((entry, index) => {
    if (entries[kept] === entry) return entries[kept++] ?? []
    const again = added.find(other => entry.kind === 'ask' && other.kind === 'ask' && isSameAsk(entry, other))
    if (index < before.from || again === undefined || !left.delete(again)) return []
    return again
  })
  return [...placed, ...entries.slice(kept), ...left]
}

/** Whether an entry counts though its round was reopened. */
export function outlastsReopening(entry: Entry): boolean {
  return entry.kind === 'step' || entry.reply.kind === 'discounted'
}

function without(open: readonly OpenAsk[], ids: readonly string[]): readonly OpenAsk[] {
  return open.filter(({ id }) => !ids.includes(id))
}
