// One call: a running handler, its journal and its open asks. It knows no protocol: `Wires` carry the asks,
// each ask over its own wire.
//
// Waiting is a promise that does not settle, so there is nothing for a handler to catch. A call that is dropped
// (overtaken by a replay, or let go to stay within bounds) leaves its handler at such a promise for good: it never
// continues, and only `signal` tells it so.
import { CallCancelledError, Stopwatch } from '@beckon/core'
import { digest } from '../crypto/digest.js'
import { afterTurn } from '../runtime/after-turn.js'
import { type Deferred, deferred } from '../runtime/deferred.js'
import { never } from '../runtime/never.js'
import type { ExternalWait } from '../waits/waits.js'
import type { Ask, Ending, OpenAsk, WireName } from './ask.js'
import type { AskOptions, CallOptions, EarlierAsks } from './call-options.js'
import type { CallRules } from './call-rules.js'
import type { End, Pause, Peer, Target, Wires } from './call-types.js'
import { Deliveries } from './deliveries.js'
import { ExternalWaits } from './external-waits.js'
import type { Incoming } from './incoming.js'
import { askEntry, copyOf, type Entry, type Journal, type StepEntry } from './journal.js'
import { Marks } from './marks.js'
import { OpenAsks } from './open-asks.js'
import { PausePoints } from './pause-points.js'
import { errorOf, resultOf, runStep, type StepRecorder } from './run-step.js'

const none: readonly never[] = []

/** Before anything is known of a client. */
const unknownClient: Peer = { capabilities: {}, revision: '2026-07-28', client: undefined }

export class Call<T = unknown> {
  readonly id: string
  readonly target: Target
  readonly principal: string | undefined
  /** Of this run, with what earlier ones learned. */
  journal: Journal
  readonly #wires: Wires
  readonly #rules: CallRules
  readonly #asks: OpenAsks
  /** Made when something was learned. */
  #deliveries: Deliveries | undefined
  /** Made when something is waited for outside. */
  #external: ExternalWaits | undefined
  #incoming: Incoming | undefined
  #peer: Peer = unknownClient
  /** The wire of its client; undefined once asks can no longer reach that client. */
  clientWire: Exclude<WireName, 'desk'> | undefined
  /** The client's session or connection, where there is one. */
  sessionId: string | undefined
  #marks = new Marks()
  #steps = 0
  /** Changes when the handler is run again. What is left of an attempt before that goes no further. */
  #attempt = 0
  /** Between two attempts whatever asks or does something is left of the first. */
  #isBetween = false
  /** Who waits until no step runs. */
  #rested: readonly (() => void)[] = none
  #dropped: { kind: 'failed'; error: unknown } | undefined
  #isTask = false
  #end: End<T> | undefined
  #ending: Deferred<End<T>> | undefined
  readonly #pauses: PausePoints<T>
  #isSuspended = false
  /** What waits for the next request; made when something does. */
  #resumed: Deferred<void> | undefined
  #abort: AbortController | undefined
  #limit: Stopwatch | undefined

  constructor(options: CallOptions, wires: Wires) {
    this.id = options.id
    this.target = options.target
    this.principal = options.principal
    this.journal = options.journal
    this.#wires = wires
    this.clientWire = options.clientWire
    this.#rules = options.rules
    this.#asks = new OpenAsks(options.rules)
    this.#pauses = new PausePoints(this, options.rules)
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

  /** The time until which an open ask or wait can still be answered. */
  get openUntil(): number {
    return this.#asks.all.reduce((until, { expiresAt }) => Math.max(until, expiresAt), this.#external?.until ?? 0)
  }

  /** Whether a round can end here, for the model to bring the answer with another call. */
  get endsRounds(): boolean {
    return this.clientWire === 'rounds'
  }

  /** How many asks this run has made. */
  get asked(): number {
    return this.#marks.asks
  }

  /** Whether an earlier run recorded something that this one has not reached. */
  get isReplay(): boolean {
    return this.journal.unreached().length > 0
  }

  get hasEnded(): boolean {
    return this.#end !== undefined
  }

  get isDropped(): boolean {
    return this.#dropped !== undefined
  }

  /** Why it was dropped, or failed. */
  get failedFor(): unknown {
    const end = this.#dropped ?? this.#end
    return end?.kind === 'failed' ? end.error : undefined
  }

  /** The step whose function is being entered: what is asked meanwhile is asked inside it. */
  entering: string | undefined

  /** Records steps; without one they are in the journal alone. */
  recorder: StepRecorder | undefined

  /** Whether steps can be recorded while no request is open. */
  recordsWhileSuspended = false

  /** Whether it goes on without its client: what is outside is then waited for between requests, too. */
  isDurable = false

  /** What earlier runs asked, and nobody has answered. */
  earlier: EarlierAsks | undefined

  /** Entries of the journal that no log has yet. */
  unlogged: readonly Entry[] = none

  /** Answers that came with the first request, before anything was asked. */
  unasked: Readonly<Record<string, unknown>> | undefined

  /** Whether something that it asked had no person to answer it. */
  missedPerson = false

  /** The last progress that its client was told: the next must be more. */
  lastProgress: number | undefined

  now(): number {
    return this.#rules.clock.now()
  }

  /** An id that nobody can guess, and that is the same in every run. */
  nextId(purpose: string): string {
    return digest([this.id, purpose, this.#marks.count(`id ${purpose}`)]).slice(0, 22)
  }

  /**
   * Remembers how far this run has come. The result takes it back there, once no step runs: asks and steps that it then repeats are
   * found in the journal, as in a replay. Must not be called while an ask is open.
   */
  checkpoint(): (error?: unknown) => Promise<void> {
    const marks = this.#marks.copy()
    const restoreJournal = this.journal.checkpoint()
    return async error => {
      if (!this.#asks.isEmpty) throw new CallCancelledError('A handler that waits for an answer cannot begin again.')
      this.#attempt++
      this.#isBetween = true
      // One that is still at work beside what failed may have its effect yet.
      while (this.#steps > 0)
        await new Promise<void>(resolve => {
          this.#rested = this.#rested.concat(resolve)
        })
      this.#isBetween = false
      this.#deliveries?.stop()
      this.#runLimit()
      this.#marks = marks.copy()
      restoreJournal(error)
    }
  }

  /** Starts the handler. */
  run(handler: () => Promise<T>): void {
    handler().then(
      result => this.#finish({ kind: 'finished', result }),
      (error: unknown) => this.#finish({ kind: 'failed', error }),
    )
  }

  /**
   * Resolves when the handler ended, or waits with nothing else going on.
   * @param background Whether it counts that what it waits for comes without its client.
   */
  pause(background = true): Promise<Pause<T>> {
    const reached = this.#reached(background)
    return reached === undefined ? this.#pauses.wait(background) : Promise.resolve(reached)
  }

  /** The same for one who may leave before: calls `listener` once, in a later turn, unless the result is called before. */
  onPause(background: boolean, listener: (pause: Pause<T>) => void): () => void {
    const reached = this.#reached(background)
    if (reached === undefined) return this.#pauses.listen(background, listener)
    let isWanted = true
    afterTurn(() => {
      if (isWanted) listener(reached)
    })
    return () => {
      isWanted = false
    }
  }

  #reached(background: boolean): Pause<T> | undefined {
    return this.#end ?? this.#dropped ?? (this.#isTask && background ? { kind: 'background' } : undefined)
  }

  /** Resolves when the handler ended, or the call was dropped. */
  end(): Promise<End<T>> {
    const end = this.#end ?? this.#dropped
    if (end !== undefined) return Promise.resolve(end)
    this.#ending ??= deferred()
    return this.#ending.promise
  }

  /** Opens an ask, unless an earlier run was answered, and waits for its end. */
  ask(ask: Ask, { key, timeoutMs, wire, unasked, floorMs }: AskOptions): Promise<Ending> {
    if (this.#isOver) return never()
    if (this.#end !== undefined)
      return Promise.reject(new CallCancelledError('The handler has already returned: it can ask nothing more.'))
    if (this.entering !== undefined)
      return Promise.reject(
        new TypeError(`The step "${this.entering}" asks a person. Ask before ctx.step, and use the answer in it.`),
      )
    if (this.#marks.asks >= this.#rules.maxAsks)
      return Promise.reject(
        new CallCancelledError(`The call made ${this.#rules.maxAsks} asks, which is as many as one call may make.`),
      )
    const mark = this.#marks.markOf(ask, key)
    const known = this.journal.findReply(mark)
    if (known !== undefined) {
      const { reply } = known.entry
      // Those that come later have the same ids in every run.
      if (reply.kind !== 'outcome' || !reply.unasked) this.#marks.idOf(mark)
      return this.#again(known.index, () => copyOf(reply))
    }
    const from = this.journal.reach
    if (unasked !== undefined) {
      const index = this.#record(askEntry(mark, from, { ...unasked, unasked: true }), false)
      return this.#again(index, () => copyOf(unasked))
    }
    const id = this.#marks.idOf(mark)
    const now = this.#rules.clock.now()
    const earlier = this.earlier?.get(id)
    const { node } = this.#rules
    const open: OpenAsk = {
      id,
      wire: earlier?.wire ?? wire,
      ask,
      mark,
      from,
      askedAt: earlier?.askedAt ?? now,
      expiresAt: earlier?.expiresAt ?? now + timeoutMs,
      floor: earlier === undefined ? (floorMs ? { ms: floorMs, node } : undefined) : earlier.floor,
    }
    const ending = this.#asks.add(open, this)
    this.#limit?.stop()
    this.#wires.open(open)
    this.#pauses.check()
    return ending
  }

  /**
   * Ends an open ask. False when it is not open (any more).
   * @param isLogged Whether the log of the call has it already.
   */
  settle(id: string, ending: Ending, isLogged = false): boolean {
    const taken = this.isDropped ? undefined : this.#asks.take(id, copyOf(ending))
    if (taken === undefined) return false
    const { mark, from } = taken.open
    this.#runLimit()
    // One that could not be shown is nothing that was learned: a replay tries it again.
    if (ending.kind === 'failed') taken.resolve()
    else this.#inTurn.inTurn(this.#record(askEntry(mark, from, ending), isLogged), taken.resolve)
    return true
  }

  /** Moves an open ask to another wire, after it was withdrawn from the old one. The handler does not notice. */
  move(id: string, wire: WireName): OpenAsk | undefined {
    const before = this.#asks.all.find(open => open.id === id)
    const moved = this.isDropped ? undefined : this.#asks.move(id, wire)
    if (before === undefined || moved === undefined) return undefined
    this.#wires.withdraw(before)
    this.#wires.open(moved)
    this.#pauses.check()
    return moved
  }

  /** Runs `fn` once for the call, and remembers its result. */
  async step<R>(name: string, fn: (step: { id: string }) => R | Promise<R>): Promise<R> {
    if (this.#isOver) return never()
    const attempt = this.#attempt
    const nth = this.#marks.count(`step ${name}`)
    const known = this.journal.findStep(name, nth)
    // The result went through JSON when it was recorded.
    if (known !== undefined) return this.#again(known.index, () => this.#outcomeOf<R>(known.entry))
    if (this.#isSuspended && !this.recordsWhileSuspended) {
      this.#resumed ??= deferred()
      await this.#resumed.promise
    }
    if (this.#isOver || attempt !== this.#attempt) return never()
    this.#steps++
    let given: Promise<R>
    try {
      const { entry, failed } = await runStep(this, { name, nth }, fn)
      const index = this.#record(entry, this.recorder !== undefined)
      // What a replay would give, so that a handler sees the same in every run.
      given = attempt === this.#attempt ? this.#again(index, () => this.#outcomeOf<R>(entry, failed)) : never()
    } finally {
      this.#steps--
      const rested = this.#rested
      this.#rested = none
      for (const tell of rested) tell()
      this.#pauses.check()
    }
    return given
  }

  /** Waits for something outside the call: like an ask that no client can answer. Between rounds the wait is paused. */
  async hold<R>(outside: ExternalWait<R>, expiresAt: number): Promise<R> {
    if (this.#isOver) return never()
    const attempt = this.#attempt
    this.#external ??= new ExternalWaits()
    this.#external.add(outside, expiresAt)
    this.#limit?.stop()
    if (!this.#pausesExternal) outside.watch()
    this.#pauses.check()
    try {
      return await outside.settled
    } finally {
      this.#external.remove(outside)
      this.#runLimit()
      this.#pauses.check()
      if (this.isDropped || attempt !== this.#attempt) await never()
    }
  }

  /** What the handler waits for, with no step running; undefined when it has ended, or needs its client's connection. */
  get waitsFor(): 'asks' | 'outside' | 'background' | undefined {
    if (this.#isAtWork || this.#end !== undefined) return undefined
    if (this.#asks.isEmpty) return this.#waitsOutside && this.endsRounds && !this.isDurable ? 'outside' : undefined
    if (this.#asks.has('rounds')) return 'asks'
    return this.#asks.has('push') ? undefined : 'background'
  }

  /** Whether the handler has nothing to do before someone answers, or something happens outside. */
  get isIdle(): boolean {
    return !this.#isAtWork && this.#end === undefined && (!this.#asks.isEmpty || this.#waitsOutside)
  }

  /** Whether who asks or does something now goes no further. */
  get #isOver(): boolean {
    return this.isDropped || this.#isBetween
  }

  /** Whether a step runs, or the handler is about to be given what an earlier run learned. */
  get #isAtWork(): boolean {
    return this.#steps > 0 || this.#deliveries?.isBusy === true
  }

  get #waitsOutside(): boolean {
    return this.#external !== undefined && !this.#external.isEmpty
  }

  /** Whether waits for something outside are paused: there is no request to answer with what they bring. */
  get #pausesExternal(): boolean {
    return this.#isSuspended && this.endsRounds && !this.isDurable
  }

  /** A request is open (again). */
  attach(incoming: Incoming): void {
    const { capabilities, revision, client, isAttended } = incoming
    this.#incoming = incoming
    this.sessionId = incoming.sessionId
    this.#peer = { capabilities, revision, client, isAttended }
    this.#isSuspended = false
    this.#resumed?.resolve()
    this.#resumed = undefined
    this.#external?.watch()
  }

  /** Takes up what is known of the client of an earlier run. */
  restore(peer: Peer, sessionId: string | undefined): void {
    this.#peer = peer
    this.sessionId = sessionId
  }

  /** Becomes a task: its client asks after it from here on, and the request that is open now is answered with that. */
  becomeTask(): void {
    // A handler that is retried may have become a task before.
    if (this.#isTask) return
    this.#isTask = true
    this.clientWire = 'tasks'
    this.#wires.begin()
    for (const open of this.#asks.all) if (open.wire === 'rounds') this.move(open.id, 'tasks')
    this.#incoming = undefined
    this.#pauses.reach({ kind: 'background' })
  }

  /**
   * Goes on without its client: later asks cannot reach that client any more, and open asks move to the desk. Others may wait for it.
   * @param incoming The last request of that client.
   */
  leaveClient(incoming: Incoming | undefined = this.#incoming): void {
    this.clientWire = undefined
    for (const open of this.#asks.all) if (open.wire === 'push' || open.wire === 'rounds') this.move(open.id, 'desk')
    if (this.#incoming === incoming) this.#incoming = undefined
    if (this.isDurable) this.#isSuspended = this.#incoming === undefined
  }

  /** Drops the call when the handler itself has run for `timeoutMs`; waiting for an answer does not count. */
  limit(timeoutMs: number): () => void {
    const timeout = new CallCancelledError(`The handler ran for longer than its ${timeoutMs} ms, and was given up.`)
    this.#limit = new Stopwatch(this.#rules.clock, timeoutMs, () => this.drop(timeout))
    this.#limit.run()
    return () => this.#limit?.stop()
  }

  /** No request is open: steps wait for the next one, where nothing could record them. */
  suspend(): void {
    this.#incoming = undefined
    this.#pauses.clear()
    this.#isSuspended = true
    if (this.#pausesExternal) this.#external?.pause()
  }

  /** Ends the call for good: its handler never continues, its open asks are withdrawn. */
  drop(reason: unknown = new CallCancelledError()): void {
    if (this.isDropped) return
    this.#dropped = { kind: 'failed', error: reason }
    this.#deliveries?.stop()
    this.#withdrawAll()
    this.#abort?.abort(reason)
    if (this.#end !== undefined) return
    this.#ending?.resolve(this.#dropped)
    this.#pauses.reach(this.#dropped)
  }

  /** The time of an ask is over. */
  expired(open: OpenAsk): void {
    const now = this.#asks.all.find(({ id }) => id === open.id)
    if (now !== undefined) this.#wires.expire(now)
  }

  get #inTurn(): Deliveries {
    this.#deliveries ??= new Deliveries(this.journal, () => {
      this.#runLimit()
      this.#pauses.check()
    })
    return this.#deliveries
  }

  /** Gives the handler something that was learned, when it is the turn of that. Waiting for it does not count against its time. */
  async #again<V>(index: number, value: () => V): Promise<V> {
    this.#limit?.stop()
    await new Promise<void>(resolve => this.#inTurn.inTurn(index, resolve))
    this.#runLimit()
    return value()
  }

  /** What a step came to. @throws what it threw */
  #outcomeOf<R>(entry: StepEntry, failed: { readonly error: unknown } | undefined = undefined): R {
    if (entry.thrown === undefined) return resultOf(entry) as R
    const error = failed === undefined ? errorOf(entry.thrown) : failed.error
    this.journal.failed(entry, error)
    throw error
  }

  /** A step of this run is in the log. */
  logged(entry: StepEntry): void {
    this.#record(entry, true)
  }

  /** Gives the place that an entry has in the journal from here on. */
  #record(entry: Entry, isLogged: boolean): number {
    const known = this.journal.indexOf(entry)
    if (known !== undefined) return known
    this.journal.record(entry)
    if (!isLogged) this.unlogged = this.unlogged.concat(entry)
    const index = this.journal.entries.length - 1
    this.#inTurn.learned(index)
    return index
  }

  #withdrawAll(): void {
    for (const open of this.#asks.takeAll()) this.#wires.withdraw(open)
    this.#external?.pause()
  }

  #finish(end: End<T>): void {
    if (this.isDropped) return
    this.#end = end
    this.#withdrawAll()
    this.#ending?.resolve(end)
    this.#pauses.reach(end)
  }

  /** Time counts again once nothing is waited for. */
  #runLimit(): void {
    if (this.#asks.isEmpty && !this.#waitsOutside) this.#limit?.run()
  }
}
