// How many asks are open: of a server in another process, and on the desk. The index is counted, now and then; in between, a node
// counts on from there. Several nodes together may let a few more through than one would.
import type { Clock } from 'beckon'
import type { AskIndex } from '../index/ask-index.js'
import type { AskLimits } from '../limits/ask-limits.js'
import { type Refusal, tooManyInAll, tooManyOfServer } from '../policy/refusals.js'
import type { Sessions } from './sessions.js'

export interface OpenQuotaOptions {
  readonly index: AskIndex
  readonly sessions: Sessions
  readonly limits: AskLimits
  readonly clock: Pick<Clock, 'now'>
}

interface Count {
  readonly counted: number
  readonly at: number
  /** Opened here since then. */
  since: number
}

/** Counts are good for so long, or until a tenth of what was left is gone. */
const goodMs = 30_000
/** Names that are looked at when there is no room: some may lead nowhere. */
const maxLooked = 200

export class OpenQuota {
  readonly #options: OpenQuotaOptions
  /** By server; of the desk under undefined. There are as many servers as have tokens. */
  readonly #counts = new Map<string | undefined, Count>([[undefined, { counted: 0, at: 0, since: 0 }]])

  constructor(options: OpenQuotaOptions) {
    this.#options = options
  }

  /** Why no more may be opened; undefined when one more may be, which counts from now on. Far from a limit, nobody waits. */
  refusal(remoteServer?: string): Promise<Refusal | undefined> | undefined {
    const { maxOpenAsksInAll, maxOpenAsksOfServer } = this.#options.limits
    const isFar =
      (remoteServer === undefined || this.#isFar(remoteServer, maxOpenAsksOfServer)) &&
      this.#isFar(undefined, maxOpenAsksInAll)
    return isFar ? undefined : this.#refusal(remoteServer)
  }

  async #refusal(remoteServer: string | undefined): Promise<Refusal | undefined> {
    const { maxOpenAsksInAll, maxOpenAsksOfServer } = this.#options.limits
    if (remoteServer !== undefined && !(await this.#hasRoom(remoteServer, maxOpenAsksOfServer)))
      return tooManyOfServer(maxOpenAsksOfServer)
    return (await this.#hasRoom(undefined, maxOpenAsksInAll)) ? undefined : tooManyInAll(maxOpenAsksInAll)
  }

  /** Whether there is room by far, as far as is known here. */
  #isFar(server: string | undefined, max: number): boolean {
    if (max === Number.POSITIVE_INFINITY) return true
    const known = this.#counts.get(server)
    if (known === undefined || known.counted + known.since >= max / 2) return false
    if (!this.#isGood(known, max)) void this.#count(server, max).catch(() => {})
    known.since++
    return true
  }

  async #hasRoom(server: string | undefined, max: number): Promise<boolean> {
    if (max === Number.POSITIVE_INFINITY) return true
    const known = this.#counts.get(server)
    const count = known !== undefined && this.#isGood(known, max) ? known : await this.#count(server, max)
    if (count.counted + count.since < max) {
      count.since++
      return true
    }
    if (server !== undefined) await this.#removeStale(server)
    // It is counted anew the next time, however soon that is.
    this.#counts.set(server, { ...count, at: 0 })
    return false
  }

  #isGood({ counted, at, since }: Count, max: number): boolean {
    return this.#options.clock.now() - at < goodMs && since <= (max - counted) / 10
  }

  async #count(server: string | undefined, max: number): Promise<Count> {
    const { index, clock } = this.#options
    const known = this.#counts.get(server)
    const opened = known?.since ?? 0
    const counted = await index.countOpenOf(server, max)
    // What is opened while it is counted may be in it, or not yet.
    const count: Count = { counted, at: clock.now(), since: (known?.since ?? 0) - opened }
    this.#counts.set(server, count)
    return count
  }

  /** A process that died between its two writes leaves a name behind that leads nowhere. */
  async #removeStale(server: string): Promise<void> {
    const { index, sessions } = this.#options
    for (const name of await index.oldestOf(server, maxLooked)) {
      const session = await sessions.load(name.session)
      const isOpen = [...(session?.open.values() ?? [])].some(({ instance }) => instance === name.instance)
      if (!isOpen) index.forgetOf(server, name)
    }
  }
}
