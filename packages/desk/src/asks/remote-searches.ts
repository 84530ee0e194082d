// Searches for servers in other processes. A server that waits for the outcome of an ask is told there what someone types, and says what it
// found in a request of its own; so nothing reaches into a server. Threats: words that nobody fetches, and a server that says too
// much. An ask has so many searches at a time, each waits for seconds, and of what was found a bounded number of short texts counts.
//
// A node knows of the servers that wait at it. Someone who types on another node of the desk goes on without.
import { randomBytes } from 'node:crypto'
import { isRecord } from '@beckon/core/json-rpc'
import { type FoundOption, maxSearchChars } from '@beckon/core/widgets'
import type { Clock } from 'beckon'
import { maxOptions } from './option-finders.js'

/** Words that someone typed, for the server whose ask it is. */
export interface RemoteSearch {
  readonly id: string
  readonly search: string
}

interface Pending extends RemoteSearch {
  isFetched: boolean
  end(options?: readonly FoundOption[]): void
}

/** The searches of one ask whose server waits for it. */
interface Attended {
  readonly pending: Map<string, Pending>
  readonly wake: Set<() => void>
}

interface AskPlace {
  readonly session: string
  readonly ask: string
}

const maxPending = 16
/** As long as a person waits for a list. */
const answerMs = 5_000
/** Between two requests of a server that waits. */
const returnMs = 2_000
const maxTextChars = 1_000

export class RemoteSearches {
  readonly #clock: Clock
  readonly #asks = new Map<string, Attended>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** What is found by the server of an ask; undefined where none waits for it, or says nothing in time. */
  find(place: AskPlace, search: string): Promise<readonly FoundOption[] | undefined> {
    const attended = this.#asks.get(keyOf(place))
    if (attended === undefined || attended.pending.size >= maxPending) return Promise.resolve(undefined)
    return new Promise(resolve => {
      const id = randomBytes(12).toString('base64url')
      const stopTimer = this.#clock.after(answerMs, () => pending.end())
      const pending: Pending = {
        id,
        search: search.slice(0, maxSearchChars),
        isFetched: false,
        end(options) {
          stopTimer()
          attended.pending.delete(id)
          resolve(options)
        },
      }
      attended.pending.set(id, pending)
      for (const wake of attended.wake) wake()
    })
  }

  /** The next search for the server of an ask, which waits for it; undefined when it is told to wait no more. */
  async next(place: AskPlace, signal: AbortSignal): Promise<RemoteSearch | undefined> {
    const key = keyOf(place)
    const attended = this.#asks.get(key) ?? { pending: new Map(), wake: new Set() }
    this.#asks.set(key, attended)
    let wake = () => {}
    try {
      for (;;) {
        const found = [...attended.pending.values()].find(({ isFetched }) => !isFetched)
        if (found !== undefined && !signal.aborted) {
          found.isFetched = true
          return { id: found.id, search: found.search }
        }
        if (signal.aborted) return undefined
        await new Promise<void>(resolve => {
          wake = resolve
          attended.wake.add(wake)
          signal.addEventListener('abort', wake, { once: true })
        })
        attended.wake.delete(wake)
        signal.removeEventListener('abort', wake)
      }
    } finally {
      attended.wake.delete(wake)
      this.#forgetLater(key, attended)
    }
  }

  /** What a server found; false when nobody waits for it any more. */
  found(place: AskPlace, id: string, options: unknown): boolean {
    const pending = this.#asks.get(keyOf(place))?.pending.get(id)
    pending?.end(optionsIn(options))
    return pending !== undefined
  }

  /** A server that comes back in a moment is waited for. */
  #forgetLater(key: string, attended: Attended): void {
    this.#clock.after(returnMs, () => {
      if (attended.wake.size > 0 || this.#asks.get(key) !== attended) return
      this.#asks.delete(key)
      for (const pending of attended.pending.values()) if (!pending.isFetched) pending.end()
    })
  }
}

function keyOf({ session, ask }: AskPlace): string {
  return JSON.stringify([session, ask])
}

function optionsIn(given: unknown): FoundOption[] | undefined {
  if (!Array.isArray(given)) return undefined
  return given.slice(0, maxOptions).flatMap(option => {
    const { value, label } = isRecord(option) ? option : {}
    const isShort = (text: unknown): text is string => typeof text === 'string' && text.length <= maxTextChars
    return isShort(value) && isShort(label) ? [{ value, label }] : []
  })
}
