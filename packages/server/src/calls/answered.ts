// What a client has brought for the asks of a round.
import { askEntry } from '../call/ask-entry.js'
import type { Entry, Reply } from '../call/journal.js'
import { digest } from '../crypto/digest.js'
import type { Round } from './round.js'
import type { OpenMark } from './state.js'

/** An ask, and how it ended. */
export type Answered = readonly [OpenMark, Reply]

/** What the answers of a request come to, for the asks that are open; an ask whose time is over has expired. */
export function readReplies(
  open: readonly OpenMark[],
  { readReply }: Pick<Round<unknown, unknown>, 'readReply'>,
  now: number,
): Answered[] {
  return open.flatMap(mark => {
    if (now >= mark.expiresAt) return [[mark, { kind: 'expired' }] as const]
    const reply = readReply(mark.ask, mark.id)
    return reply === undefined ? [] : [[mark, reply] as const]
  })
}

/** What an answer adds to the journal. */
export function entryOf([mark, reply]: Answered): Entry {
  return askEntry(mark, mark.from, reply)
}

/** Of what the client sent. What has expired beside it is no answer, and depends on whose clock it is. */
export function digestOf(answered: readonly Answered[]): string {
  return digest(answered.flatMap(([{ id }, reply]) => (reply.kind === 'expired' ? [] : [[id, reply]])))
}

/** A journal with the steps that were finished after it was written down. */
export function joinSteps(entries: Entry[], steps: readonly Entry[]): Entry[] {
  const known = new Set(entries.map(stepId))
  return [...entries, ...steps.filter(entry => !known.has(stepId(entry)))]
}

function stepId(entry: Entry): string | undefined {
  return entry.kind === 'step' ? `${entry.nth} ${entry.name}` : undefined
}
