// Starts, resumes, replays and takes over calls, whatever their wire. What it promises, each held by tests of this
// folder that name its number:
//
// R1 A call has one log. Each ask has a wire, and asks on different wires may be open together; `moved` closes an ask's old
//    place first, and an answer that arrives where an ask no longer is changes nothing.
// R2 Every append says what it comes after. A run that is not the owner (any more) writes nothing. An append that rejects may
//    have taken effect: the log is read before anything is decided again.
// R3 A handler is entered again only after its run was given up, for a cause that is named and counted (`ReplayCause`). A
//    change of wire is not such a cause.
// R4 An answer is in the log before anyone is told that it was taken. The same answers get the same reply; other answers for
//    a settled round are refused, also when which were settled was forgotten to save memory.
// R5 A recorded step never runs again; a step that was interrupted between effect and record runs again with the same id.
// R6 An answer counts only for the question, and the content, that the person saw.
// R7 On rounds nothing is stored before the first answer or step.
// R8 What callers leave behind is bounded in number and bytes; anonymous callers evict nothing of callers with a principal.
// R9 With only desk asks open a client gets a task if it takes tasks, else the waiting result; never a state alone.
import { StateRejectedError } from '@beckon/core'
import { elapsedSince } from '../call/ask.js'
import type { CallRules } from '../call/call-rules.js'
import type { ReplayMode } from '../call/incoming.js'
import { Journal } from '../call/journal.js'
import { randomId } from '../crypto/random-id.js'
import type { Seal } from '../crypto/seal.js'
import { CallLogs } from '../log/call-logs.js'
import type { Admission } from '../log/memory-log.js'
import { OwnedCalls } from '../log/owned-calls.js'
import { BoundedMap } from '../runtime/bounded-map.js'
import type { Clock } from '../runtime/clock.js'
import { sizeOf } from '../runtime/size-of.js'
import type { Store } from '../store/index.js'
import type { Telemetry } from '../telemetry/telemetry.js'
import { Attempt } from './attempt.js'
import type { AttemptHost, AttemptOptions } from './attempt-host.js'
import { BoundedByPrincipal } from './bounded-by-principal.js'
import { CallReplies } from './call-replies.js'
import type { CallReply, CallRequest, EncodeEnd, ReplayCause, Resume, RunnerLimits } from './call-request.js'
import { DurableCalls } from './durable-calls.js'
import { InFlight } from './in-flight.js'
import type { Nodes } from './nodes.js'
import { Owners } from './owners.js'
import { type Found, type Repeat, Repeats } from './repeats.js'
import { RequestStates } from './request-states.js'
import { type ClaimedRound, RoundsFromLog } from './rounds-from-log.js'
import { RoundsInMemory } from './rounds-in-memory.js'
import { Watchers } from './watchers.js'
import { Working } from './working.js'

export interface RunnerOptions<T> {
  version: string
  /** The store of one server: it sees no calls of another server. */
  store: Store
  clock: Clock
  nodes: Nodes
  seal: Seal
  replay: ReplayMode
  /** What a new version of the server does with a journal of an old one. */
  onDeploy: 'replay' | 'fail'
  /** How long a reply is kept for repeats, and a call can be gone on with after its last ask expired. */
  retainMs: number
  /** How long a durable call, and its result, is kept. */
  durableMs: number
  /** What becomes of a call on the desk whose client goes away while its request is open. */
  whenGone: 'keep' | 'cancel'
  limits: RunnerLimits
  telemetry?: Telemetry | undefined
  encodeEnd: EncodeEnd<T>
  /** How a durable call is run again whose process is gone. */
  resume: Resume<T>
}

export class Runner<T> {
  readonly #options: RunnerOptions<T>
  readonly #logs: CallLogs
  readonly #states: RequestStates
  readonly #suspended: BoundedByPrincipal<Attempt<T>>
  readonly #inFlight: InFlight
  readonly #repeats: Repeats<T>
  readonly #durable: DurableCalls<T>
  readonly #watchers: Watchers
  readonly #owners: Owners
  readonly #resumed: RoundsInMemory<T>
  readonly #returned: RoundsFromLog<T>
  readonly #replies: CallReplies<T>
  readonly #host: AttemptHost<T>
  readonly #rules: CallRules
  readonly #working = new Working()
  /** Calls whose client cancelled a round, so that a replay knows its cause. */
  readonly #cancelled = new BoundedMap<string, true>({ max: 1_000 })
  #hasJoined = false

  constructor(options: RunnerOptions<T>) {
    const { store, nodes, clock, seal, version, limits, encodeEnd, retainMs } = options
    const { suspended: max, suspendedBytes: maxBytes, suspendedPerPrincipal: maxPerPrincipal } = limits
    this.#options = options
    this.#rules = {
      clock,
      maxAsks: limits.asks,
      holdMs: limits.holdMs,
      get node() {
        return nodes.id
      },
      clockSkewMs: limits.clockSkewMs,
      telemetry: options.telemetry,
    }
    const owned = new OwnedCalls(store, nodes, clock)
    const kept = new InFlight({ max, maxBytes, maxPerCaller: maxPerPrincipal })
    this.#logs = new CallLogs(store, owned, { limits, admit: (caller, bytes) => kept.enter(caller, bytes) })
    this.#states = new RequestStates({ seal, clock, version, maxBytes: limits.stateBytes })
    this.#suspended = new BoundedByPrincipal({ max, maxBytes, maxPerPrincipal })
    this.#inFlight = new InFlight({ max, maxBytes, maxPerCaller: maxPerPrincipal })
    this.#repeats = new Repeats(store, limits.suspended)
    this.#watchers = new Watchers({
      store,
      clock,
      get node() {
        return nodes.id
      },
      answered: (name, isWatched) => this.#durable.hear(name, isWatched),
      watched: (name, by, run) => this.#watched(name, by, run),
      givenUp: name => this.#durable.givenUp(name),
    })
    this.#owners = new Owners({
      nodes,
      working: this.#working,
      watchers: this.#watchers,
      named: name => this.#durable.named(name),
    })
    this.#durable = new DurableCalls({
      ...options,
      watchers: this.#watchers,
      rules: this.#rules,
      owners: this.#owners,
      join: () => this.#join(),
      logs: this.#logs,
      owned,
      repeats: this.#repeats,
      attempt: attempt => new Attempt(this.#host, attempt),
    })
    this.#replies = new CallReplies({
      ...options,
      logs: this.#logs,
      states: this.#states,
      suspended: this.#suspended,
      repeats: this.#repeats,
      durable: this.#durable,
      watchers: this.#watchers,
      working: this.#working,
      answerAgain: request => this.#answerAgain(request),
      returned: (request, state) => this.#return(request, state),
      onCancelled: id => this.#cancelled.set(id, true),
    })
    this.#resumed = new RoundsInMemory({
      ...options,
      suspended: this.#suspended,
      working: this.#working,
      replies: this.#replies,
      rules: this.#rules,
      join: () => this.#join(),
      returned: (request, state, cause) => this.#return(request, state, cause),
    })
    this.#returned = new RoundsFromLog({
      ...options,
      logs: this.#logs,
      states: this.#states,
      durable: this.#durable,
      owners: this.#owners,
      working: this.#working,
      watchers: this.#watchers,
      rules: this.#rules,
      wasCancelled: call => this.#cancelled.delete(call),
    })
    this.#host = {
      get node() {
        return nodes.id
      },
      nameOf: id => this.#logs.nameOf(id),
      isShared: store.shared,
      get isFresh() {
        return nodes.isFresh
      },
      get epoch() {
        return nodes.epoch
      },
      clock,
      clockSkewMs: limits.clockSkewMs,
      encodeEnd,
      retainMs,
      durableMs: options.durableMs,
      begin: attempt => this.#durable.begin(attempt),
      retryUntilStored: task => nodes.retryUntilStored(task),
      ended: attempt => this.#durable.ended(attempt),
      changed: attempt => this.#watchers.notifyWatchers(attempt),
      waits: attempt => this.#durable.waits(attempt),
      released: attempt => this.#durable.released(attempt),
      resume: (attempt, cause) => this.#durable.resume(attempt, cause),
      answeredElsewhere: (attempt, round) => void this.#replies.replyElsewhere(attempt, round).catch(() => {}),
    }
  }

  /** Calls that any process answers after: tasks, and those whose asks are on the desk. */
  get durable(): DurableCalls<T> {
    return this.#durable
  }

  /** How many calls wait for their next round. */
  get suspended(): number {
    return this.#suspended.size
  }

  /** Answers one request: the first of a call, a request that brings a state back, or a repeat. */
  answer(request: CallRequest<T>): Promise<CallReply> {
    const { telemetry } = this.#options
    if (request.clientWire === 'rounds') telemetry?.round()
    const { state } = request
    if (state === undefined)
      return request.clientWire === 'push' ? this.#answerOpen(request) : this.#answerFirst(request)
    const known = this.#suspended.get(state)
    const reply = known === undefined ? this.#return(request, state) : this.#resumed.answer(request, state, known)
    if (telemetry === undefined) return reply
    return reply.catch(error => {
      if (error instanceof StateRejectedError) telemetry.rejected()
      throw error
    })
  }

  #answerFirst(request: CallRequest<T>, admission?: Admission): Promise<CallReply> {
    return request.canRepeat ? this.#answerAgain(request, admission) : this.#begin(request, { admission })
  }

  /** The same for a call whose request stays open while a person thinks. */
  async #answerOpen(request: CallRequest<T>): Promise<CallReply> {
    const admission = this.#inFlight.enter(request.incoming, sizeOf(request.incoming.params))
    try {
      return await this.#answerFirst(request, admission)
    } finally {
      admission.leave()
    }
  }

  /** Lets every call go. With a shared store others go on with those that are durable. */
  close(): void {
    this.#replies.close()
    this.#suspended.clear()
    this.#durable.close()
    this.#watchers.close()
  }

  /** Hears from the other processes, and is known to them. Undefined once that is so: there is nothing to wait for. */
  #join(): Promise<void> | undefined {
    return this.#hasJoined ? undefined : this.#joinNow()
  }

  async #joinNow(): Promise<void> {
    await this.#options.nodes.join()
    await this.#watchers.listen()
    this.#hasJoined = true
  }

  #watched(name: string, by: string, run: string): boolean {
    this.#durable.watched(name, by)
    this.#working.watch(name, by)
    return this.#owners.isHere(name, run)
  }

  async #answerAgain(request: CallRequest<T>, admission?: Admission): Promise<CallReply> {
    const found = await this.#repeats.find(request)
    if (found.id !== undefined) return this.#replies.goOn(request, found, found.id)
    return this.#begin(request, { found, admission })
  }

  #begin(
    request: CallRequest<T>,
    { found, admission }: { readonly found?: Found; readonly admission: Admission | undefined },
  ): Promise<CallReply> {
    const { incoming } = request
    const id = randomId()
    const attempt = this.#attempt(request, { id, log: this.#logs.open(id, incoming.principal), journal: new Journal() })
    if (found !== undefined) this.#canRepeat(attempt, found.repeat)
    attempt.admission = admission
    attempt.call.unasked = incoming.inputResponses
    attempt.start(request)
    return this.#replies.respond(request, attempt, found)
  }

  /** Has the same request find a call while it runs here, and from the desk on everywhere. */
  #canRepeat(attempt: Attempt<T>, repeat: Repeat): void {
    this.#repeats.add(repeat, attempt)
    void attempt.call.end().then(() => this.#repeats.remove(attempt))
  }

  #attempt(
    request: CallRequest<T>,
    given: Pick<AttemptOptions<T>, 'id' | 'log' | 'journal' | 'earlier' | 'run'>,
  ): Attempt<T> {
    const { incoming, target, clientWire, sender, presenter, takesTasks } = request
    const { id, log, journal, earlier, run } = given
    // Written out: on this path a spread costs more than everything else about it.
    const attempt = new Attempt(this.#host, {
      id,
      log,
      journal,
      earlier,
      run,
      target,
      principal: incoming.principal,
      clientWire,
      sender,
      presenter,
      facts: { params: incoming.params, trace: incoming.trace, takesTasks },
      rules: this.#rules,
    })
    if (clientWire === 'rounds') attempt.call.recorder = attempt
    else attempt.pushedOver = incoming
    attempt.call.recordsWhileSuspended = this.#logs.areStored
    attempt.call.attach(incoming)
    return attempt
  }

  /** The suspended handler is not here: a repeat gets its reply from the log, anything else is replayed. */
  async #return(request: CallRequest<T>, sealed: string, cause?: ReplayCause): Promise<CallReply> {
    await this.#join()
    const returned = await this.#returned.take(request, sealed, cause)
    if (returned.kind === 'asks') return returned
    return returned.kind === 'mine'
      ? this.#replay(request, returned)
      : this.#replies.repeat(request, returned.call, returned.reply)
  }

  /** Runs the handler again, with what the journal has. */
  #replay(
    request: CallRequest<T>,
    { state, log, worker, journal, answered, isAnswered, cause }: ClaimedRound,
  ): Promise<CallReply> {
    const { telemetry, clock } = this.#options
    telemetry?.replayed(cause)
    for (const [mark, reply] of answered) telemetry?.answered('rounds', mark.ask, elapsedSince(mark, clock), reply)
    const earlier = new Map(state.open.map(mark => [mark.id, { ...mark, wire: 'rounds' as const }]))
    const attempt = this.#attempt(request, { id: state.call, log, journal, earlier, run: worker.run })
    attempt.misses = state.misses
    attempt.isPromised = true
    if (request.canRepeat) this.#canRepeat(attempt, this.#repeats.repeatOf(request))
    // A round that nobody has answered is still the same one: the first to answer it, here or elsewhere, wins.
    attempt.round = isAnswered ? state.round + 1 : state.round
    attempt.answeredRound = isAnswered ? state.round : undefined
    if (isAnswered) this.#working.add(attempt)
    for (const node of worker.watchers ?? []) attempt.watch(node)
    this.#working.remove(worker)
    attempt.start(request)
    return this.#replies.respond(request, attempt)
  }
}
