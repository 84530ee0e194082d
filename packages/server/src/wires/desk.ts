// For clients that cannot ask, where a desk is attached: the ask is put on the desk, and the call goes on by itself.
// The request waits for a while; then its result tells the model where the person can answer, and to call the same tool
// with the same arguments again, which continues this very call until its result was delivered once.
import { CallCancelledError } from '@beckon/core'
import type { Ask, Ending, OpenAsk } from '../calls/ask.js'
import { BoundedMap } from '../calls/bounded-map.js'
import type { Call } from '../calls/call.js'
import type { Clock } from '../calls/clock.js'
import { digest } from '../calls/digest.js'
import type { End, Wire } from '../calls/wire.js'
import { startHeartbeat } from './heartbeat.js'
import type { Incoming } from './incoming.js'
import { whenCancelled } from './when-cancelled.js'

/** A call as a desk shows it. */
export interface DeskCall {
  readonly id: string
  readonly server: string
  readonly tool: string
  readonly input: unknown
  readonly principal: string | undefined
}

/** Where a call's asks are put. `@beckon/desk` makes one. */
export interface AskDesk {
  attend(call: DeskCall): Promise<DeskPlace>
}

/** The place of one call on a desk. */
export interface DeskPlace {
  /** Where a person can answer. */
  readonly link: string
  /** Puts an ask, and resolves when it has ended. */
  ask(id: string, ask: Ask, options: { expiresAt: number; signal: AbortSignal }): Promise<Ending>
  /** The call is over. */
  leave(how: 'complete' | 'cancel'): Promise<void>
}

export class DeskWire implements Wire {
  readonly name = 'desk'
  readonly #attend: () => Promise<DeskPlace>
  readonly #open = new Map<string, AbortController>()
  #call: Call | undefined
  #place: Promise<DeskPlace> | undefined

  /** `attend` is called with the first ask: a call that asks nothing is not on the desk. */
  constructor(attend: () => Promise<DeskPlace>) {
    this.#attend = attend
  }

  /** The call's place on the desk, once it has asked something. */
  get place(): Promise<DeskPlace> | undefined {
    return this.#place
  }

  serve(call: Call): void {
    this.#call = call
  }

  put({ id, ask, expiresAt }: OpenAsk): void {
    const withdrawal = new AbortController()
    this.#open.set(id, withdrawal)
    this.#place ??= this.#attend()
    this.#place
      .then(place => place.ask(id, ask, { expiresAt, signal: withdrawal.signal }))
      .catch((error: unknown): Ending => ({ kind: 'failed', error }))
      .then(ending => {
        this.#open.delete(id)
        this.#call?.settle(id, ending)
      })
  }

  withdraw({ id }: OpenAsk): void {
    this.#open.get(id)?.abort()
    this.#open.delete(id)
  }
}

interface Pending<T> {
  readonly call: Call<T>
  readonly wire: DeskWire
}

/** What a request to a call on the desk comes to. */
export type DeskReply<T> = { kind: 'ended'; end: End<T> } | { kind: 'waiting'; link: string; asks: readonly OpenAsk[] }

/** Calls that wait on the desk, by who made them and what for. */
export class DeskCalls<T> {
  readonly #clock: Clock
  readonly #pending: BoundedMap<string, Pending<T>>

  constructor(clock: Clock, max: number) {
    this.#clock = clock
    this.#pending = new BoundedMap(max, ({ call }) => call.drop())
  }

  /** Continues the call that this request asks for again, or begins one; waits so long for its end. */
  async answer(
    incoming: Incoming,
    target: Call['target'],
    waitMs: number,
    begin: () => Pending<T>,
  ): Promise<DeskReply<T>> {
    const key = digest([incoming.principal ?? incoming.sessionId ?? null, target])
    const known = this.#pending.get(key)
    const pending = known ?? begin()
    if (known === undefined) this.#pending.set(key, pending)
    const { call } = pending
    call.attach(incoming)
    const end = await this.#wait(call, incoming, waitMs)
    const place = await pending.wire.place
    if (end === undefined && place !== undefined) {
      call.park()
      return { kind: 'waiting', link: place.link, asks: call.openAsks }
    }
    if (this.#pending.get(key) === pending) this.#pending.delete(key)
    await place?.leave(call.isDropped ? 'cancel' : 'complete')
    return { kind: 'ended', end: end ?? (await call.end()) }
  }

  close(): void {
    for (const { call } of this.#pending.values()) call.drop()
    this.#pending.clear()
  }

  /** The end of a call, unless a person lets it wait. A client that goes away leaves the call to whoever asks again. */
  #wait(call: Call<T>, incoming: Incoming, waitMs: number): Promise<End<T> | undefined> {
    return new Promise((resolve, reject) => {
      let stopTimer = this.#clock.after(waitMs, giveUp)
      const stopBeat = startHeartbeat(incoming, this.#clock, call)
      const stopWatching = whenCancelled(incoming, () => {
        stop()
        reject(new CallCancelledError('The client went away. The person can still answer: call the tool again.'))
      })
      const stop = () => {
        stopTimer()
        stopBeat()
        stopWatching()
      }
      // A handler that is busy, and waits for nobody, is waited for.
      function giveUp(this: void): void {
        if (call.openAsks.length > 0) {
          stop()
          resolve(undefined)
        } else stopTimer = again()
      }
      const again = () => this.#clock.after(waitMs, giveUp)
      call.end().then(end => {
        stop()
        resolve(end)
      })
    })
  }
}

/** What a model is told while a person thinks. */
export function waitingText(tool: string, { link, asks }: Extract<DeskReply<unknown>, { kind: 'waiting' }>): string {
  const questions = asks.flatMap(({ ask }) => ('message' in ask ? [JSON.stringify(ask.message)] : []))
  return (
    `A person was asked: ${questions.join(', ')}. They have not answered yet, and can do so at ${link} . ` +
    `Tell them, and do not answer for them. To go on, call "${tool}" again with the same arguments: it continues this call.`
  )
}
