import type { Clock } from 'beckon'
import type { AskIndex, Name } from '../index/ask-index.js'
import { staleMs } from '../index/names.js'
import type { Sessions } from './sessions.js'
import type { Waiters } from './waiters.js'

export interface EndedElsewhereOptions {
  readonly sessions: Sessions
  readonly index: AskIndex
  readonly waiters: Waiters
  readonly clock: Clock
}

/** How often it is looked for what nobody gave a hint of. */
const lookEveryMs = 5_000
const pageNames = 100
/** How often it is looked for what should have ended, how long before, and at how many sessions at once. */
const overdueEveryMs = 60_000
const overdueMs = 30_000
const maxOverdue = 100

/**
 * Brings to those who wait on this node what ended on another: its name is here before it ends, and goes when it was seen. One
 * that somebody else waits for by now, or that the store lost, has no name here: it is looked for when its time is over.
 */
export class EndedElsewhere {
  readonly #options: EndedElsewhereOptions
  readonly #stopHints: () => void
  #stopTimer: () => void
  #overdueAt: number
  #isLooking = false
  #again = false
  #isClosed = false

  constructor(options: EndedElsewhereOptions) {
    this.#options = options
    this.#overdueAt = options.clock.now() + overdueEveryMs
    this.#stopHints = options.sessions.hints.onEnded(() => void this.#look())
    this.#stopTimer = this.#lookLater()
  }

  close(): void {
    this.#isClosed = true
    this.#stopHints()
    this.#stopTimer()
  }

  #lookLater(): () => void {
    return this.#options.clock.after(lookEveryMs, () => {
      this.#stopTimer = this.#lookLater()
      if (this.#options.waiters.size > 0) void this.#look()
    })
  }

  async #look(): Promise<void> {
    this.#again = true
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      while (this.#again && !this.#isClosed) {
        this.#again = false
        let last = await this.#page(undefined)
        while (last !== undefined) last = await this.#page(last)
      }
      await this.#lookForOverdue()
    } catch {
      // The store is away: there is a next time.
    } finally {
      this.#isLooking = false
    }
  }

  async #lookForOverdue(): Promise<void> {
    const { sessions, waiters, clock } = this.#options
    const now = clock.now()
    if (now < this.#overdueAt || this.#isClosed) return
    this.#overdueAt = now + overdueEveryMs
    for (const id of waiters.overdue(now - overdueMs).slice(0, maxOverdue))
      waiters.check(id, await sessions.refresh(id))
  }

  /** Looks at some names, behind those that were looked at; the last of them, where there may be more. */
  async #page(after: Name | undefined): Promise<Name | undefined> {
    const { index, sessions, waiters, clock } = this.#options
    const names = await index.endedElsewhere(pageNames, after)
    await Promise.all(
      names.map(async name => {
        const session = await sessions.refresh(name.session)
        waiters.check(name.session, session)
        const isOpen = session && [...session.open.values()].some(({ instance }) => instance === name.instance)
        // Its append is on its way, or, after so long, will never come.
        if (!isOpen || clock.now() - name.at > staleMs) await index.seenEnded(name)
      }),
    )
    return names.length < pageNames || this.#isClosed ? undefined : names.at(-1)
  }
}
