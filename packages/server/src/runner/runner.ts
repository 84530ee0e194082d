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
import { Journal } from '../call/journal.js'
import { randomId } from '../crypto/random-id.js'
import { CallLogs } from '../log/call-logs.js'
import type { Admission } from '../log/memory-log.js'
import { OwnedCalls } from '../log/owned-calls.js'
import { BoundedMap } from '../runtime/bounded-map.js'
import { sizeOf } from '../runtime/size-of.js'
import { Attempt } from './attempt.js'
import type { AttemptOptions } from './attempt-options.js'
import { BoundedByPrincipal } from './bounded-by-principal.js'
import { CallReplies } from './call-replies.js'
import type { CallReply, CallRequest, ReplayCause } from './call-request.js'
import { DurableCalls } from './durable-calls.js'
import { InFlight } from './in-flight.js'
import { Owners } from './owners.js'
import { type Found, type Repeat, Repeats } from './repeats.js'
import { RequestStates } from './request-states.js'
import { type ClaimedRound, RoundsFromLog } from './rounds-from-log.js'
import { RoundsInMemory } from './rounds-in-memory.js'
import type { RunnerOptions, RunnerParts } from './runner-parts.js'
import { Takeovers } from './takeovers.js'
import { Watchers } from './watchers.js'
import { Working } from './working.js'

const unbounded = {
  max: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
  maxPerPrincipal: Number.POSITIVE_INFINITY,
}

export class Runner<T> {
  readonly #parts: RunnerParts<T>
  readonly #inFlight: InFlight
  readonly #resumed: RoundsInMemory<T>
  readonly #returned: RoundsFromLog<T>
  readonly #cancelled = new BoundedMap<string, true>({ max: 1_000 })
  #hasJoined = false

  constructor(options: RunnerOptions<T>) {
    const { store, nodes, clock, limits } = options
    const { suspended: max, suspendedBytes: maxBytes, suspendedPerPrincipal: maxPerPrincipal } = limits
    const kept = new InFlight({ max, maxBytes, maxPerCaller: maxPerPrincipal })
    const owned = new OwnedCalls(store, nodes, clock)
    // What is missing is made of the parts themselves, right below.
    const parts = {
      ...options,
      rules: rulesOf(options),
      owned,
      logs: new CallLogs(store, owned, { limits, admit: (caller, bytes) => kept.enter(caller, bytes) }),
      states: new RequestStates({ ...options, maxBytes: limits.stateBytes }),
      suspended: new BoundedByPrincipal({ max, maxBytes, maxPerPrincipal }),
      // What no store keeps is not let go: one too many was refused.
      running: new BoundedByPrincipal(store.shared ? { max, maxBytes, maxPerPrincipal } : unbounded),
      working: new Working(),
      repeats: new Repeats(store, limits.suspended),
      join: () => (this.#hasJoined ? undefined : this.#join()),
      answerAgain: request => this.#answerAgain(request),
      returned: (request, state, cause) => this.#return(request, state, cause),
      cancelled: call => this.#cancelled.set(call, true),
      wasCancelled: call => this.#cancelled.delete(call),
    } as { -readonly [Part in keyof RunnerParts<T>]: RunnerParts<T>[Part] }
    parts.watchers = new Watchers({
      store,
      clock,
      nodes,
      answered: (name, isWatched) => parts.durable.hear(name, isWatched),
      watched: (name, by, run) => this.#watched(name, by, run),
      givenUp: name => parts.durable.givenUp(name),
    })
    parts.owners = new Owners({
      nodes,
      working: parts.working,
      watchers: parts.watchers,
      named: name => parts.durable.named(name),
    })
    parts.takeovers = new Takeovers(parts)
    parts.durable = new DurableCalls(parts)
    parts.replies = new CallReplies(parts)
    this.#parts = parts
    this.#inFlight = new InFlight({ max, maxBytes, maxPerCaller: maxPerPrincipal })
    this.#resumed = new RoundsInMemory(parts)
    this.#returned = new RoundsFromLog(parts)
  }

  /** Calls that any process answers after: tasks, and those whose asks are on the desk. */
  get durable(): DurableCalls<T> {
    return this.#parts.durable
  }

  /** How many calls wait for their next round. */
  get suspended(): number {
    return this.#parts.suspended.size
  }

  /** Answers one request: the first of a call, a request that brings a state back, or a repeat. */
  answer(request: CallRequest<T>): Promise<CallReply> {
    const { telemetry, suspended } = this.#parts
    if (request.clientWire === 'rounds') telemetry?.round()
    const { state } = request
    if (state === undefined)
      return request.clientWire === 'push' ? this.#answerOpen(request) : this.#answerFirst(request)
    const known = suspended.get(state)
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
    this.#parts.replies.close()
    this.#parts.suspended.clear()
    this.#parts.durable.close()
    this.#parts.watchers.close()
  }

  async #join(): Promise<void> {
    await this.#parts.nodes.join()
    await this.#parts.watchers.listen()
    this.#hasJoined = true
  }

  #watched(name: string, by: string, run: string): boolean {
    this.#parts.durable.watched(name, by)
    this.#parts.working.watch(name, by)
    return this.#parts.owners.isHere(name, run)
  }

  async #answerAgain(request: CallRequest<T>, admission?: Admission): Promise<CallReply> {
    const found = await this.#parts.repeats.find(request)
    if (found.id !== undefined) return this.#parts.replies.goOn(request, found, found.id)
    return this.#begin(request, { found, admission })
  }

  #begin(
    request: CallRequest<T>,
    { found, admission }: { readonly found?: Found; readonly admission: Admission | undefined },
  ): Promise<CallReply> {
    const { incoming } = request
    const id = randomId()
    const attempt = this.#attempt(request, {
      id,
      log: this.#parts.logs.open(id, incoming.principal),
      journal: new Journal(),
    })
    if (found !== undefined) this.#canRepeat(attempt, found.repeat)
    attempt.admission = admission
    attempt.call.unasked = incoming.inputResponses
    attempt.start(request)
    return this.#parts.replies.respond(request, attempt, found)
  }

  /** Has the same request find a call while it runs here, and from the desk on everywhere. */
  #canRepeat(attempt: Attempt<T>, repeat: Repeat): void {
    this.#parts.repeats.add(repeat, attempt)
    void attempt.call.end().then(() => this.#parts.repeats.remove(attempt))
  }

  #attempt(
    request: CallRequest<T>,
    given: Pick<AttemptOptions<T>, 'id' | 'log' | 'journal' | 'earlier' | 'run'>,
  ): Attempt<T> {
    const { incoming, target, clientWire, sender, presenter, takesTasks } = request
    const { id, log, journal, earlier, run } = given
    // Written out: on this path a spread costs more than everything else about it.
    const attempt = new Attempt(this.#parts, {
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
      rules: this.#parts.rules,
    })
    if (clientWire === 'rounds') attempt.call.recorder = attempt
    else if (clientWire === 'push') attempt.pushedOver = incoming
    attempt.call.recordsWhileSuspended = this.#parts.logs.areStored
    attempt.call.attach(incoming)
    return attempt
  }

  /** The suspended handler is not here: a repeat gets its reply from the log, anything else is replayed. */
  async #return(request: CallRequest<T>, sealed: string, cause?: ReplayCause): Promise<CallReply> {
    await this.#parts.join()
    const returned = await this.#returned.take(request, sealed, cause)
    if (returned.kind === 'asks') return returned
    return returned.kind === 'mine'
      ? this.#replay(request, returned)
      : this.#parts.replies.repeat(request, returned.call, returned.reply)
  }

  /** Runs the handler again, with what the journal has. */
  #replay(
    request: CallRequest<T>,
    { state, log, worker, journal, answered, isAnswered, cause }: ClaimedRound,
  ): Promise<CallReply> {
    const { telemetry, clock } = this.#parts
    telemetry?.replayed(cause)
    for (const [mark, reply] of answered) telemetry?.answered('rounds', mark.ask, elapsedSince(mark, clock), reply)
    const earlier = new Map(state.open.map(mark => [mark.id, { ...mark, wire: 'rounds' as const }]))
    const attempt = this.#attempt(request, { id: state.call, log, journal, earlier, run: worker.run })
    attempt.misses = state.misses
    attempt.isPromised = true
    if (request.canRepeat) this.#canRepeat(attempt, this.#parts.repeats.repeatOf(request))
    // A round that nobody has answered is still the same one: the first to answer it, here or elsewhere, wins.
    attempt.round = isAnswered ? state.round + 1 : state.round
    attempt.answeredRound = isAnswered ? state.round : undefined
    if (isAnswered) this.#parts.working.add(attempt)
    for (const node of worker.watchers ?? []) attempt.watch(node)
    this.#parts.working.remove(worker)
    attempt.start(request)
    return this.#parts.replies.respond(request, attempt)
  }
}

function rulesOf<T>({ clock, limits, nodes, telemetry }: RunnerOptions<T>): CallRules {
  return {
    clock,
    maxAsks: limits.asks,
    holdMs: limits.holdMs,
    get node() {
      return nodes.id
    },
    clockSkewMs: limits.clockSkewMs,
    telemetry,
  }
}
