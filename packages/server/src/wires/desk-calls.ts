// Calls whose asks are on the desk, by who made them and what for. A call is in the store from its first ask on; a request
// for the same finds it there, in whichever process it runs.
//
// Threat: someone who calls the same tool with the same arguments, and so gets the result that another person's answer was
// for. Whoever is told apart from everybody else goes on with their own calls. Of the others nobody knows which call is
// whose: each of theirs has a handle, which its reply names, and only who brings that goes on with it.

import type { Call } from '../call/call.js'
import type { End, Target } from '../call/wire.js'
import type { DetachedCalls } from '../calls/detached/detached-calls.js'
import type { Attendant, DetachedRun } from '../calls/detached/detached-run.js'
import type { About, Encoded } from '../calls/detached/line.js'
import type { DetachedState } from '../calls/detached/state.js'
import { digest } from '../crypto/digest.js'
import { randomId } from '../crypto/random-id.js'
import { type CallerKey, callerKey, callerKeyWith } from '../protocol/caller-key.js'
import type { Incoming } from '../protocol/incoming.js'
import { BoundedMap } from '../runtime/bounded-map.js'
import type { Clock } from '../runtime/clock.js'
import type { Store, Version } from '../store/index.js'
import { clientCancelled, clientGone, type DeskWaiting } from './desk.js'
import { waitForEnd } from './wait-for-end.js'

export interface DeskCallsOptions<T> {
  calls: DetachedCalls<T>
  /** The name of the server: those that share a store have calls of their own. */
  server: string
  store: Store
  clock: Clock
  /** How long a call and its result are kept. */
  ttlMs: number
  /** So many run here at once. */
  max: number
  /** What becomes of a call whose client cancels or goes away while it waits: it is kept for who asks again, or ends. */
  whenGone: 'keep' | 'cancel'
  encodeEnd: (end: End<T>, call: Call<T>) => Encoded | Promise<Encoded>
}

/** A call that may end up on the desk. */
export interface DeskBeginning<T> {
  readonly about: Omit<About, 'wire' | 'createdAt' | 'expiresAt'>
  readonly attendant: Attendant
  /** Makes the call, and starts its handler. */
  start(run: DetachedRun<T>): Call<T>
}

/** What a request for a call on the desk is for. */
export interface DeskRequest {
  readonly target: Target
  /** What the reply to an earlier request named, for a caller whom nothing tells apart. */
  readonly handle: string | undefined
}

/** What a request to a call on the desk comes to. */
export type DeskReply = { readonly kind: 'ended'; readonly end: Encoded } | ({ readonly kind: 'waiting' } & DeskWaiting)

/** One request, and whose call it is for. */
interface Visit {
  readonly key: string
  readonly incoming: Incoming
  readonly waitMs: number
  readonly whenGone: 'keep' | 'cancel'
}

interface Here<T> {
  readonly id: string
  readonly call: Call<T>
  readonly run: DetachedRun<T>
  readonly attendant: Attendant
}

export class DeskCalls<T> {
  readonly #options: DeskCallsOptions<T>
  /** Those that began in this process and still run. */
  readonly #here: BoundedMap<string, Here<T>>

  constructor(options: DeskCallsOptions<T>) {
    this.#options = options
    this.#here = new BoundedMap(options.max)
  }

  /** Continues the call that this request asks for again, or begins one; waits so long for its end. */
  async answer(
    incoming: Incoming,
    request: DeskRequest,
    waitMs: number,
    begin: (id: string) => DeskBeginning<T>,
  ): Promise<DeskReply> {
    const { whenGone } = this.#options
    const caller = callerKey(incoming)
    if (caller !== undefined)
      return this.#answer({ key: this.#keyOf(caller, request), incoming, waitMs, whenGone }, begin)
    // One that is not known, or no more, begins nothing: a handle is ours to choose, and no client's.
    const known = await this.#known(incoming, request)
    const handle = known ?? randomId()
    const key = this.#keyOf(callerKeyWith(handle, incoming), request)
    // Nobody could ever ask again for a call whose handle was not told.
    const left = known === undefined ? 'cancel' : whenGone
    const reply = await this.#answer({ key, incoming, waitMs, whenGone: left }, begin)
    return reply.kind === 'waiting' ? { ...reply, handle } : reply
  }

  /** Whether this request asks again for a call that is on the desk. */
  async knows(incoming: Incoming, request: DeskRequest): Promise<boolean> {
    const caller = callerKey(incoming)
    return caller === undefined
      ? (await this.#known(incoming, request)) !== undefined
      : this.#isKept(this.#keyOf(caller, request))
  }

  /** The handle that was brought, where it is that of a call. */
  async #known(incoming: Incoming, request: DeskRequest): Promise<string | undefined> {
    const { handle } = request
    if (handle === undefined) return undefined
    return (await this.#isKept(this.#keyOf(callerKeyWith(handle, incoming), request))) ? handle : undefined
  }

  async #isKept(key: string): Promise<boolean> {
    return this.#here.get(key) !== undefined || (await this.#options.store.get(key)) !== undefined
  }

  #keyOf(caller: CallerKey, { target }: DeskRequest): string {
    return `desk-call/${digest([this.#options.server, caller, target])}`
  }

  async #answer(visit: Visit, begin: (id: string) => DeskBeginning<T>): Promise<DeskReply> {
    const { store } = this.#options
    const { key } = visit
    for (;;) {
      const here = this.#here.get(key)
      const known = here === undefined ? await store.get(key) : undefined
      if (here === undefined && known === undefined && this.#here.get(key) === undefined) this.#begin(key, begin)
      const reply =
        known === undefined ? await this.#waitHere(visit) : await this.#waitThere(visit, String(known.value))
      if (reply !== undefined) return reply
      // What was known is gone: its time was over, or someone else has its result.
      if (known !== undefined) await this.#forget(key, known.version)
    }
  }

  close(): void {
    for (const { call, run } of this.#here.values()) if (run.record.state === undefined) call.drop()
    this.#here.clear()
  }

  #begin(key: string, begin: (id: string) => DeskBeginning<T>): void {
    const { calls, store, clock, ttlMs } = this.#options
    const id = randomId()
    const { about, attendant, start } = begin(id)
    const run = calls.prepare(id, 'desk', {
      attendant,
      open: async () => {
        const createdAt = clock.now()
        const expiresAt = createdAt + ttlMs
        const isFirst = (await store.compareAndSet(key, undefined, id, { expiresAt })) !== undefined
        if (isFirst)
          await calls.begin(run, call, { ...about, wire: 'desk', createdAt, expiresAt }, [...call.journal.entries])
        else run.release()
      },
    })
    const call = start(run)
    run.serve(call)
    const here = { id, call, run, attendant }
    this.#here.set(key, here)
    call.end().then(() => {
      if (this.#here.get(key) === here) this.#here.delete(key)
    })
  }

  /** Undefined when another process was faster to ask for the same. */
  async #waitHere(visit: Visit): Promise<DeskReply | undefined> {
    const { key, incoming, waitMs } = visit
    const { clock } = this.#options
    const here = this.#here.get(key)
    if (here === undefined) return undefined
    const { call, run, attendant, id } = here
    call.attach(incoming)
    const end = await waitForEnd<End<T>>(
      { incoming, clock, waitMs, progress: call },
      {
        isAsking: () => call.openAsks.length > 0,
        ended: done => void call.end().then(done),
        // What has no record yet has nothing on the desk.
        left: () =>
          this.#left(visit, () => (run.record.state === undefined ? call.drop(clientCancelled()) : this.#cancel(id))),
      },
    )
    if (run.isReleased) return undefined
    if (end !== undefined) {
      const encoded = await this.#options.encodeEnd(end, call)
      if (run.record.state !== undefined) await this.#deliver(key, id)
      return { kind: 'ended', end: encoded }
    }
    const link = await attendant.link
    call.park()
    return { kind: 'waiting', link: link ?? '', asks: call.openAsks }
  }

  /** Undefined when the call is gone. */
  async #waitThere(visit: Visit, id: string): Promise<DeskReply | undefined> {
    const { key, incoming, waitMs } = visit
    const { calls, clock } = this.#options
    let state = await calls.look(id)
    if (state === undefined) return undefined
    const running = calls.running(id)
    running?.attach(incoming)
    let stopWatching = () => {}
    const last = await waitForEnd<DetachedState | 'gone'>(
      { incoming, clock, waitMs, progress: running ?? { lastProgress: 0 } },
      {
        isAsking: () => (state?.open.length ?? 0) > 0 && state?.link !== undefined,
        ended: (done, fail) => {
          stopWatching = calls.watch(id, () => {
            calls.look(id).then(now => {
              state = now
              if (now === undefined) done('gone')
              else if (now.end !== undefined) done(now)
            }, fail)
          })
        },
        left: () => this.#left(visit, () => this.#cancel(id)),
      },
    ).finally(() => stopWatching())
    if (last === 'gone') return undefined
    if (last === undefined) {
      running?.park()
      return { kind: 'waiting', link: state.link ?? '', asks: state.open }
    }
    const { end } = last
    if (end === undefined || end === 'cancelled') return undefined
    await this.#deliver(key, id)
    return { kind: 'ended', end }
  }

  #left({ whenGone }: Visit, cancel: () => void): Error {
    if (whenGone === 'keep') return clientGone()
    cancel()
    return clientCancelled()
  }

  #cancel(id: string): void {
    // A store that is away keeps the call, whose asks expire.
    this.#options.calls.cancel(id).catch(() => {})
  }

  /** From here on the same request is a new call. */
  async #deliver(key: string, id: string): Promise<void> {
    const { store, calls } = this.#options
    const entry = await store.get(key)
    if (entry?.value === id) await this.#forget(key, entry.version)
    await calls.delivered(id)
  }

  async #forget(key: string, version: Version): Promise<void> {
    await this.#options.store.compareAndSet(key, version, null, { expiresAt: 0 })
  }
}
