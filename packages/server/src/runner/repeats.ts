// Which call a request asks for again. A call whose asks are on the desk is found by who made it and what for, from its first
// ask there on, in whichever process it runs; until its result was delivered once.
//
// Threat: someone who calls the same tool with the same arguments, and so gets the result that another person's answer was
// for. Callers who can be told apart go on with their own calls. Of the others nobody knows which call is whose: each of
// theirs has a handle, which its reply names, and only who brings that goes on with it.

import { digest } from '../crypto/digest.js'
import { randomId } from '../crypto/random-id.js'
import { type CallerKey, callerKey, callerKeyWith } from '../protocol/caller-key.js'
import { HeldMap } from '../runtime/held-map.js'
import { Cell } from '../store/handles/index.js'
import type { Store, Version } from '../store/index.js'
import type { Attempt } from './attempt.js'
import type { CallRequest } from './call-request.js'
import { CallerBounds, type Held } from './caller-bounds.js'

/** Under what a call is found again. */
export interface Repeat {
  readonly key: string
  /** For an anonymous caller. */
  readonly handle: string | undefined
  /** Of the key in the store, once it is there. */
  version: Version | undefined
}

/** What of a request says what it asks for. */
type Repeatable = Pick<CallRequest<unknown>, 'incoming' | 'target' | 'handle'>

/** A call that was asked for before; without an id, it is for this request to begin. */
export interface Found {
  readonly repeat: Repeat
  readonly id: string | undefined
}

export class Repeats<T> {
  readonly #store: Store | undefined
  /** Those whose result was not delivered yet, in memory. */
  readonly #kept: CallerBounds<string, Held & { readonly id: string }>
  /** Those that run here. */
  readonly #here = new HeldMap<string, Attempt<T>>()

  constructor(store: Store, max: number) {
    this.#store = store.shared ? store : undefined
    this.#kept = new CallerBounds({ max, maxBytes: Number.POSITIVE_INFINITY, maxPerCaller: max, whenFull: 'evict' })
  }

  /** The call that a request asks for again, or under what it begins one. */
  async find(request: Repeatable): Promise<Found> {
    const caller = callerKey(request.incoming)
    if (request.handle !== undefined) {
      const found = await this.#look(this.#nameOf(request, request.handle))
      if (found.id !== undefined) return found
    }
    if (caller !== undefined) return this.#look(this.#nameOf(request, undefined))
    // A handle that is unknown or has expired is not reused: the server chooses handles, never the client. A call whose
    // handle the client was not given could not be asked for again.
    return { repeat: this.repeatOf(request), id: undefined }
  }

  /** Under what a call is found again that goes to the desk with this request. */
  repeatOf(request: Repeatable): Repeat {
    return this.#nameOf(request, callerKey(request.incoming) === undefined ? randomId() : undefined)
  }

  /** The run of a call in this process, if it is here. */
  at({ key }: Repeat): Attempt<T> | undefined {
    return this.#here.get(key)
  }

  /** Has the same request find a call while it runs here. */
  add(repeat: Repeat, attempt: Attempt<T>): void {
    attempt.repeat = repeat
    this.#here.set(repeat.key, attempt)
    void attempt.call.end().then(() => this.remove(attempt))
  }

  /** The call no longer runs here. */
  remove(attempt: Attempt<T>): void {
    const { key = '' } = attempt.repeat ?? {}
    if (this.#here.get(key) === attempt) this.#here.delete(key)
  }

  /** Has other processes find a call. False when one of them was faster to ask for the same, and this one was promised to nobody. */
  async publish(attempt: Attempt<T>, expiresAt: number): Promise<boolean> {
    const { repeat, id, principal } = attempt
    if (repeat === undefined) return true
    if (this.#store === undefined) {
      this.#kept.add(repeat.key, { id, principal, bytes: 0 })
      return true
    }
    repeat.version = await this.take(repeat.key, id, expiresAt)
    if (repeat.version !== undefined) return true
    if (attempt.promisedUntil === 0) return false
    // Its client goes on with it: so it has a name of its own, by a handle that its reply names.
    this.remove(attempt)
    this.add(withHandle(repeat.key, randomId()), attempt)
    return this.publish(attempt, expiresAt)
  }

  /** Has a call found under a key of the store, unless another one is. An earlier run of it may have got so far. */
  async take(key: string, id: string, expiresAt: number): Promise<Version | undefined> {
    const cell = this.#cellOf(key)
    const version = await cell?.create(id, { expiresAt })
    if (version !== undefined) return version
    const entry = await cell?.read()
    return entry?.value === id ? entry.version : undefined
  }

  /** Its result was delivered: the same request is a new call from here on. */
  async forget({ key, version }: Repeat, id: string): Promise<void> {
    if (this.#kept.get(key)?.id === id) this.#kept.take(key)
    if (version !== undefined) await this.#cellOf(key)?.removeAt(version)
  }

  async #look(repeat: Repeat): Promise<Found> {
    const { key } = repeat
    // A call that is not durable here may be durable in another process, which took its last round.
    const entry = this.#here.get(key)?.isDurable ? undefined : await this.#cellOf(key)?.read()
    const here = this.#here.get(key)
    if (here?.repeat !== undefined && (entry === undefined || here.isDurable))
      return { repeat: here.repeat, id: here.id }
    if (this.#store === undefined) return { repeat, id: this.#kept.get(key)?.id }
    return { repeat: { ...repeat, version: entry?.version }, id: entry?.value }
  }

  #cellOf(key: string): Cell<string> | undefined {
    return this.#store && new Cell(this.#store, key)
  }

  /** With a handle: that of an anonymous caller; or of someone known, one of several calls for the same. */
  #nameOf({ incoming, target }: Repeatable, handle: string | undefined): Repeat {
    const caller = callerKey(incoming)
    const keyOf = (key: CallerKey) => `repeat/${digest([key, target])}`
    if (caller === undefined) return { key: keyOf(callerKeyWith(handle ?? '', incoming)), handle, version: undefined }
    const key = keyOf(caller)
    return handle === undefined ? { key, handle, version: undefined } : withHandle(key, handle)
  }
}

function withHandle(key: string, handle: string): Repeat {
  return { key: `${key}/${digest(handle)}`, handle, version: undefined }
}
