import type { Clock } from '../runtime/clock.js'
import { digestOf } from './secret.js'

interface Entry<T> {
  readonly value: T
  readonly expiresAt: number
}

/** Values under secrets, for a while: it knows the digests only, and lets the oldest go when it is full. */
export class SecretMap<T> {
  readonly #entries = new Map<string, Entry<T>>()
  readonly #clock: Pick<Clock, 'now'>
  readonly #max: number

  constructor(clock: Pick<Clock, 'now'>, max: number) {
    this.#clock = clock
    this.#max = max
  }

  get size(): number {
    return this.#entries.size
  }

  set(secret: string, value: T, expiresAt: number): void {
    const digest = digestOf(secret)
    this.#entries.delete(digest)
    this.#entries.set(digest, { value, expiresAt })
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= this.#max && entry.expiresAt > this.#clock.now()) return
      this.#entries.delete(oldest)
    }
  }

  get(secret: string): T | undefined {
    const entry = this.#entries.get(digestOf(secret))
    return entry !== undefined && entry.expiresAt > this.#clock.now() ? entry.value : undefined
  }

  /** Gives a value to the first who asks, and to nobody else. */
  take(secret: string): T | undefined {
    const value = this.get(secret)
    this.delete(secret)
    return value
  }

  delete(secret: string): boolean {
    return this.#entries.delete(digestOf(secret))
  }

  clear(): void {
    this.#entries.clear()
  }
}
