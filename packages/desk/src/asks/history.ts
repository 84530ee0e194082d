// Calls that are over are kept for a while, for whoever looks back, and then forgotten: a desk that has answered a million
// calls is as large, and starts as fast, as one that has answered a thousand. Sessions that someone made stay.
import type { Clock } from 'beckon'
import type { Line } from '../log/act.js'
import type { Order } from '../log/order.js'
import type { SessionRecord } from '../state/session-record.js'

/** How much of what is over a desk keeps. */
export interface HistoryLimits {
  /** How long. Default: seven days. */
  readonly keepMs?: number | undefined
  /** How many calls. Default: 1,000. */
  readonly maxCalls?: number | undefined
}

export interface HistoryOptions extends HistoryLimits {
  readonly order: Order
  readonly clock: Clock
}

const lookEveryMs = 60 * 60 * 1000
/** Forgotten at once: each is a line of the log. */
const batch = 100

export class History {
  readonly #order: Order
  readonly #clock: Clock
  readonly #keepMs: number
  readonly #maxCalls: number
  /** Calls that are over, the one that ended first in front. */
  readonly #over = new Set<string>()
  readonly #stops: readonly (() => void)[]
  #stopTimer: () => void = () => {}
  #isForgetting = false

  constructor({ order, clock, keepMs = 7 * 24 * lookEveryMs, maxCalls = 1_000 }: HistoryOptions) {
    this.#order = order
    this.#clock = clock
    this.#keepMs = keepMs
    this.#maxCalls = maxCalls
    this.#begin()
    this.#stops = [
      order.listen(lines => {
        for (const session of new Set(lines.map(line => line.session))) this.#follow(session)
        if (this.#over.size >= this.#maxCalls + batch) void this.#forget(() => this.#tooMany())
      }),
      order.onAnew(() => this.#begin()),
    ]
    this.#lookLater()
  }

  close(): void {
    this.#stopTimer()
    for (const stop of this.#stops) stop()
  }

  #begin(): void {
    this.#over.clear()
    const over = [...this.#order.state.sessions()].filter(isOver).sort((a, b) => endOf(a) - endOf(b))
    for (const { id } of over) this.#over.add(id)
  }

  #follow(session: string): void {
    this.#over.delete(session)
    const record = this.#order.state.session(session)
    if (record !== undefined && isOver(record)) this.#over.add(session)
  }

  #lookLater(): void {
    this.#stopTimer = this.#clock.after(lookEveryMs, () => {
      void this.#forget(() => [...this.#tooMany(), ...this.#tooOld()])
      this.#lookLater()
    })
  }

  /** Any node may do it: whoever comes second finds that there is nothing left to do. */
  async #forget(find: () => string[]): Promise<void> {
    if (this.#isForgetting) return
    this.#isForgetting = true
    try {
      for (let lines = batch; lines === batch; ) {
        const settled = await this.#order.change(() => ({ lines: this.#disposals(find()) }))
        lines = settled.kind === 'accepted' ? settled.lines.length : 0
      }
    } catch {
      // The store is away: there is a next time.
    } finally {
      this.#isForgetting = false
    }
  }

  #disposals(sessions: readonly string[]): Line[] {
    const at = this.#clock.now()
    return [...new Set(sessions)].slice(0, batch).map(session => ({ session, act: { type: 'sessionDisposed' }, at }))
  }

  #tooMany(): string[] {
    return [...this.#over].slice(0, Math.max(0, this.#over.size - this.#maxCalls))
  }

  /** Also calls that nobody ended: the process that made them is long gone, and so is everything that it asked. */
  #tooOld(): string[] {
    const before = this.#clock.now() - this.#keepMs
    return [...this.#order.state.sessions()]
      .filter(record => record.isCall && endOf(record) <= before && record.openCount === 0)
      .map(({ id }) => id)
  }
}

function isOver({ isCall, bare: { chat } }: SessionRecord): boolean {
  return isCall && chat.activeTurn === undefined && chat.turns.length > 0
}

function endOf({ bare }: SessionRecord): number {
  return bare.older.summary.modifiedAt
}
