import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import { Lease } from 'beckon/store/handles'
import { auditNames } from './log-names.js'

export interface UpkeepOptions {
  readonly store: Store
  readonly clock: Clock
  /** What every node does. */
  readonly look: () => Promise<void>
  /** What one node does for all of them. */
  readonly keep: () => Promise<void>
  readonly onError: (error: unknown) => void
}

const leaseMs = 30_000
const everyMs = 15_000

/** Does what is to be done for the audit from time to time. */
export class Upkeep {
  readonly #options: UpkeepOptions
  readonly #lease: Lease
  #held: AbortSignal | undefined
  #stop: () => void = () => {}
  #running: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: UpkeepOptions) {
    const { store, clock } = options
    this.#options = options
    this.#lease = new Lease({ store, key: auditNames.lease, clock, lengthMs: leaseMs })
    this.#later()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stop()
    await this.#running
    await this.#lease.release().catch(() => {})
  }

  #later(): void {
    if (this.#isClosed) return
    this.#stop = this.#options.clock.after(everyMs, () => {
      this.#running = this.#round()
        .catch(this.#options.onError)
        .then(() => this.#later())
    })
  }

  async #round(): Promise<void> {
    const { look, keep } = this.#options
    await look()
    if (this.#held?.aborted !== false) this.#held = await this.#lease.take()
    if (this.#held?.aborted === false) await keep()
  }
}
