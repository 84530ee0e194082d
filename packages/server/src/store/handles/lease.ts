import { randomUUID } from 'node:crypto'
import type { Clock } from '../../runtime/clock.js'
import type { Store, Version } from '../store.js'

/** Lets one node at a time do something. It renews itself while it is held. */
export class Lease {
  readonly #store: Store
  readonly #key: string
  readonly #clock: Clock
  readonly #lengthMs: number
  readonly #owner = randomUUID()
  #version: Version | undefined
  #held: AbortController | undefined
  #stopTimer: () => void = () => {}

  constructor(store: Store, key: string, clock: Clock, lengthMs: number) {
    this.#store = store
    this.#key = key
    this.#clock = clock
    this.#lengthMs = lengthMs
  }

  /** A signal that is aborted when the lease is lost or released; undefined when another node has it. */
  async take(): Promise<AbortSignal | undefined> {
    if ((await this.#store.get(this.#key)) !== undefined) return undefined
    this.#version = await this.#write(undefined)
    if (this.#version === undefined) return undefined
    this.#held = new AbortController()
    this.#renewLater(this.#held)
    return this.#held.signal
  }

  async release(): Promise<void> {
    const version = this.#version
    this.#drop()
    // A date in the past: compare and delete.
    if (version !== undefined) await this.#store.compareAndSet(this.#key, version, this.#owner, { expiresAt: 0 })
  }

  #write(version: Version | undefined): Promise<Version | undefined> {
    const expiresAt = this.#clock.now() + this.#lengthMs
    return this.#store.compareAndSet(this.#key, version, this.#owner, { expiresAt })
  }

  #renewLater(held: AbortController): void {
    this.#stopTimer = this.#clock.after(this.#lengthMs / 3, () => void this.#renew(held))
  }

  async #renew(held: AbortController): Promise<void> {
    const version = await this.#write(this.#version).catch(() => undefined)
    if (this.#held !== held) return
    if (version === undefined) return this.#drop()
    this.#version = version
    this.#renewLater(held)
  }

  #drop(): void {
    this.#stopTimer()
    this.#version = undefined
    this.#held?.abort()
    this.#held = undefined
  }
}
