// One call: a running handler, its journal and its open asks. It knows no protocol; a `Wire` carries the asks.
//
// Waiting is a promise that does not settle, so there is nothing for a handler to catch. A call that is dropped
// (overtaken by a replay, or let go to stay within bounds) leaves its handler at such a promise for good: it never
// continues, and only `signal` tells it so.
import { CallCancelledError, Stopwatch } from '@beckon/core'
import { digest } from '../crypto/digest.js'
import type { Incoming } from '../protocol/incoming.js'
import type { Clock } from '../runtime/clock.js'
import { type Deferred, deferred } from '../runtime/deferred.js'
import { never } from '../runtime/never.js'
import type { Telemetry } from '../telemetry/telemetry.js'
import type { Outside } from '../waits/waits.js'
import type { Ask, Ending, OpenAsk } from './ask.js'
import { askEntry } from './ask-entry.js'
import { Holds } from './holds.js'
import type { Journal, Reply } from './journal.js'
import { Marks } from './marks.js'
import { OpenAsks } from './open-asks.js'
import { RestPoint } from './rest-point.js'
import { type Keeper, runStep } from './run-step.js'
import type { End, Pause, Peer, Target, Wire } from './wire.js'

interface AskOptions {
  key?: string | undefined
  timeoutMs: number
  /** A reply that the client sent before it was asked, where that may count. */
  unasked?: Reply | undefined
}

/** When asks of an earlier run were made, and until when they can be answered, by their id. */
export type EarlierAsks = ReadonlyMap<string, Pick<OpenAsk, 'askedAt' | 'expiresAt'>>

export interface CallOptions {
  id: string
  target: Target
  principal: string | undefined
  journal: Journal
  wire: Wire
  clock: Clock
  maxAsks: number
  /** How long a run may wait for nothing but the outside before that counts as a pause. */
  holdMs: number
  earlier?: EarlierAsks | undefined
  telemetry?: Telemetry | undefined
}

export class Call<T = unknown> {
  readonly id: string
  readonly target: Target
  readonly principal: string | undefined
  readonly journal: Journal
  #wire: Wire
  readonly #clock: Clock
  readonly #maxAsks: number
  readonly #holdMs: number
  readonly #earlier: EarlierAsks | undefined
  readonly #asks: OpenAsks
  readonly #holds = new Holds()
  #incoming: Incoming | undefined
  #peer: Peer = { capabilities: {}, revision: '2026-07-28', client: undefined }
  /** The client's session or connection, where there is one. */
  sessionId: string | undefined
  #marks = new Marks()
  #steps = 0
  #dropped: { kind: 'failed'; error: unknown } | undefined
  #left = false
  #end: End<T> | undefined
  #ending: Deferred<End<T>> | undefined
  #rest: RestPoint<T> | undefined
  #isParked = false
  /** What waits for the next request; made when something does. */
  #parked: Deferred<void> | undefined
  #abort: AbortController | undefined
  #limit: Stopwatch | undefined

  constructor(options: CallOptions) {
    this.id = options.id
    this.target = options.target
    this.principal = options.principal
    this.journal = options.journal
    this.#wire = options.wire
    this.#clock = options.clock
    this.#maxAsks = options.maxAsks
    this.#holdMs = options.holdMs
    this.#earlier = options.earlier
    this.#asks = new OpenAsks(options.clock, options.telemetry)
  }

  /** Aborts when the call is cancelled or dropped; not between rounds. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController()
    if (this.#dropped !== undefined) this.#abort.abort(this.#dropped.error)
    return this.#abort.signal
  }

  /** The request that is open now. */
  get incoming(): Incoming | undefined {
    return this.#incoming
  }

  /** What is known of the client: of the request that is open now, or of the last one. */
  get peer(): Peer {
    return this.#peer
  }

  get openAsks(): OpenAsk[] {
    return this.#asks.all
  }

  /** Until when something that is open now can still be answered. */
  get openUntil(): number {
    return Math.max(this.#holds.until, ...this.openAsks.map(open => open.expiresAt))
  }

  get wire(): Wire['name'] {
    return this.#wire.name
  }

  /** Whether a round can end here, for the model to bring the answer with another call. */
  get endsRounds(): boolean {
    return this.#wire.name === 'rounds' && !this.#left
  }

  /** Whether it goes on by itself. */
  get hasLeft(): boolean {
    return this.#left
  }

  /** How many asks this run has made. */
  get asked(): number {
    return this.#marks.asks
  }

  get hasEnded(): boolean {
    return this.#end !== undefined
  }

  get isDropped(): boolean {
    return this.#dropped !== undefined
  }

  /** Writes steps down; without one they are in the journal alone. */
  keeper: Keeper | undefined

  /** Whether steps can be written down while no request is open. */
  recordsWhileParked = false

  /** Answers that came with the first request, before anything was asked. */
  unasked: Readonly<Record<string, unknown>> | undefined

  /** The last progress that the handler told, for a heartbeat to stay above. */
  lastProgress = 0

  now(): number {
    return this.#clock.now()
  }

  /** An id that nobody can guess, and that is the same in every run. */
  nextId(purpose: string): string {
    return digest([this.id, purpose, this.#marks.count(`id ${purpose}`)]).slice(0, 22)
  }

  /**
   * Remembers how far this run has come. The result takes it back there: what it then asks and does again is found in
   * the journal, as in a replay. Not while an ask is open.
   */
  checkpoint(): () => void {
    const marks = this.#marks.copy()
    const restoreJournal = this.journal.checkpoint()
    return () => {
      if (!this.#asks.isEmpty) throw new CallCancelledError('A handler that waits for an answer cannot begin again.')
      this.#marks = marks.copy()
      restoreJournal()
    }
  }

  /** Starts the handler. */
  run(handler: () => Promise<T>): void {
    handler().then(
      result => this.#finish({ kind: 'finished', result }),
      (error: unknown) => this.#finish({ kind: 'failed', error }),
    )
  }

  /** Resolves when the handler ended, or waits for answers with nothing else going on. */
  pause(): Promise<Pause<T>> {
    if (this.#left) return Promise.resolve({ kind: 'left' })
    const end = this.#end ?? this.#dropped
    if (end !== undefined) return Promise.resolve(end)
    if (this.#rest === undefined || this.#rest.isReached) this.#rest = new RestPoint(this, this.#clock, this.#holdMs)
    this.#rest.check()
    return this.#rest.reached
  }

  /** Resolves when the handler ended, or the call was dropped. */
  end(): Promise<End<T>> {
    const end = this.#end ?? this.#dropped
    if (end !== undefined) return Promise.resolve(end)
    this.#ending ??= deferred()
    return this.#ending.promise
  }

  /** Puts an ask, unless an earlier run was answered, and waits for its end. */
  ask(ask: Ask, { key, timeoutMs, unasked }: AskOptions): Promise<Ending> {
    if (this.isDropped) return never()
    if (this.#end !== undefined)
      return Promise.reject(new CallCancelledError('The handler has already returned: it can ask nothing more.'))
    if (this.#marks.asks >= this.#maxAsks)
      return Promise.reject(
        new CallCancelledError(`The call made ${this.#maxAsks} asks, which is as many as one call may make.`),
      )
    const mark = this.#marks.markOf(ask, key)
    const known = this.journal.findReply(mark)
    if (known !== undefined) {
      this.#marks.idOf(mark)
      return Promise.resolve(known)
    }
    const from = this.journal.reach
    if (unasked !== undefined) {
      this.journal.record(askEntry(mark, from, unasked))
      return Promise.resolve(unasked)
    }
    const id = this.#marks.idOf(mark)
    const now = this.#clock.now()
    const { askedAt = now, expiresAt } = this.#earlier?.get(id) ?? { expiresAt: now + timeoutMs }
    const open: OpenAsk = { id, ask, mark, from, askedAt, expiresAt }
    const ending = this.#asks.add(open, this.#wire.name, () => this.#expire(open))
    this.#limit?.stop()
    this.#wire.put(open)
    this.#rest?.check()
    return ending
  }

  /** Ends an open ask. False when it is not open (any more). */
  settle(id: string, ending: Ending): boolean {
    const taken = this.isDropped ? undefined : this.#asks.take(id, this.#wire.name, ending)
    if (taken === undefined) return false
    const { mark, from } = taken.open
    if (ending.kind !== 'failed') this.journal.record(askEntry(mark, from, ending))
    this.#runLimit()
    taken.resolve()
    return true
  }

  /** Runs `fn` once for the call, and remembers its result. */
  async step<R>(name: string, fn: (step: { id: string }) => R | Promise<R>): Promise<R> {
    if (this.isDropped) return never()
    const nth = this.#marks.count(`step ${name}`)
    const known = this.journal.findStep(name, nth)
    // The result went through JSON when it was recorded.
    if (known !== undefined) return known.result as R
    if (this.#isParked && !this.recordsWhileParked) {
      this.#parked ??= deferred()
      await this.#parked.promise
    }
    if (this.isDropped) return never()
    this.#steps++
    try {
      return await runStep(this, { name, nth }, fn)
    } finally {
      this.#steps--
      this.#rest?.check()
    }
  }

  /** Waits for something outside: like an ask that no client can answer. Between rounds that rests. */
  async hold<R>(outside: Outside<R>, expiresAt: number): Promise<R> {
    if (this.isDropped) return never()
    this.#holds.add(outside, expiresAt)
    this.#limit?.stop()
    if (!this.#rests) outside.watch()
    this.#rest?.check()
    try {
      return await outside.settled
    } finally {
      this.#holds.remove(outside)
      this.#runLimit()
      this.#rest?.check()
      if (this.isDropped) await never()
    }
  }

  /** What the handler waits for, with no step running; undefined when it has ended or waits for nothing. */
  get waitsFor(): 'answers' | 'outside' | undefined {
    if (this.#steps > 0 || this.#end !== undefined) return undefined
    if (!this.#asks.isEmpty) return 'answers'
    return this.#holds.isEmpty ? undefined : 'outside'
  }

  /** Whether what is outside is of no use now: nobody could be told. */
  get #rests(): boolean {
    return this.#isParked && this.#wire.name === 'rounds'
  }

  /** A request is open (again). */
  attach(incoming: Incoming): void {
    const { capabilities, revision, client } = incoming
    this.#incoming = incoming
    this.sessionId = incoming.sessionId
    this.#peer = { capabilities, revision, client }
    this.#isParked = false
    this.#parked?.resolve()
    this.#parked = undefined
    this.#holds.watch()
  }

  /** Takes up what is known of the client of an earlier run. */
  restore(peer: Peer, sessionId: string | undefined): void {
    this.#peer = peer
    this.sessionId = sessionId
  }

  /** Goes on by itself from here: the request that is open now is answered without it, and another wire has its asks. */
  leave(wire: Wire): void {
    // A handler that is tried again has left before.
    if (this.#left) return
    this.#wire = wire
    for (const open of this.#asks.all) wire.put(open)
    this.#left = true
    this.#incoming = undefined
    this.#rest?.reach({ kind: 'left' })
  }

  /** Drops the call when the handler itself has run for so long; waiting for an answer does not count. */
  limit(timeoutMs: number): () => void {
    const timeout = new CallCancelledError(`The handler ran for longer than its ${timeoutMs} ms, and was given up.`)
    this.#limit = new Stopwatch(this.#clock, timeoutMs, () => this.drop(timeout))
    this.#limit.run()
    return () => this.#limit?.stop()
  }

  /** No request is open: steps wait for the next one, where nothing could record them. */
  park(): void {
    this.#incoming = undefined
    this.#rest = undefined
    this.#isParked = true
    if (this.#rests) this.#holds.rest()
  }

  /** Ends the call for good: its handler never continues, its open asks are withdrawn. */
  drop(reason: unknown = new CallCancelledError()): void {
    if (this.isDropped) return
    this.#dropped = { kind: 'failed', error: reason }
    this.#withdrawAll()
    this.#abort?.abort(reason)
    if (this.#end !== undefined) return
    this.#ending?.resolve(this.#dropped)
    this.#rest?.reach(this.#dropped)
  }

  #expire(open: OpenAsk): void {
    if (this.#wire.expire !== undefined) this.#wire.expire(open)
    else if (this.settle(open.id, { kind: 'expired' })) this.#wire.withdraw(open)
  }

  #withdrawAll(): void {
    for (const open of this.#asks.takeAll(this.#wire.name)) this.#wire.withdraw(open)
    this.#holds.rest()
  }

  #finish(end: End<T>): void {
    if (this.isDropped) return
    this.#end = end
    this.#withdrawAll()
    this.#ending?.resolve(end)
    this.#rest?.reach(end)
  }

  /** Time counts again once nothing is waited for. */
  #runLimit(): void {
    if (this.#asks.isEmpty && this.#holds.isEmpty) this.#limit?.run()
  }
}
