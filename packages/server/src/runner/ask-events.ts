// What becomes of an ask, as the log of its call has it.
import type { Ending, OpenAsk } from '../call/ask.js'
import { type AskMark, askEntry, isSameAsk, type Reply } from '../call/journal.js'
import type { AnsweredAsk, CallEvent } from '../log/events.js'
import type { CallState } from '../log/reduce.js'

type Answer = Exclude<Ending, { kind: 'failed' }>

/** That it is open, or goes over another wire now; undefined where the log has that, or its answer. */
export function askedEvent({ open, entries }: CallState, ask: OpenAsk, at: number): CallEvent | undefined {
  // It may have been answered in its round while it was on its way here.
  if (entries.some(entry => entry.kind === 'ask' && isSameAsk(entry, ask.mark))) return undefined
  const known = open.find(({ id }) => id === ask.id)
  if (known === undefined) return { kind: 'asked', ask, at }
  return known.wire === ask.wire ? undefined : { kind: 'moved', ask: ask.id, wire: ask.wire, at }
}

export function answeredEvent(ask: OpenAsk, answer: Answer, at: number): CallEvent {
  return answer.kind === 'expired'
    ? { kind: 'expired', ask: ask.id, at }
    : { kind: 'answered', entries: [answeredAsk(ask, ask.mark, answer)], at }
}

/** What an answer adds to the journal. */
export function answeredAsk({ id, from }: Pick<OpenAsk, 'id' | 'from'>, mark: AskMark, reply: Reply): AnsweredAsk {
  return Object.assign(askEntry(mark, from, reply), { ask: id })
}
