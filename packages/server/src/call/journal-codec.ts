// The journal as a state carries it. A state goes to the client and back with every round, so what a round costs grows with
// the journal before it: hence a third of the plain JSON, and a text that is added to and never made anew.
import type { JsonValue } from '../store/index.js'
import { type AskMark, askEntry, type Entry, type Reply, type Thrown } from './journal.js'

type Mark = [digest: string, nth: number, position: number, from: number]
type Key = [key?: string]

/** By their first letter: accepted with content, any other outcome, a result, expired, a reply of which there is more to say; and steps. */
type EncodedEntry =
  | ['a', ...Mark, content: JsonValue, ...Key]
  | ['o', ...Mark, action: 'decline' | 'cancel', reason: string | null, ...Key]
  | ['r', ...Mark, result: JsonValue, ...Key]
  | ['x', ...Mark, ...Key]
  | ['w', ...Mark, reply: Reply, ...Key]
  | ['s', name: string, nth: number, from: number, result: JsonValue, thrown?: Thrown]

/** The text of a journal, with entries added to it; of an empty one, the empty text. */
export function addToJournal(text: string, entries: readonly Entry[]): string {
  if (entries.length === 0) return text
  const added = JSON.stringify(entries.map(encodeEntry)).slice(1, -1)
  return text === '' ? added : `${text},${added}`
}

export function decodeJournal(text: string): Entry[] {
  // Only this server can have sealed it, in this format.
  return (JSON.parse(`[${text}]`) as EncodedEntry[]).map(decodeEntry)
}

function encodeEntry(entry: Entry): EncodedEntry {
  if (entry.kind === 'step') {
    const { name, nth, from, result, thrown } = entry
    return thrown === undefined ? ['s', name, nth, from, result] : ['s', name, nth, from, result, thrown]
  }
  const { digest, nth, position, from, reply } = entry
  const mark: Mark = [digest, nth, position, from]
  const key: Key = entry.key === undefined ? [] : [entry.key]
  if (reply.kind === 'expired') return ['x', ...mark, ...key]
  if (reply.kind === 'result') return ['r', ...mark, reply.result, ...key]
  if (reply.kind === 'discounted' || hasMore(reply)) return ['w', ...mark, reply, ...key]
  const { outcome } = reply
  if (outcome.action === 'accept') return ['a', ...mark, outcome.content, ...key]
  return ['o', ...mark, outcome.action, (outcome.action === 'decline' && outcome.reason) || null, ...key]
}

function decodeEntry(encoded: EncodedEntry): Entry {
  switch (encoded[0]) {
    case 's': {
      const [, name, nth, from, result, thrown] = encoded
      return { kind: 'step', name, nth, from, result, ...(thrown && { thrown }) }
    }
    case 'x': {
      const [, digest, nth, position, from, key] = encoded
      return decoded({ digest, nth, position }, from, key, { kind: 'expired' })
    }
    case 'w': {
      const [, digest, nth, position, from, reply, key] = encoded
      return decoded({ digest, nth, position }, from, key, reply)
    }
    case 'r': {
      const [, digest, nth, position, from, result, key] = encoded
      return decoded({ digest, nth, position }, from, key, { kind: 'result', result })
    }
    case 'a': {
      const [, digest, nth, position, from, content, key] = encoded
      return decoded({ digest, nth, position }, from, key, { kind: 'outcome', outcome: { action: 'accept', content } })
    }
    case 'o': {
      const [, digest, nth, position, from, action, reason, key] = encoded
      const outcome = action === 'decline' && reason !== null ? { action, reason } : { action }
      return decoded({ digest, nth, position }, from, key, { kind: 'outcome', outcome })
    }
  }
}

/** Whether an outcome says more than what most do. */
function hasMore({ outcome, afterFloor, unasked }: Extract<Reply, { kind: 'outcome' }>): boolean {
  return (
    afterFloor !== undefined ||
    unasked !== undefined ||
    outcome.by !== undefined ||
    outcome.receipt !== undefined ||
    ('why' in outcome && outcome.why !== undefined)
  )
}

function decoded(mark: AskMark, from: number, key: string | undefined, reply: Reply): Entry {
  return askEntry(key === undefined ? mark : { ...mark, key }, from, reply)
}
