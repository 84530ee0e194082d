// A socket, or a feed of events, was let in once, and may be open for days. Anyone who signs out, or is no longer let in, must not go on with it:
// each is looked at every minute; and at once, on every node, when someone signs out, or the desk is told to look. What someone does
// over a socket is not done before their proof was looked at, within a second (`live/connection.ts`).
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import { Watch } from 'beckon/store/handles'
import type { Admitted } from './access.js'

export interface RechecksOptions {
  readonly clock: Clock
  readonly store: Store
}

const everyMs = 60_000
/** Anyone can say that they sign out: that makes the desk look this often, and no more. */
const atMostEveryMs = 1_000
const topic = 'signed-out'

interface Held {
  readonly stillValid: NonNullable<Admitted['stillValid']>
  readonly end: () => void
}

export class Rechecks {
  readonly #options: RechecksOptions
  readonly #held = new Set<Held>()
  readonly #watch: Watch
  #stopSoon: () => void = () => {}
  #isSoon = false
  #checkedAt = 0

  constructor(options: RechecksOptions) {
    this.#options = options
    this.#watch = new Watch({
      ...options,
      topic,
      everyMs,
      look: () => this.#check(),
      onHint: () => this.#checkSoon(),
    })
    this.#watch.start()
  }

  /** Ends something as soon as the proof of who is on it no longer holds. Call the result when it is over. */
  hold({ stillValid }: Admitted, end: () => void): () => void {
    if (stillValid === undefined) return () => {}
    const held = { stillValid, end }
    this.#held.add(held)
    return () => this.#held.delete(held)
  }

  /** Someone has signed out here, or an admin of the desk took something back. */
  signedOut(): void {
    if (this.#checkSoon()) this.#options.store.publish(topic, null).catch(() => {})
  }

  close(): Promise<void> {
    this.#stopSoon()
    return this.#watch.stop()
  }

  /** Looks now, or in a moment when it has only just looked; false when it will look anyway. */
  #checkSoon(): boolean {
    if (this.#isSoon) return false
    this.#isSoon = true
    const { clock } = this.#options
    const waitMs = this.#checkedAt + atMostEveryMs - clock.now()
    if (waitMs <= 0) this.#check()
    else this.#stopSoon = clock.after(waitMs, () => this.#check())
    return true
  }

  #check(): void {
    this.#isSoon = false
    this.#checkedAt = this.#options.clock.now()
    for (const held of this.#held) void this.#checkOne(held)
  }

  async #checkOne(held: Held): Promise<void> {
    // What cannot be checked now is checked the next time.
    const isValid = await held.stillValid().catch(() => true)
    if (!isValid && this.#held.delete(held)) held.end()
  }
}
