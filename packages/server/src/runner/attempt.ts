// One run of a handler in this process: where its asks go, and what of it is in the log of the call. Once the call is durable,
// what the handler does goes to the log first, and what the log says goes to the handler.
import { CallCancelledError } from '@beckon/core'
import type { Ending, OpenAsk } from '../call/ask.js'
import { Call } from '../call/call.js'
import type { End, Wires } from '../call/call-types.js'
import { counted } from '../call/counted.js'
import type { Incoming } from '../call/incoming.js'
import { isSameAsk, type StepEntry } from '../call/journal.js'
import type { StepRecorder } from '../call/run-step.js'
import { randomId } from '../crypto/random-id.js'
import type { CallLog, Decide, LogListener } from '../log/call-log.js'
import type { CallEvent, CallRecord, CallResponse } from '../log/events.js'
import type { Admission } from '../log/memory-log.js'
import { type CallState, isAnswered, isOpen } from '../log/reduce.js'
import { type Deferred, deferred } from '../runtime/deferred.js'
import { sizeOf } from '../runtime/size-of.js'
import { StoreUnavailableError } from '../store/store-unavailable.js'
import { answeredEvent, askedEvent } from './ask-events.js'
import type { AttemptOptions, CallFacts } from './attempt-options.js'
import type { Evictable } from './bounded-by-principal.js'
import type { AskPresenter, AskSender, CallReply, Program, ReplayCause } from './call-request.js'
import type { Repeat } from './repeats.js'
import type { RunnerParts } from './runner-parts.js'

const none: readonly never[] = []

export class Attempt<T> implements Wires, StepRecorder, Evictable, LogListener {
  readonly call: Call<T>
  readonly log: CallLog
  /** Of the request that began it. */
  readonly params: CallFacts['params']
  readonly trace: CallFacts['trace']
  readonly takesTasks: boolean
  /** The number of the round that its next reply opens. */
  round = 1
  /** The round that it is working on, which has no reply yet. */
  answeredRound: number | undefined
  /** How many rounds in a row it did not reach what the journal has. */
  misses = 0
  /** While its client has a state to bring back: that, and what it was asked. */
  suspended: { readonly state: string; readonly asks: readonly OpenAsk[]; readonly expiresAt: number } | undefined
  /** Whether a client has, or had, a state of it to bring back. */
  isPromised = false
  /** Requests that wait together for something outside. */
  waiters: { readonly incoming: Set<Incoming>; readonly reply: Promise<CallReply> } | undefined
  /** The request over which its asks are pushed. */
  pushedOver: Incoming | undefined
  /** Requests that are open here and get its result, should it end now. */
  held: Set<Incoming> | undefined
  /** The share of memory of the request that began it, while that is open. */
  admission: Admission | undefined
  /** Under which the same request finds it again. */
  repeat: Repeat | undefined
  /** Nodes that want to hear of its end. */
  watchers: Set<string> | undefined
  readonly #argumentBytes: number
  readonly #parts: RunnerParts<T>
  readonly #presenterFor: Program<T>['presenter']
  readonly #sender: AskSender | undefined
  /** The run that owned the call when this one began from its log. */
  readonly #previousRun: string | undefined
  #run: string | undefined
  /** When this run last read or wrote the log, by the node's epoch; and when it last decided what to write. */
  #knownIn: number
  #decidedIn: number
  #name: string | undefined
  #presenter: AskPresenter | undefined
  #begun: Promise<void> | undefined
  #releasedFor: ReplayCause | undefined
  #outcome: Deferred<CallResponse | undefined> | undefined
  /** What the handler has from the desk, and the log does not yet. */
  #owed: readonly { readonly ask: string; readonly event: CallEvent }[] = none

  constructor(parts: RunnerParts<T>, options: AttemptOptions<T>) {
    const { log, facts } = options
    this.#run = options.run
    this.#parts = parts
    this.#presenterFor = options.presenter
    this.#sender = options.sender
    this.log = log
    this.params = facts.params
    this.trace = facts.trace
    this.takesTasks = facts.takesTasks
    this.#argumentBytes = sizeOf(facts.params)
    this.#previousRun = log.state.owner?.run
    // A run that took its call from another may have lost it again before it was made.
    this.#knownIn = options.run === undefined ? parts.nodes.epoch : Number.NaN
    this.#decidedIn = this.#knownIn
    this.call = new Call<T>(options, this)
    log.listener = this
  }

  /** What it holds while it waits: its arguments, what it was answered, what it shows beside its questions, and what widgets are given. */
  get bytes(): number {
    let bytes = this.#argumentBytes + this.call.journal.bytes
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

  /** The id of this run: the log names the run that owns the call. */
  get run(): string {
    this.#run ??= randomId()
    return this.#run
  }

  /** Under which other processes know it. */
  get name(): string {
    this.#name ??= this.#parts.logs.nameOf(this.id)
    return this.#name
  }

  get principal(): string | undefined {
    return this.call.principal
  }

  get isDurable(): boolean {
    return this.call.isDurable
  }

  /** Why another run has the call, or will; undefined while this one has it. */
  get releasedFor(): ReplayCause | undefined {
    return this.#releasedFor
  }

  /** Resolves when the call is in the store. */
  get begun(): Promise<void> | undefined {
    return this.#begun
  }

  /** What a durable call ended with, once that is in its log; undefined when it has no result to give: another run has it, or it was cancelled. */
  get outcome(): Promise<CallResponse | undefined> {
    this.#outcome ??= deferred()
    return this.#outcome.promise
  }

  get presenter(): AskPresenter | undefined {
    this.#presenter ??= this.#presenterFor?.(this.id, this.principal)
    return this.#presenter
  }

  /** Has a node hear of what becomes of the call. */
  watch(node: string): void {
    this.watchers ??= new Set()
    this.watchers.add(node)
  }

  /** Runs the handler from the top. */
  start(program: Pick<Program<T>, 'start'>): void {
    const { call } = this
    call.run(() => program.start(call))
  }

  /** Whether the call is this run's, with all that comes before a step stored. */
  isReady(): true | Promise<boolean> {
    return (this.isCurrent && !this.log.isBusy) || this.#isReady()
  }

  /** Whether no other process can have taken the call since this run last read or wrote its log. */
  get isCurrent(): boolean {
    return this.#parts.nodes.isFresh && this.#knownIn === this.#parts.nodes.epoch
  }

  /** Reads what others have written. The run is released where the call is another's. */
  async catchUp(): Promise<CallState> {
    const { epoch } = this.#parts.nodes
    const state = await this.log.read()
    this.#knownIn = epoch
    return state
  }

  step(entry: StepEntry): Promise<boolean> {
    return this.write(() => ({ kind: 'step', entry, at: this.#parts.clock.now() }))
  }

  /** Makes the call durable: it goes on without its client, and in another process when this one dies. */
  begin(): void {
    if (this.#begun !== undefined) return
    const begun = this.#parts.durable.begin(this)
    begun.catch(error => this.call.drop(error))
    this.#become(begun)
    // What is open already is in the log from here on, too.
    for (const ask of this.call.openAsks) if (ask.wire !== 'desk') this.#orDrop(this.#logAsk(ask))
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

  /** The first event of a durable call. */
  writeBegun(record: CallRecord): Promise<boolean> {
    const owner = { node: this.#parts.nodes.id, run: this.run }
    return this.write(({ record: known }) => {
      if (known !== undefined) return undefined
      const entries = this.call.unlogged
      return { kind: 'begun', record, owner, entries, at: this.#parts.clock.now() }
    }, record.expiresAt)
  }

  /** Writes to the log, for as long as the call is this run's and has not ended. */
  async write(decide: Decide, expiresAt?: number): Promise<boolean> {
    return this.writeNow(decide, expiresAt)
  }

  /** The same, for one who need not wait for a log that is in memory. */
  writeNow(decide: Decide, expiresAt?: number): boolean | Promise<boolean> {
    const until = expiresAt === undefined ? undefined : expiresAt + this.#parts.retainMs
    return this.log.write(state => {
      this.#decidedIn = this.#parts.nodes.epoch
      return this.isOwner(state) && state.end === undefined && !this.isReleased ? decide(state) : undefined
    }, until)
  }

  isOwner({ owner }: CallState): boolean {
    return owner?.run === this.#previousRun || (owner !== undefined && owner.run === this.#run)
  }

  get isReleased(): boolean {
    return this.#releasedFor !== undefined
  }

  /** Lets the run go and leaves its asks where they are: another one goes on. */
  release(cause: ReplayCause): void {
    if (this.isReleased) return
    this.#releasedFor = cause
    if (this.log.listener === this) this.log.listener = undefined
    this.call.drop(new CallCancelledError('Another process has taken this call over.'))
    this.#outcome?.resolve(undefined)
    if (this.isDurable) this.#parts.durable.released(this)
  }

  /** Whether it only waits: of a handler that is at work, what it does would be lost. */
  get isIdle(): boolean {
    return this.call.isIdle
  }

  evicted(): void {
    if (!this.isDurable) this.call.drop()
    // Where no store keeps a call, it was let in as durable, and stays.
    else if (this.#parts.store.shared) this.release('evicted')
  }

  open(ask: OpenAsk): void {
    this.admission?.weigh(this.bytes)
    if (ask.wire === 'push') this.#sender?.open(ask, this.call, (...how) => this.#sent(ask, ...how))
    else if (ask.wire !== 'rounds') this.begin()
    if (!this.isDurable) return
    this.#parts.durable.waits(this)
    // Nobody is asked for a call that nobody could find.
    Promise.all([this.#logAsk(ask), this.#begun]).then(
      () => {
        const known = this.log.state.entries.find(entry => entry.kind === 'ask' && isSameAsk(entry, ask.mark))
        // Its answer came before the handler asked, or asked again.
        if (known?.kind === 'ask') this.#settle(ask.id, known.reply)
        else if (ask.wire === 'desk') this.#show(ask)
      },
      error => this.call.drop(error),
    )
  }

  #logAsk(ask: OpenAsk): Promise<boolean> {
    const at = this.#parts.clock.now()
    return this.write(state => askedEvent(state, ask, at))
  }

  withdraw(ask: OpenAsk): void {
    if (ask.wire === 'push') this.#sender?.withdraw(ask)
    // Another run goes on with what is on the desk.
    else if (ask.wire === 'desk' && !this.isReleased && !this.#isInterrupted(this.call.failedFor))
      this.presenter?.withdraw(ask)
  }

  expire(ask: OpenAsk): void {
    if (this.isDurable) this.#logAnswered(ask, { kind: 'expired' })
    else if (this.call.settle(ask.id, { kind: 'expired' })) this.withdraw(ask)
  }

  async #isReady(): Promise<boolean> {
    await this.log.settled()
    if (!this.isCurrent) await this.catchUp()
    return !this.isReleased && this.isOwner(this.log.state)
  }

  #become(begun: Promise<void>): void {
    this.#begun = begun
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

  /** The client answered an ask that it was sent, or could not show it. */
  #sent(ask: OpenAsk, given: Ending, receivedAt = Number.POSITIVE_INFINITY): void {
    const {
      clock,
      nodes: { id: node },
      limits: { clockSkewMs },
    } = this.#parts
    // By the clock of the node that asked. What came by another was there before it was read, at the latest by as much as
    // their clocks may be apart.
    const brought = receivedAt + clockSkewMs
    const now = brought < ask.askedAt ? clock.now() : Math.min(clock.now(), brought)
    const ending = given.kind === 'failed' ? given : counted(ask, given, { now, node, clockSkewMs: 0 })
    if (!this.isDurable) this.call.settle(ask.id, ending)
    else if (ending.kind === 'failed') this.#fail(ask, ending)
    else this.#logAnswered(ask, ending)
    this.admission?.weigh(this.bytes)
  }

  #show(ask: OpenAsk): void {
    // Nobody is asked for a call that ended meanwhile.
    if (this.call.isDropped) return
    this.presenter?.open(ask).then(
      ending => this.#shown(ask, ending),
      error => this.#shown(ask, { kind: 'failed', error }),
    )
  }

  /** An ask on the desk has ended. The desk keeps its outcome, so the handler goes on at once; the log follows. */
  #shown(ask: OpenAsk, ending: Ending): void {
    if (this.#releasedFor === 'evicted') this.#parts.durable.resume(this, 'evicted')
    if (this.isReleased) return
    if (ending.kind === 'failed') {
      this.#fail(ask, ending)
      return
    }
    if (!this.call.settle(ask.id, ending, true)) return
    const event = answeredEvent(ask, ending, this.#parts.clock.now())
    this.#owed = this.#owed.concat({ ask: ask.id, event })
    this.#orDrop(this.#writeOwed(ask.id, event))
  }

  async #writeOwed(ask: string, event: CallEvent): Promise<void> {
    await this.write(state => (isOpen(state, ask) ? event : undefined))
    this.#owed = this.#owed.filter(owed => owed.event !== event)
  }

  /** An ask that nobody can be shown. A store that is away is not the ask's fault. */
  #fail(ask: OpenAsk, ending: Extract<Ending, { kind: 'failed' }>): void {
    if (ending.error instanceof StoreUnavailableError) {
      this.call.drop(ending.error)
      return
    }
    this.write(state =>
      isOpen(state, ask.id) ? { kind: 'withdrawn', ask: ask.id, at: this.#parts.clock.now() } : undefined,
    ).catch(() => {})
    this.call.settle(ask.id, ending)
  }

  #logAnswered(ask: OpenAsk, answer: Exclude<Ending, { kind: 'failed' }>): void {
    const event = answeredEvent(ask, answer, this.#parts.clock.now())
    this.#orDrop(this.write(state => (isOpen(state, ask.id) ? event : undefined)))
  }

  #orDrop(writing: Promise<unknown>): void {
    writing.catch(error => this.call.drop(error))
  }

  lost(): void {
    this.release('unknown-write')
    // Nobody may ever ask after it, and what a person answers goes on all the same.
    if (this.isDurable) this.#parts.durable.resume(this, 'unknown-write')
  }

  learned(event: CallEvent, state: CallState, isOwn: boolean): void {
    if (isOwn) this.#knownIn = this.#decidedIn
    if (this.watchers !== undefined) this.#parts.watchers.notifyWatchers(this)
    if (!this.isOwner(state)) this.release('process-gone')
    // A step that nobody knew of was written by this very run, which was told that it was not.
    else if (event.kind === 'step' && !isOwn) this.lost()
    else if (event.kind === 'answered') {
      for (const entry of event.entries) if (isAnswered(entry)) this.#settle(entry.ask, entry.reply)
      // A process that takes a round for its own run replies to it; any other is for this one to reply to.
      if (event.round !== undefined && event.owner === undefined) this.#replyElsewhere(event.round)
    } else if (event.kind === 'expired') this.#settle(event.ask, { kind: 'expired' })
    else if (event.kind === 'begun') this.call.unlogged = []
    else if (event.kind === 'cancelled') this.call.drop(new CallCancelledError('The call was cancelled.'))
  }

  #settle(id: string, ending: Ending): void {
    const open = this.call.openAsks.find(ask => ask.id === id)
    if (open !== undefined && this.call.settle(id, ending, true) && ending.kind === 'expired') this.withdraw(open)
  }

  /** The handler of a durable call has ended: so has the call, unless it went to another run. */
  async #finish(end: End<T>): Promise<void> {
    if (this.isReleased) return
    if (end.kind === 'failed' && this.#isInterrupted(end.error)) {
      this.release('unknown-write')
      return this.#parts.durable.resume(this, 'unknown-write')
    }
    const encoded = await this.#encode(end)
    const at = this.#parts.clock.now()
    const expiresAt = this.log.state.record?.expiresAt ?? at
    await this.#parts.nodes.retryUntilStored(async () => {
      // An end comes after what it is from, and before who has it, in one append.
      const owed = this.#owed.map(({ ask, event }) => this.#writeOwed(ask, event))
      await Promise.all([
        ...owed,
        this.write(() => ({ kind: 'ended', end: encoded, at }), expiresAt),
        this.held !== undefined && this.held.size > 0 && this.repeat !== undefined && this.#writeDelivered(at),
      ])
      if (this.isReleased) return
      this.#parts.durable.ended(this)
      const { end: logged } = this.log.state
      this.#outcome ??= deferred()
      this.#outcome.resolve(logged === 'cancelled' ? undefined : logged)
      if (logged !== undefined) this.#presenter?.report(logged)
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
  #isInterrupted(error: unknown): boolean {
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
