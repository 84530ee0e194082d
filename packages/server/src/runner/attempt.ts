// One run of a handler in this process. Once its call is durable, what the handler does goes to the log first, and what the log
// says goes to the handler.
import { CallCancelledError } from '@beckon/core'
import { Call } from '../call/call.js'
import type { End, Pause } from '../call/call-types.js'
import type { Incoming } from '../call/incoming.js'
import { Journal } from '../call/journal.js'
import type { CallLog, LogListener } from '../log/call-log.js'
import type { CallEvent, CallRecord, CallResponse } from '../log/events.js'
import { type CallState, isAnswered } from '../log/reduce.js'
import { type Deferred, deferred } from '../runtime/deferred.js'
import { sizeOf } from '../runtime/size-of.js'
import { StoreUnavailableError } from '../store/store-unavailable.js'
import type { TraceContext } from '../telemetry/telemetry.js'
import { AskWires } from './ask-wires.js'
import type { CallReply, CallRequest, Program, ReplayCause } from './call-request.js'
import type { Held } from './caller-bounds.js'
import { LoggedRun } from './logged-run.js'
import type { Repeat } from './repeats.js'
import type { RunnerParts } from './runner.js'

/** What is run: a request, or a call that another process ran. */
export interface Origin<T> extends Pick<CallRequest<T>, 'target' | 'sender' | 'presenter' | 'takesTasks'> {
  readonly incoming: Pick<Incoming, 'principal' | 'sessionId' | 'params' | 'trace'>
  readonly clientWire: Call['clientWire']
}

/** The call that a run is of. */
interface RunOf {
  readonly id: string
  readonly log: CallLog
  /** How it stood when it was decided to run it. */
  readonly known: CallState
}

/** Requests that wait together for something outside. */
interface Waiters<T> {
  /** Those whose clients are there. */
  readonly incoming: Set<Incoming>
  /** What the wait comes to. */
  readonly pause: Promise<Pause<T>>
  /** What all of them get; made by the first of them when the wait is over. */
  reply: Promise<CallReply> | undefined
}

export class Attempt<T> extends LoggedRun<T> implements Held, LogListener {
  readonly call: Call<T>
  readonly asks: AskWires<T>
  /** Of the request that began it. */
  readonly sessionId: string | undefined
  readonly params: CallRecord['params']
  readonly trace: TraceContext | undefined
  readonly takesTasks: boolean
  /** How many rounds in a row it did not reach what the journal has. */
  misses = 0
  /** Whether the state that its client has waits for something outside alone: to bring it back is all there is to it. */
  waitsOutside = false
  /** Requests that wait together for something outside. */
  waiters: Waiters<T> | undefined
  /** The request over which its asks are pushed. */
  pushedOver: Incoming | undefined
  /** Requests that are open here and get its result, should it end now. */
  held: Set<Incoming> | undefined
  /** Under which the same request finds it again. */
  repeat: Repeat | undefined
  /** Resolves when the call is in the store; undefined for one that is not durable. */
  begun: Promise<void> | undefined
  readonly #requestBytes: number
  readonly #parts: RunnerParts<T>
  #name: string | undefined
  #outcome: Deferred<CallResponse | undefined> | undefined

  constructor(parts: RunnerParts<T>, origin: Origin<T>, { id, log, known }: RunOf) {
    super(parts, log, known)
    const { incoming, target, clientWire, takesTasks } = origin
    const { principal, sessionId, params, trace } = incoming
    this.#parts = parts
    this.sessionId = sessionId
    this.params = params
    this.trace = trace
    this.takesTasks = takesTasks
    this.#requestBytes = sizeOf(params) + sizeOf(trace)
    this.asks = new AskWires(parts, this, origin)
    this.call = new Call<T>(
      { id, target, principal, clientWire, journal: new Journal(), rules: parts.rules },
      this.asks,
    )
  }

  /**
   * What it holds while it waits: what its client sent with its arguments and of itself, what it was answered, what it shows beside its
   * questions, and what widgets are given.
   */
  get bytes(): number {
    const { journal, peer, unasked } = this.call
    let bytes = this.#requestBytes + journal.bytes + sizeOf(unasked) + sizeOf(peer.capabilities) + sizeOf(peer.client)
    for (const { ask } of this.call.openAsks) {
      if ('show' in ask) bytes += sizeOf(ask.show)
      // A form beside a widget is as a rule made for this very call.
      if (ask.kind === 'form' && ask.widget !== undefined) bytes += sizeOf(ask.widget) + sizeOf(ask.form)
    }
    return bytes
  }

  get id(): string {
    return this.call.id
  }

  /** Under which other processes know it. */
  get name(): string {
    this.#name ??= this.#parts.logs.nameOf(this.id)
    return this.#name
  }

  get principal(): string | undefined {
    return this.call.principal
  }

  /** What a durable call ended with, once that is in its log; undefined when it has no result to give: another run has it, or it was cancelled. */
  get outcome(): Promise<CallResponse | undefined> {
    this.#outcome ??= deferred()
    return this.#outcome.promise
  }

  /** Runs the handler from the top, and hears from here on what becomes of the call. */
  start(program: Pick<Program<T>, 'start'>): void {
    const { call } = this
    this.log.listener = this
    call.run(() => program.start(call))
  }

  /** Makes the call durable: it goes on without its client, and in another process when this one dies. */
  begin(): void {
    if (this.begun !== undefined) return
    const begun = this.#parts.durable.begin(this)
    begun.catch(error => this.call.drop(error))
    this.#become(begun)
    this.asks.logOpen()
  }

  /** Goes on with a call that is durable already. */
  takeOver(): void {
    this.#become(Promise.resolve())
    // The client that sent the answers of a round may still wait for its reply.
    const waiting = this.log.state.rounds.findLast(({ reply }) => reply === undefined)
    if (waiting !== undefined) this.#replyElsewhere(waiting.number)
  }

  /** A round was answered by a request that this run knows nothing of. */
  #replyElsewhere(round: number): void {
    this.#parts.replies.replyElsewhere(this, round).catch(() => {})
  }

  /** Lets the run go and leaves its asks where they are: another one goes on. */
  release(cause: ReplayCause): void {
    if (this.isReleased) return
    this.releasedFor = cause
    if (this.log.listener === this) this.log.listener = undefined
    this.call.drop(new CallCancelledError('Another process has taken this call over.'))
    this.#outcome ??= deferred()
    this.#outcome.resolve(undefined)
    if (this.isDurable) this.#parts.runs.released(this)
  }

  /** It was let go to stay within bounds. */
  evicted(): void {
    if (!this.isDurable) this.call.drop()
    // Where no store keeps a call, it was let in as durable, and stays.
    else if (this.#parts.store.shared) this.release('evicted')
  }

  #become(begun: Promise<void>): void {
    this.begun = begun
    this.call.isDurable = true
    this.call.recordsWhileSuspended = true
    this.call.recorder = this
    const { clock, durableMs } = this.#parts
    const expiresAt = this.log.state.record?.expiresAt ?? clock.now() + durableMs
    const stopTimer = clock.after(Math.max(0, expiresAt - clock.now()), () =>
      this.call.drop(new CallCancelledError('The time of the call is over.')),
    )
    void this.call.end().then(end => {
      stopTimer()
      return this.#finish(end)
    })
  }

  lost(): void {
    this.release('unknown-write')
    // Nobody may ever ask after it, and what a person answers goes on all the same.
    if (this.isDurable) this.#parts.takeovers.runAgain(this.name, 'unknown-write')
  }

  learned(event: CallEvent, state: CallState, isOwn: boolean): void {
    if (isOwn) this.wrote()
    this.#parts.watchers.changed(this)
    if (!this.isOwner(state)) {
      this.release('process-gone')
      if (this.isDurable) this.#parts.durable.takenOver(this)
    }
    // A step that nobody knew of was written by this very run, which was told that it was not.
    else if (event.kind === 'step' && !isOwn) this.lost()
    else if (event.kind === 'step') this.call.logged(event.entry)
    else if (event.kind === 'answered') {
      for (const entry of event.entries) if (isAnswered(entry)) this.asks.settle(entry.ask, entry.reply)
      this.#parts.runs.weigh(this)
      // A process that takes a round for its own run replies to it; any other is for this one to reply to.
      if (event.round !== undefined && event.owner === undefined) this.#replyElsewhere(event.round)
    } else if (event.kind === 'expired') this.asks.settle(event.ask, { kind: 'expired' })
    else if (event.kind === 'cancelled') this.call.drop(new CallCancelledError('The call was cancelled.'))
  }

  /** The handler of a durable call has ended: so has the call, unless it went to another run. */
  async #finish(end: End<T>): Promise<void> {
    if (this.isReleased) return
    if (end.kind === 'failed' && this.isInterrupted(end.error)) {
      this.release('unknown-write')
      return this.#parts.takeovers.runAgain(this.name, 'unknown-write')
    }
    const encoded = await this.#encode(end)
    const at = this.#parts.clock.now()
    const expiresAt = this.log.state.record?.expiresAt ?? at
    await this.#parts.nodes.retryUntilStored(async () => {
      // An end comes after what it is from, and before who has it, in one append.
      await Promise.all([
        this.asks.writeOwed(),
        this.write(() => ({ kind: 'ended', end: encoded, at }), expiresAt),
        this.held !== undefined && this.held.size > 0 && this.repeat !== undefined && this.#writeDelivered(at),
      ])
      if (this.isReleased) return
      this.#parts.durable.ended(this)
      const { end: logged } = this.log.state
      this.#outcome ??= deferred()
      this.#outcome.resolve(logged === 'cancelled' ? undefined : logged)
      if (logged !== undefined) this.asks.report(logged)
    })
  }

  #writeDelivered(at: number): boolean | Promise<boolean> {
    return this.log.write(state =>
      this.isOwner(state) && state.end !== undefined && state.end !== 'cancelled'
        ? { kind: 'delivered', at }
        : undefined,
    )
  }

  /** A store that was away has ended nothing: once it is back, the call is run again from its log. */
  isInterrupted(error: unknown): boolean {
    return this.isDurable && this.#parts.store.shared && error instanceof StoreUnavailableError
  }

  /** An end that cannot be kept is an error that can: else nobody would ever hear of it. */
  async #encode(end: End<T>): Promise<CallResponse> {
    try {
      return await this.#parts.encodeEnd(end, this.call)
    } catch (error) {
      return { error: { code: -32603, message: String(error) } }
    }
  }
}

/** A run of a call for one of its requests. */
export function attemptFor<T>(parts: RunnerParts<T>, request: CallRequest<T>, of: RunOf): Attempt<T> {
  const attempt = new Attempt(parts, request, of)
  const { call } = attempt
  if (request.clientWire === 'rounds') call.recorder = attempt
  else attempt.pushedOver = request.incoming
  call.recordsWhileSuspended = parts.logs.areStored
  call.attach(request.incoming)
  return attempt
}
