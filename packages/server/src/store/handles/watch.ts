// Looks at what other processes write: when a hint says so, and by itself now and then, since any hint may be lost.
//
// W1 It looks by itself at latest `everyMs` after it did so last.
// W2 A subscription that fails is tried again soon, later and later. Once there is one after all it looks: what was said
//    meanwhile was not heard.
// W3 So is a look that rejects.
// W4 Once it is stopped, nothing is called, and a subscription that was on its way is given back. It can be started again.
import type { Clock } from '../../runtime/clock.js'
import type { JsonValue } from '../json.js'
import type { Store, Unsubscribe } from '../store.js'

export interface WatchOptions {
  readonly store: Pick<Store, 'subscribe'>
  readonly topic: string
  readonly clock: Clock
  /** Without it there are hints alone: for a store that no other process writes to. */
  readonly everyMs?: number | undefined
  readonly look: () => unknown
  /** What a hint is for. Without it, a look. */
  readonly onHint?: ((message: JsonValue) => void) | undefined
  /** Hints are heard from now on. */
  readonly onHeard?: (() => void) | undefined
}

const firstRetryMs = 1_000
const maxRetryMs = 8_000

export class Watch {
  readonly #options: WatchOptions
  /** Undefined while this is stopped; rejects while hints are not heard. */
  #subscription: Promise<Unsubscribe> | undefined
  #hearing: 'not yet' | 'yes' | 'failed' = 'not yet'
  #retryMs = firstRetryMs
  #nextAt = Number.POSITIVE_INFINITY
  #stopTimer: () => void = () => {}

  constructor(options: WatchOptions) {
    this.#options = options
  }

  start(): void {
    if (this.#subscription !== undefined) return
    this.#retryMs = firstRetryMs
    this.#subscribe(false)
    this.#tickWithin(this.#everyMs)
  }

  /** Resolves once hints are heard. Rejects where they are not now: that is tried again. */
  async heard(): Promise<void> {
    if (this.#subscription !== undefined && this.#hearing === 'failed') this.#subscribe(true)
    await this.#subscription
  }

  async stop(): Promise<void> {
    const ended = this.#subscription
    this.#subscription = undefined
    this.#stopTimer()
    this.#nextAt = Number.POSITIVE_INFINITY
    // A store that is closed has ended it already.
    await ended?.then(unsubscribe => unsubscribe()).catch(() => {})
  }

  #subscribe(isLate: boolean): void {
    const { store, topic, onHint = () => void this.#look(), onHeard } = this.#options
    const isCurrent = () => this.#subscription === subscription
    const subscription = store.subscribe(topic, message => {
      if (isCurrent()) onHint(message)
    })
    this.#subscription = subscription
    this.#hearing = 'not yet'
    subscription.then(
      () => {
        if (!isCurrent()) return
        this.#hearing = 'yes'
        onHeard?.()
        if (isLate) void this.#look()
      },
      () => {
        if (!isCurrent()) return
        this.#hearing = 'failed'
        this.#tickWithin(this.#retryMs)
      },
    )
  }

  async #look(): Promise<void> {
    try {
      await this.#options.look()
      if (this.#hearing === 'yes') this.#retryMs = firstRetryMs
    } catch {
      this.#tickWithin(this.#retryMs)
    }
  }

  /** No later than that; a timer that is earlier stays. */
  #tickWithin(ms: number): void {
    const { clock } = this.#options
    const at = clock.now() + ms
    if (this.#subscription === undefined || at >= this.#nextAt) return
    this.#stopTimer()
    this.#nextAt = at
    this.#stopTimer = clock.after(ms, () => this.#tick())
  }

  #tick(): void {
    this.#nextAt = Number.POSITIVE_INFINITY
    this.#retryMs = Math.min(this.#retryMs * 2, maxRetryMs)
    this.#tickWithin(this.#everyMs)
    if (this.#hearing === 'failed') this.#subscribe(true)
    void this.#look()
  }

  get #everyMs(): number {
    return this.#options.everyMs ?? Number.POSITIVE_INFINITY
  }
}
