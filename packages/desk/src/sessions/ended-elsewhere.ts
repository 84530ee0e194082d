import type { Clock } from 'beckon'
import type { AskIndex, Name } from '../index/ask-index.js'
import { memberOf, staleMs } from '../index/names.js'
import type { Sessions, Told } from './sessions.js'
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
/** How often it is looked for what nothing told of, and at how many sessions at once. */
const untoldEveryMs = 30_000
const maxUntold = 100
/** So long before, an ask should have ended. */
const overdueMs = 30_000
/** How often what is old is looked for, in the lists of all nodes. */
const forgetEveryMs = 60 * 60 * 1000

/**
 * Brings to those who wait on this node what ended on another: its name is here before it ends, and goes when it was seen. One
 * that somebody else waits for by now, or that the store lost, has no name here: it is looked for when its time is over, and
 * before that in turn with all others.
 */
export class EndedElsewhere {
  readonly #options: EndedElsewhereOptions
  readonly #stops: readonly (() => void)[]
  #stopTimer: () => void
  #untoldAt: number
  #forgetAt: number
  #isLooking = false
  #again = false
  #isClosed = false

  constructor(options: EndedElsewhereOptions) {
    this.#options = options
    this.#untoldAt = options.clock.now() + untoldEveryMs
    this.#forgetAt = options.clock.now() + forgetEveryMs
    this.#stops = [
      options.sessions.hints.onEnded(session => void this.#heardOf(session)),
      options.sessions.listen(told => this.#happened(told)),
      options.sessions.onReset(id => options.index.ended.unsee(id)),
    ]
    this.#stopTimer = this.#lookLater()
  }

  close(): void {
    this.#isClosed = true
    for (const stop of this.#stops) stop()
    this.#stopTimer()
  }

  #lookLater(): () => void {
    return this.#options.clock.after(lookEveryMs, () => {
      this.#stopTimer = this.#lookLater()
      if (this.#options.waiters.size > 0) void this.#look()
      if (this.#options.index.ended.hasSeen || this.#options.clock.now() >= this.#forgetAt) void this.#tidy()
    })
  }

  /** What was told by its node has no use for its name any more. */
  #happened({ id, before, after, isOwn }: Told): void {
    const { node, ended } = this.#options.index
    if (isOwn || before === undefined || before.open === after?.open) return
    for (const ask of before.open.values())
      if (ask.node === node && !after?.open.has(ask.id)) ended.seen(memberOf(id, ask))
  }

  /** A hint that was not taken, of a session in which something ended for this node. */
  async #heardOf(session: string): Promise<void> {
    await this.#check(session)
    await this.#look()
  }

  async #check(session: string): Promise<void> {
    const { sessions, waiters } = this.#options
    if (!waiters.isWaited(session)) return
    try {
      waiters.check(session, await sessions.refresh(session))
    } catch {
      // It cannot be read now: there is a next time, and others wait as well.
    }
  }

  async #tidy(): Promise<void> {
    const { index, clock } = this.#options
    const forgets = clock.now() >= this.#forgetAt
    if (forgets) this.#forgetAt = clock.now() + forgetEveryMs
    try {
      await index.ended.removeSeen()
      if (forgets) await index.ended.forgetOld()
    } catch {
      // The store is away: there is a next time.
    }
  }

  async #look(): Promise<void> {
    this.#again = true
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      while (this.#again && !this.#isClosed) {
        this.#again = false
        await this.#lookAtAll()
      }
      await this.#lookForUntold()
    } catch {
      // The store is away: there is a next time.
    } finally {
      this.#isLooking = false
    }
  }

  async #lookForUntold(): Promise<void> {
    const { waiters, clock } = this.#options
    const now = clock.now()
    if (now < this.#untoldAt || this.#isClosed) return
    this.#untoldAt = now + untoldEveryMs
    const overdue = waiters.overdue(now - overdueMs)
    for (const session of new Set([...overdue, ...waiters.inTurn(maxUntold)].slice(0, maxUntold)))
      await this.#check(session)
  }

  /** Looks at each name once. One that stays is looked at the next time, and keeps nobody from those behind it. */
  async #lookAtAll(): Promise<void> {
    const { index, waiters } = this.#options
    // What was told needs no look, unless somebody waits for it again: its log may have lost its end.
    const isDone = ({ session, member }: Name) => index.ended.isSeen(member) && !waiters.isWaited(session)
    for await (const names of index.ended.pages(pageNames)) {
      await Promise.all(names.filter(name => !isDone(name)).map(name => this.#lookAt(name)))
      if (this.#isClosed) break
    }
    await index.ended.removeSeen()
  }

  async #lookAt(name: Name): Promise<void> {
    const { index, sessions, waiters, clock } = this.#options
    const session = await sessions.refresh(name.session)
    waiters.check(name.session, session)
    const open = session && [...session.open.values()].find(({ instance }) => instance === name.instance)
    // One that is open went on on another node, and is waited for here, too; or its append is on its way, or, after so long,
    // will never come.
    const isStale = open?.node === index.node && clock.now() - name.at > staleMs
    if (open === undefined || isStale) index.ended.seen(name.member)
  }
}
