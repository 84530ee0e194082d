// Calls whose asks are on the desk, by who made them and what for. A call is in the store from its first ask on; a request
// for the same finds it there, in whichever process it runs.

import type { OpenAsk } from '../calls/ask.js'
import { BoundedMap } from '../calls/bounded-map.js'
import type { Call } from '../calls/call.js'
import type { Clock } from '../calls/clock.js'
import type { DetachedCalls } from '../calls/detached/detached-calls.js'
import type { Attendant, DetachedRun } from '../calls/detached/detached-run.js'
import type { About, Encoded } from '../calls/detached/line.js'
import type { DetachedState } from '../calls/detached/state.js'
import { digest } from '../calls/digest.js'
import { randomId } from '../calls/random-id.js'
import type { End, Target } from '../calls/wire.js'
import type { Store, Version } from '../store/index.js'
import { clientGone } from './desk.js'
import { startHeartbeat } from './heartbeat.js'
import type { Incoming } from './incoming.js'
import { whenCancelled } from './when-cancelled.js'

export interface DeskCallsOptions<T> {
  calls: DetachedCalls<T>
  store: Store
  clock: Clock
  /** How long a call and its result are kept. */
  ttlMs: number
  /** So many run here at once. */
  max: number
  encodeEnd: (end: End<T>, call: Call<T>) => Encoded | Promise<Encoded>
}

/** A call that may end up on the desk. */
export interface DeskBeginning<T> {
  readonly about: Omit<About, 'wire' | 'createdAt' | 'expiresAt'>
  readonly attendant: Attendant
  /** Makes the call, and starts its handler. */
  start(run: DetachedRun<T>): Call<T>
}

/** What a request to a call on the desk comes to. */
export type DeskReply = { kind: 'ended'; end: Encoded } | { kind: 'waiting'; link: string; asks: readonly OpenAsk[] }

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
    target: Target,
    waitMs: number,
    begin: (id: string) => DeskBeginning<T>,
  ): Promise<DeskReply> {
    const { store } = this.#options
    const key = `desk-call/${digest([callerOf(incoming), target])}`
    for (;;) {
      const here = this.#here.get(key)
      const known = here === undefined ? await store.get(key) : undefined
      if (here === undefined && known === undefined && this.#here.get(key) === undefined) this.#begin(key, begin)
      const reply =
        known === undefined
          ? await this.#waitHere(key, incoming, waitMs)
          : await this.#waitThere(key, String(known.value), incoming, waitMs)
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
  async #waitHere(key: string, incoming: Incoming, waitMs: number): Promise<DeskReply | undefined> {
    const here = this.#here.get(key)
    if (here === undefined) return undefined
    const { call, run, attendant, id } = here
    call.attach(incoming)
    const end = await this.#wait<End<T>>(incoming, waitMs, call, {
      isAsking: () => call.openAsks.length > 0,
      ended: done => void call.end().then(done),
    })
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
  async #waitThere(key: string, id: string, incoming: Incoming, waitMs: number): Promise<DeskReply | undefined> {
    const { calls } = this.#options
    let state = await calls.look(id)
    if (state === undefined) return undefined
    const running = calls.running(id)
    running?.attach(incoming)
    let stopWatching = () => {}
    const last = await this.#wait<DetachedState | 'gone'>(incoming, waitMs, running, {
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
    }).finally(() => stopWatching())
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

  /** Waits for the end of a call, unless a person lets it wait. */
  #wait<E>(
    incoming: Incoming,
    waitMs: number,
    call: Call<T> | undefined,
    on: { isAsking(): boolean; ended(done: (end: E) => void, fail: (error: unknown) => void): void },
  ): Promise<E | undefined> {
    const { clock } = this.#options
    return new Promise((resolve, reject) => {
      let stopTimer = clock.after(waitMs, giveUp)
      const stopBeat = startHeartbeat(incoming, clock, call ?? { lastProgress: 0 })
      const stopWatching = whenCancelled(incoming, () => {
        stop()
        reject(clientGone())
      })
      const stop = () => {
        stopTimer()
        stopBeat()
        stopWatching()
      }
      // A handler that is busy, and waits for nobody, is waited for.
      function giveUp(this: void): void {
        if (on.isAsking()) {
          stop()
          resolve(undefined)
        } else stopTimer = clock.after(waitMs, giveUp)
      }
      on.ended(
        end => {
          stop()
          resolve(end)
        },
        error => {
          stop()
          reject(error)
        },
      )
    })
  }
}

/**
 * Who may go on with a call. Where nobody is told apart, a gate before the tool may still have looked at the credentials of
 * the request: so only the same ones continue what it let through. Callers without any are one.
 */
function callerOf(incoming: Incoming): readonly (string | null)[] {
  const { principal, sessionId } = incoming
  if (principal !== undefined) return ['principal', principal]
  if (sessionId !== undefined) return ['session', sessionId]
  return ['credentials', incoming.header?.('authorization') ?? null, incoming.header?.('cookie') ?? null]
}
