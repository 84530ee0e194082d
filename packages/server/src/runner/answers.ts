// What a client has brought for its asks, and what the log of a call has of them.
import type { Ending, OpenAsk } from '../call/ask.js'
import { type AnsweredAt, counted } from '../call/counted.js'
import { type AskMark, askEntry, type Entry, isSameAsk, type Reply } from '../call/journal.js'
import { digest } from '../crypto/digest.js'
import type { AnsweredAsk, CallEvent } from '../log/events.js'
import type { CallState } from '../log/reduce.js'
import type { CallRequest } from './call-request.js'
import type { OpenMark } from './request-states.js'

/** An ask, and how it ended. */
export type Answered = readonly [OpenMark, Reply]

/** What the answers of a request come to, for the asks that are open; an ask whose time is over has expired. */
export function readReplies(
  open: readonly OpenMark[],
  request: Pick<CallRequest<unknown>, 'readReply'>,
  now: number,
): Answered[] {
  const answered: Answered[] = []
  for (const mark of open) {
    const reply: Reply | undefined = now >= mark.expiresAt ? { kind: 'expired' } : request.readReply(mark.ask, mark.id)
    if (reply !== undefined) answered.push([mark, reply])
  }
  return answered
}

/** Of all that a request brings for the asks of a round, whether their time is over or not. */
export function digestOfSent(open: readonly OpenMark[], request: Pick<CallRequest<unknown>, 'readReply'>): string {
  return digestOf(readReplies(open, request, Number.NEGATIVE_INFINITY))
}

/** What of the answers counts. What the log has of an ask was decided when its answer came first. */
export function judged(answered: readonly Answered[], known: Pick<CallState, 'entries'>, at: AnsweredAt): Answered[] {
  return answered.map(([mark, reply]) => [mark, loggedReply(mark, known) ?? counted(mark, reply, at)])
}

/** What answers add to a log that may have some of them. */
export function newEntries(answered: readonly Answered[], known: Pick<CallState, 'entries'>): AnsweredAsk[] {
  return answered.filter(([mark]) => loggedReply(mark, known) === undefined).map(entryOf)
}

/** Those that a log does not have: an append that seemed to fail may have written them. */
export function missingIn(known: Pick<CallState, 'entries'>, entries: readonly Entry[]): Entry[] {
  const steps = new Set(known.entries.map(stepId))
  return entries.filter(entry =>
    entry.kind === 'step' ? !steps.has(stepId(entry)) : loggedReply(entry, known) === undefined,
  )
}

function loggedReply(mark: AskMark, { entries }: Pick<CallState, 'entries'>): Reply | undefined {
  if (entries.length === 0) return undefined
  const entry = entries.find(known => known.kind === 'ask' && isSameAsk(known, mark))
  return entry?.kind === 'ask' ? entry.reply : undefined
}

/** That it is open, or goes over another wire now; undefined where the log has that, or its answer. */
export function askedEvent({ open, entries }: CallState, ask: OpenAsk, at: number): CallEvent | undefined {
  // It may have been answered in its round while it was on its way here.
  if (entries.some(entry => entry.kind === 'ask' && isSameAsk(entry, ask.mark))) return undefined
  const known = open.find(({ id }) => id === ask.id)
  if (known === undefined) return { kind: 'asked', ask, at }
  return known.wire === ask.wire ? undefined : { kind: 'moved', ask: ask.id, wire: ask.wire, at }
}

export function answeredEvent(ask: OpenAsk, answer: Exclude<Ending, { kind: 'failed' }>, at: number): CallEvent {
  return answer.kind === 'expired'
    ? { kind: 'expired', ask: ask.id, at }
    : { kind: 'answered', entries: [answeredAsk(ask, ask.mark, answer)], at }
}

/** What the answer to a mark adds to the journal. */
function entryOf([mark, reply]: Answered): AnsweredAsk {
  return answeredAsk(mark, mark, reply)
}

/** What an answer adds to the journal. */
export function answeredAsk({ id, from }: Pick<OpenAsk, 'id' | 'from'>, mark: AskMark, reply: Reply): AnsweredAsk {
  return Object.assign(askEntry(mark, from, reply), { ask: id })
}

/** Of what the client sent. What has expired beside it is not an answer, and depends on whose clock it is. */
export function digestOf(answered: readonly Answered[]): string {
  const sent: [string, Reply][] = []
  for (const [{ id }, reply] of answered) if (reply.kind !== 'expired') sent.push([id, reply])
  return digest(sent)
}

/** Of a round in which nobody answered anything: any answer that comes later is to something that is over. */
export const noAnswers: string = digest([])

/** A journal with what came after it was sealed. */
export function joined(entries: readonly Entry[], logged: readonly Entry[]): Entry[] {
  return [...entries, ...missingIn({ entries }, logged)]
}

/** Those that a client is asked in a round. */
export function clientAsks(open: readonly OpenAsk[]): OpenAsk[] {
  const asks = open.filter(({ wire }) => wire === 'rounds')
  // What is filtered has room to grow, which would be more for a suspended call to keep.
  return asks.slice()
}

/** What a replay did not come back to, in words for the author. */
export function describeMiss(target: string, unreached: readonly Entry[]): string {
  const [first] = unreached
  const what =
    first?.kind === 'step'
      ? `the step "${first.name}"`
      : first?.key === undefined
        ? `ask ${(first?.position ?? 0) + 1}`
        : `the ask "${first.key}"`
  return `"${target}" was run again several times and did not come back to ${what}, which was answered before`
}

function stepId(entry: Entry): string | undefined {
  if (entry.kind !== 'step') return undefined
  // One that failed may have been tried again.
  return `${entry.nth} ${entry.thrown === undefined ? '' : entry.from} ${entry.name}`
}
