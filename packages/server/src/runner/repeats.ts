// Which call a request asks for again. A call whose asks are on the desk is found by who made it and what for, from its first
// ask there on, in whichever process it runs; until its result was delivered once.
//
// Threat: someone who calls the same tool with the same arguments, and so gets the result that another person's answer was
// for. Callers who can be told apart go on with their own calls. Of the others nobody knows which call is whose: each of
// theirs has a handle, which its reply names, and only who brings that goes on with it.

import type { Incoming } from '../call/incoming.js'
import type { Target } from '../call/wires.js'
import { digest } from '../crypto/digest.js'
import { randomId } from '../crypto/random-id.js'
import { type CallerKey, callerKey, callerKeyWith } from '../protocol/caller-key.js'
import { BoundedMap } from '../runtime/bounded-map.js'
import type { Store, Version } from '../store/index.js'
import type { Attempt } from './attempt.js'

/** Under what a call is found again. */
export interface Repeat {
  readonly key: string
  /** For an anonymous caller. */
  readonly handle: string | undefined
  /** Of the key in the store, once it is there. */
  version: Version | undefined
}

/** What a request asks for. */
export interface Repeatable {
  readonly incoming: Incoming
  readonly target: Target
  readonly handle: string | undefined
}

/** A call that was asked for before; without an id, it is for this request to begin. */
export interface Found {
  readonly repeat: Repeat
  readonly id: string | undefined
  /** Whether someone was told of it who can ask again. */
  readonly isTold: boolean
}

export class Repeats<T> {
  readonly #store: Store | undefined
  readonly #server: string
  /** Those whose result was not delivered yet, in memory: callers without a principal have a share of their own. */
  readonly #kept: { readonly known: BoundedMap<string, string>; readonly anonymous: BoundedMap<string, string> }
  /** Those that run here. */
  readonly #here = new Map<string, Attempt<T>>()

  constructor(store: Store, server: string, max: number) {
    this.#store = store.shared ? store : undefined
    this.#server = server
    this.#kept = { known: new BoundedMap({ max }), anonymous: new BoundedMap({ max }) }
  }

  /** The call that a request asks for again, or under what it begins one. */
  async find(request: Repeatable): Promise<Found> {
    const caller = callerKey(request.incoming)
    if (caller !== undefined) return this.#look({ key: this.#keyOf(caller, request), handle: undefined })
    if (request.handle !== undefined) {
      const found = await this.#look(this.#withHandle(request, request.handle))
      if (found.id !== undefined) return found
    }
    // One that is not known, or no more, begins nothing: a handle is ours to choose, and no client's. Nobody could ask again
    // for a call whose handle was not told.
    return { repeat: this.repeatOf(request), id: undefined, isTold: false }
  }

  /** Under what a call is found again that goes to the desk with this request. */
  repeatOf(request: Repeatable): Repeat {
    const caller = callerKey(request.incoming)
    const repeat =
      caller === undefined
        ? this.#withHandle(request, randomId())
        : { key: this.#keyOf(caller, request), handle: undefined }
    return { ...repeat, version: undefined }
  }

  /** The run of a call in this process, if it is here. */
  at({ key }: Repeat): Attempt<T> | undefined {
    return this.#here.get(key)
  }

  /** A call begins here. */
  add({ key }: Repeat, attempt: Attempt<T>): void {
    this.#here.set(key, attempt)
  }

  /** It runs here no more. */
  remove({ key }: Repeat, attempt: Attempt<T>): void {
    if (this.#here.get(key) === attempt) this.#here.delete(key)
  }

  /** Has other processes find it. False when one of them was faster to ask for the same. */
  async publish(repeat: Repeat, { id, principal }: Attempt<T>, expiresAt: number): Promise<boolean> {
    if (this.#store === undefined) {
      const kept = principal === undefined ? this.#kept.anonymous : this.#kept.known
      kept.set(repeat.key, id)
      return true
    }
    repeat.version = await this.#store.compareAndSet(repeat.key, undefined, id, { expiresAt })
    if (repeat.version !== undefined) return true
    // An earlier run of the same call may have got so far.
    const entry = await this.#store.get(repeat.key)
    if (entry?.value !== id) return false
    repeat.version = entry.version
    return true
  }

  /** Its result was delivered: the same request is a new call from here on. */
  async forget({ key, version }: Repeat, id: string): Promise<void> {
    for (const kept of [this.#kept.known, this.#kept.anonymous]) if (kept.get(key) === id) kept.delete(key)
    if (this.#store === undefined || version === undefined) return
    await this.#store.compareAndSet(key, version, null, { expiresAt: 0 })
  }

  async #look(repeat: Omit<Repeat, 'version'>): Promise<Found> {
    const here = this.#here.get(repeat.key)
    // One that is not durable yet may be so in another process, which took its last round.
    const isSure = here?.isDurable || this.#store === undefined
    if (here?.repeat !== undefined && isSure) return { repeat: here.repeat, id: here.id, isTold: true }
    const kept = this.#kept.known.get(repeat.key) ?? this.#kept.anonymous.get(repeat.key)
    if (this.#store === undefined) return { repeat: { ...repeat, version: undefined }, id: kept, isTold: true }
    const entry = await this.#store.get(repeat.key)
    const found = this.#here.get(repeat.key)
    if (found?.repeat !== undefined && (entry === undefined || found.isDurable))
      return { repeat: found.repeat, id: found.id, isTold: true }
    const id = entry === undefined ? undefined : String(entry.value)
    return { repeat: { ...repeat, version: entry?.version }, id, isTold: true }
  }

  #withHandle(request: Repeatable, handle: string): Omit<Repeat, 'version'> {
    return { key: this.#keyOf(callerKeyWith(handle, request.incoming), request), handle }
  }

  #keyOf(caller: CallerKey, { target }: Repeatable): string {
    return `${this.#server}/repeat/${digest([caller, target])}`
  }
}
