// Lets one process at a time do something. The holder writes to it again and again; others take it once nothing was
// written to it for the length of the lease, by their own clocks. So it does not matter how far clocks disagree, nor
// whether a store has noticed that its holder died: its expiry only clears away what nobody asks for any more.
import type { Clock } from '../../runtime/clock.js'
import type { JsonValue } from '../json.js'
import type { Store, Version } from '../store.js'
import { format } from './format.js'

export interface LeaseOptions {
  readonly store: Pick<Store, 'get' | 'compareAndSet'>
  readonly key: string
  readonly clock: Clock
  /** How long its holder may be silent. */
  readonly lengthMs: number
  /**
   * Whether it is over after its length, however long its holder takes. Others then wait for what is left of it, by the
   * date that its holder wrote: clocks have to agree to within its length.
   */
  readonly isFixed?: boolean
}

/** What its holder writes: until when it has it, or something that is different for each. */
type Held = { readonly v: typeof format } & ({ readonly until: number } | { readonly owner: string })

const dayMs = 24 * 60 * 60 * 1000

export class Lease {
  readonly #options: LeaseOptions
  readonly #owner = crypto.randomUUID()
  /** What another process wrote, and when it is taken for dead. */
  #other: { readonly version: Version; readonly until: number } | undefined
  #version: Version | undefined
  #held: AbortController | undefined
  #stopTimer: () => void = () => {}

  constructor(options: LeaseOptions) {
    this.#options = options
  }

  /** Until when another process has it, as far as was seen with the last `take`; undefined when none had. */
  get heldUntil(): number | undefined {
    return this.#other?.until
  }

  /** A signal that is aborted when the lease is lost or released; undefined when another process has it. */
  async take(): Promise<AbortSignal | undefined> {
    const { store, key, clock, lengthMs } = this.#options
    const held = await store.get(key)
    if (held === undefined) this.#other = undefined
    else if (held.version !== this.#other?.version) {
      const longest = clock.now() + lengthMs
      const until = Math.min(untilOf(held.value) ?? longest, longest)
      this.#other = { version: held.version, until }
    }
    if (this.#other !== undefined && clock.now() < this.#other.until) return undefined
    this.#version = await this.#write(this.#other?.version)
    if (this.#version === undefined) return undefined
    this.#other = undefined
    this.#held = new AbortController()
    this.#renewLater(this.#held)
    return this.#held.signal
  }

  async release(): Promise<void> {
    const version = this.#version
    const { store, key } = this.#options
    this.#drop()
    // A date in the past: compare and delete.
    if (version !== undefined) await store.compareAndSet(key, version, null, { expiresAt: 0 })
  }

  #write(version: Version | undefined): Promise<Version | undefined> {
    const { store, key, clock, lengthMs, isFixed } = this.#options
    const until = clock.now() + lengthMs
    const held: Held = isFixed ? { v: format, until } : { v: format, owner: this.#owner }
    return store.compareAndSet(key, version, { ...held }, { expiresAt: until + dayMs })
  }

  #renewLater(held: AbortController): void {
    const { clock, lengthMs, isFixed } = this.#options
    if (isFixed) return
    this.#stopTimer = clock.after(lengthMs / 3, () => void this.#renew(held))
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

/** Until when its holder says that it has it. What a later program wrote is held for a whole length, whatever it means. */
function untilOf(held: JsonValue): number | undefined {
  if (typeof held !== 'object' || held === null || !('until' in held) || held.v !== format) return undefined
  return typeof held.until === 'number' ? held.until : undefined
}
