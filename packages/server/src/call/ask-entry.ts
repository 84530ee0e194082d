import type { AskEntry, AskMark, Reply } from './journal.js'

/** The entry for an ask that has its reply. */
export function askEntry({ key, digest, nth, position }: AskMark, from: number, reply: Reply): AskEntry {
  // Written out: on this path a spread costs more than everything else about it.
  return key === undefined
    ? { kind: 'ask', digest, nth, position, from, reply }
    : { kind: 'ask', key, digest, nth, position, from, reply }
}
