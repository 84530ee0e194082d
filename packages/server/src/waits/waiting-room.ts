// However many wait, there is one subscription and one timer.

import type { Clock } from '../runtime/clock.js'
import type { JsonValue, Store, Unsubscribe } from '../store/index.js'

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
  readonly #store: Store
  readonly #clock: Clock
  readonly #waiting = new Map<string, Set<Waiter>>()
  // The next to expire is first. Most waits are equally long, so that new ones go to the end.
  readonly #agenda: Waiter[] = []
  #subscription: Promise<Unsubscribe> | undefined
  #timer: { readonly at: number; readonly stop: () => void } | undefined

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  add(wait: Waiter): void {
    const others = this.#waiting.get(wait.key) ?? new Set()
    if (others.has(wait)) return
    this.#waiting.set(wait.key, others.add(wait))
    this.#agenda.splice(placeIn(this.#agenda, wait.expiresAt), 0, wait)
    this.#schedule()
    // What is told between looking and subscribing would be missed.
    void this.#subscribe().finally(() => wait.look(false))
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

  /** Without a subscription, those who wait look by themselves now and then, and it is tried again. */
  async #subscribe(): Promise<void> {
    this.#subscription ??= this.#store.subscribe(topic, key => this.#hear(key))
    const subscription = this.#subscription
    try {
      await subscription
    } catch {
      if (this.#subscription === subscription) this.#subscription = undefined
    }
  }

  #hear(key: JsonValue): void {
    for (const wait of this.#waiting.get(String(key)) ?? []) wait.look(false)
  }

  #schedule(): void {
    const { shared } = this.#store
    const [next] = this.#agenda
    if (next === undefined) return
    const now = this.#clock.now()
    const at = Math.min(next.expiresAt, shared ? now + lookAgainMs : next.expiresAt)
    if (this.#timer !== undefined && this.#timer.at <= at) return
    this.#timer?.stop()
    this.#timer = { at, stop: this.#clock.after(Math.max(0, at - now), () => this.#tick()) }
  }

  #tick(): void {
    this.#timer = undefined
    const now = this.#clock.now()
    const expired = this.#agenda.splice(0, firstAt(this.#agenda, now + 1))
    for (const wait of expired) wait.look(true)
    if (this.#store.shared) {
      if (this.#agenda.length > 0) void this.#subscribe()
      for (const wait of this.#agenda) wait.look(false)
    }
    this.#schedule()
  }

  #close(): void {
    this.#timer?.stop()
    this.#timer = undefined
    const ended = this.#subscription
    this.#subscription = undefined
    // A store that is closed has ended it already.
    ended?.then(unsubscribe => unsubscribe()).catch(() => {})
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
