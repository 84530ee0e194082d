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
        if (this.#over.size >= this.#maxCalls + batch) void this.#forget()
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
      void this.#forget()
      this.#lookLater()
    })
  }

  /** Any node may do it: whoever comes second finds that there is nothing left to do. */
  async #forget(): Promise<void> {
    if (this.#isForgetting) return
    this.#isForgetting = true
    try {
      for (let lines = batch; lines === batch; ) {
        const settled = await this.#order.change(() => ({ lines: this.#disposals() }))
        lines = settled.kind === 'accepted' ? settled.lines.length : 0
      }
    } catch {
      // The store is away: there is a next time.
    } finally {
      this.#isForgetting = false
    }
  }

  #disposals(): Line[] {
    const at = this.#clock.now()
    const lines: Line[] = []
    for (const session of this.#over) {
      const record = this.#order.state.session(session)
      if (lines.length === batch) break
      if (record === undefined) continue
      const isTooMany = this.#over.size - lines.length > this.#maxCalls
      if (!isTooMany && endOf(record) > at - this.#keepMs) break
      lines.push({ session, act: { type: 'sessionDisposed' }, at })
    }
    return lines
  }
}

function isOver({ isCall, chat }: SessionRecord): boolean {
  return isCall === true && chat.activeTurn === undefined && chat.turns.length > 0
}

function endOf({ older }: SessionRecord): number {
  return older.summary.modifiedAt
}
