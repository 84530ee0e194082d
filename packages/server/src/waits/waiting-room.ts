// However many wait, there is one subscription and one timer for them; where others write, one more to look again.

import type { Clock } from '../runtime/clock.js'
import { Watch } from '../store/handles/index.js'
import type { JsonValue, Store } from '../store/index.js'

/** Someone who waits for what is told under a key. */
export interface Waiter {
  readonly key: string
  readonly expiresAt: number
  /** Looks whether it is there; the last time, before it is over. */
  look(isLast: boolean): void
}

/** Where it is told that there is something to look at. */
export const topic = 'waits'
/** Hints can be lost between processes: what was not heard of is looked at again. */
const lookAgainMs = 30_000

/** Everyone in this process who waits now. */
export class WaitingRoom {
  readonly #clock: Clock
  readonly #waiting = new Map<string, Set<Waiter>>()
  // The next to expire is first. Most waits are equally long, so that new ones go to the end.
  readonly #agenda: Waiter[] = []
  readonly #watch: Watch
  #timer: { readonly at: number; readonly stop: () => void } | undefined

  constructor(store: Store, clock: Clock) {
    this.#clock = clock
    this.#watch = new Watch({
      store,
      topic,
      clock,
      everyMs: store.shared ? lookAgainMs : undefined,
      look: () => {
        for (const wait of this.#agenda) wait.look(false)
      },
      onHint: key => this.#hear(key),
    })
  }

  add(wait: Waiter): void {
    const others = this.#waiting.get(wait.key) ?? new Set()
    if (others.has(wait)) return
    this.#waiting.set(wait.key, others.add(wait))
    this.#agenda.splice(placeIn(this.#agenda, wait.expiresAt), 0, wait)
    this.#schedule()
    // What is told between looking and subscribing would be missed.
    this.#watch.start()
    const look = () => wait.look(false)
    this.#watch.heard().then(look, look)
  }

  /** False when it was not here. */
  remove(wait: Waiter): boolean {
    const others = this.#waiting.get(wait.key)
    if (!others?.delete(wait)) return false
    if (others.size === 0) this.#waiting.delete(wait.key)
    const place = this.#agenda.indexOf(wait, firstAt(this.#agenda, wait.expiresAt))
    if (place !== -1) this.#agenda.splice(place, 1)
    if (this.#waiting.size === 0) this.#close()
    return true
  }

  #hear(key: JsonValue): void {
    for (const wait of this.#waiting.get(String(key)) ?? []) wait.look(false)
  }

  #schedule(): void {
    const [next] = this.#agenda
    if (next === undefined) return
    const at = next.expiresAt
    if (this.#timer !== undefined && this.#timer.at <= at) return
    this.#timer?.stop()
    this.#timer = { at, stop: this.#clock.after(Math.max(0, at - this.#clock.now()), () => this.#tick()) }
  }

  #tick(): void {
    this.#timer = undefined
    const expired = this.#agenda.splice(0, firstAt(this.#agenda, this.#clock.now() + 1))
    for (const wait of expired) wait.look(true)
    this.#schedule()
  }

  #close(): void {
    this.#timer?.stop()
    this.#timer = undefined
    void this.#watch.stop()
  }
}

/** Where something that expires then goes: behind everything that expires no later. */
function placeIn(agenda: readonly Waiter[], expiresAt: number): number {
  let place = agenda.length
  while (place > 0 && (agenda[place - 1]?.expiresAt ?? 0) > expiresAt) place--
  return place
}

/** The place of the first that expires then or later, by halves: the list is long where many wait. */
function firstAt(agenda: readonly Waiter[], expiresAt: number): number {
  let low = 0
  let high = agenda.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((agenda[middle]?.expiresAt ?? 0) < expiresAt) low = middle + 1
    else high = middle
  }
  return low
}
