import { randomUUID } from 'node:crypto'
import type { AuditEvent, EntryDraft } from './entry.js'

interface Minute {
  readonly minute: number
  count: number
  /** The last one that is not in the audit. */
  omitted: EntryDraft['entry'] | undefined
  omittedCount: number
}

interface Bound {
  /** Of one person, in a minute. */
  readonly max: number
  readonly happened: string
}

const minuteMs = 60_000
/** What anyone can do as often as they like, and changes nothing: the rest of a flood says nothing more. */
const bounds: Partial<Record<AuditEvent, Bound>> = {
  rejected: { max: 30, happened: 'were refused' },
  viewed: { max: 300, happened: 'were looked at' },
}
/** People who are counted; the one who was counted longest ago goes first. */
const maxPeople = 10_000

/** Keeps a flood of refusals, or of looks, from filling the audit: what is left out of a minute is one entry that says how much that was. */
export class Floods {
  readonly #people = new Map<string, Minute>()

  /** What is to be recorded for something: itself, nothing, or what was left out of an earlier minute before it. */
  take(draft: EntryDraft): EntryDraft[] {
    const { event, at, by } = draft.entry
    const max = bounds[event]?.max
    if (max === undefined || by === undefined) return [draft]
    const who = JSON.stringify([event, by.principal])
    const minute = Math.floor(at / minuteMs)
    const known = this.#people.get(who)
    const isSame = known?.minute === minute
    const summary = isSame ? [] : summaryOf(known)
    const current = isSame ? known : { minute, count: 0, omitted: undefined, omittedCount: 0 }
    this.#people.delete(who)
    this.#people.set(who, current)
    if (++current.count > max) {
      current.omitted = draft.entry
      current.omittedCount++
      return summary
    }
    return [...summary, draft, ...this.#dropOldest()]
  }

  /** What was left out of minutes that are over. */
  due(now: number): EntryDraft[] {
    const minute = Math.floor(now / minuteMs)
    return [...this.#people].flatMap(([who, known]) => {
      if (known.minute >= minute) return []
      this.#people.delete(who)
      return summaryOf(known)
    })
  }

  #dropOldest(): EntryDraft[] {
    const [oldest] = this.#people
    if (this.#people.size <= maxPeople || oldest === undefined) return []
    this.#people.delete(oldest[0])
    return summaryOf(oldest[1])
  }
}

function summaryOf(minute: Minute | undefined): EntryDraft[] {
  if (minute?.omitted === undefined) return []
  const { omittedCount: count } = minute
  const { event, at, session, by } = minute.omitted
  const reason = `${count} more ${bounds[event]?.happened} in this minute. The last of them is where this is.`
  return [{ entry: { id: randomUUID(), event, at, session, ...(by && { by }), count, reason } }]
}
