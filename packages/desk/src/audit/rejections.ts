import type { NewEntry } from './entry.js'

interface Minute {
  readonly minute: number
  count: number
  /** The last one that is not in the audit. */
  omitted: NewEntry | undefined
  omittedCount: number
}

const minuteMs = 60_000
/** Of one person's refusals in a minute, so many are recorded: the rest of a flood says nothing more. */
const maxPerMinute = 30
/** People who are counted; the one refused longest ago goes first. */
const maxPeople = 10_000

/** Keeps a flood of refusals from filling the audit: what is left out of a minute is one entry that says how much that was. */
export class Rejections {
  readonly #people = new Map<string, Minute>()

  /** What is to be recorded for a refusal: itself, nothing, or what was left out of an earlier minute before it. */
  take(entry: NewEntry): NewEntry[] {
    const who = entry.by?.principal ?? ''
    const minute = Math.floor(entry.at / minuteMs)
    const known = this.#people.get(who)
    const isSame = known?.minute === minute
    const summary = isSame ? [] : this.#summaryOf(known)
    const current = isSame ? known : { minute, count: 0, omitted: undefined, omittedCount: 0 }
    this.#people.delete(who)
    this.#people.set(who, current)
    if (++current.count > maxPerMinute) {
      current.omitted = entry
      current.omittedCount++
      return summary
    }
    return [...summary, entry, ...this.#dropOldest()]
  }

  /** What was left out of minutes that are over. */
  due(now: number): NewEntry[] {
    const minute = Math.floor(now / minuteMs)
    return [...this.#people].flatMap(([who, known]) => {
      if (known.minute >= minute) return []
      this.#people.delete(who)
      return this.#summaryOf(known)
    })
  }

  #dropOldest(): NewEntry[] {
    const [oldest] = this.#people
    if (this.#people.size <= maxPeople || oldest === undefined) return []
    this.#people.delete(oldest[0])
    return this.#summaryOf(oldest[1])
  }

  #summaryOf(minute: Minute | undefined): NewEntry[] {
    if (minute?.omitted === undefined) return []
    const { at, session, by } = minute.omitted
    const reason = `${minute.omittedCount} more were refused in this minute. The last of them is where this is.`
    return [{ event: 'rejected', at, session, ...(by && { by }), count: minute.omittedCount, reason }]
  }
}
