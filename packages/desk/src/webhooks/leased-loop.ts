// Does something again and again, on one node at a time: another takes over when that one is gone.
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import { Lease } from 'beckon/store/handles'
import { pause } from './pause.js'

export interface LeasedLoopOptions {
  readonly store: Store
  /** Where the lease is. */
  readonly key: string
  readonly clock: Clock
  /** Does what there is to do. The signal is aborted when the lease is lost, or the loop ends. */
  readonly pass: (over: AbortSignal) => Promise<void>
  readonly onError: (error: unknown) => void
}

const leaseMs = 30_000
/** How often it is looked for what other nodes have left to do. */
const lookEveryMs = 2_000

export class LeasedLoop {
  readonly #options: LeasedLoopOptions
  readonly #lease: Lease
  readonly #closed = new AbortController()
  readonly #running: Promise<void>
  #wake: () => void = () => {}
  #isWoken = false

  constructor(options: LeasedLoopOptions) {
    const { store, key, clock } = options
    this.#options = options
    this.#lease = new Lease({ store, key, clock, lengthMs: leaseMs })
    this.#running = this.#run()
  }

  /** There may be something to do. */
  wake(): void {
    this.#isWoken = true
    this.#wake()
  }

  async close(): Promise<void> {
    this.#closed.abort()
    this.#wake()
    await this.#lease.release().catch(() => {})
    await this.#running
  }

  async #run(): Promise<void> {
    const { clock, pass, onError } = this.#options
    const { signal } = this.#closed
    while (!signal.aborted) {
      try {
        const held = await this.#lease.take()
        held?.addEventListener('abort', () => this.#wake(), { once: true })
        const over = held && AbortSignal.any([held, signal])
        while (over !== undefined && !over.aborted) {
          this.#isWoken = false
          await pass(over)
          if (!over.aborted) await this.#rest()
        }
      } catch (error) {
        onError(error)
      }
      await this.#lease.release().catch(() => {})
      await pause(clock, leaseMs / 3, signal)
    }
  }

  /** Until something happens here, or it is time to look for what happened elsewhere. */
  #rest(): Promise<void> {
    return new Promise(resolve => {
      if (this.#isWoken) return resolve()
      const stop = this.#options.clock.after(lookEveryMs, () => this.#wake())
      this.#wake = () => {
        stop()
        this.#wake = () => {}
        resolve()
      }
    })
  }
}
