// Starts, resumes, replays and takes over calls, whatever their wire. What it promises, each held by tests of this
// folder that name its number:
//
// R1 A call has one log. Each ask has a wire, and asks on different wires may be open together; `moved` closes an ask's old
//    place first, and an answer that arrives where an ask no longer is changes nothing.
// R2 Every append says what it comes after. A run that is not the owner (any more) writes nothing. An append that rejects may
//    have taken effect: the log is read before anything is decided again.
//    A run whose client has a state that may be brought to another process takes the call in its log before each step.
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
import type { CallRules } from '../call/call-rules.js'
import type { ReplayMode } from '../call/incoming.js'
import { randomId } from '../crypto/random-id.js'
import type { Seal } from '../crypto/seal.js'
import { CallLogs } from '../log/call-logs.js'
import { OwnedCalls } from '../log/owned-calls.js'
import { emptyCallState } from '../log/reduce.js'
import type { Clock } from '../runtime/clock.js'
import { sizeOf } from '../runtime/size-of.js'
import type { Store } from '../store/index.js'
import type { Telemetry } from '../telemetry/telemetry.js'
import { attemptFor } from './attempt.js'
import { CallReplies } from './call-replies.js'
import type { CallReply, CallRequest, EncodeEnd, ReplayCause, Resume, RunnerLimits } from './call-request.js'
import { DurableCalls } from './durable-calls.js'
import type { Nodes } from './nodes.js'
import { type Found, Repeats } from './repeats.js'
import { RequestStates } from './request-states.js'
import { RoundFromLog } from './round-from-log.js'
import { Runs } from './runs.js'
import { answerSuspended } from './suspended-round.js'
import { Takeovers } from './takeovers.js'
import { Watchers } from './watchers.js'

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

/** What a runner is made of: each part finds the others here by the time that it needs them. */
export interface RunnerParts<T> extends RunnerOptions<T> {
  readonly rules: CallRules
  readonly logs: CallLogs
  /** Which durable calls this node runs, for the others to find. */
  readonly owned: OwnedCalls
  readonly states: RequestStates
  readonly runs: Runs<T>
  readonly repeats: Repeats<T>
  readonly watchers: Watchers
  readonly takeovers: Takeovers<T>
  readonly durable: DurableCalls<T>
  readonly replies: CallReplies<T>
  /** Hears from the other processes, and is known to them. Undefined once that is so: there is nothing to wait for. */
  join(): Promise<void> | undefined
  /** Answers a request anew: what it asked for is another's by now, or gone. */
  answerAgain(request: CallRequest<T>): Promise<CallReply>
  /** Answers a request that brings a state back whose handler is not suspended here. */
  returned(request: CallRequest<T>, state: string, cause?: ReplayCause): Promise<CallReply>
}

export class Runner<T> {
  readonly #parts: RunnerParts<T>
  #hasJoined = false

  constructor(options: RunnerOptions<T>) {
    const { store, nodes, clock, limits } = options
    const owned = new OwnedCalls(store, nodes, clock)
    const states = new RequestStates(options)
    // What is missing is made of the parts themselves, right below.
    const parts = {
      ...options,
      rules: rulesOf(options),
      owned,
      logs: new CallLogs(store, owned, { limits, issuedUntil: () => states.issuedUntil }),
      states,
      runs: new Runs<T>(options),
      repeats: new Repeats(store, limits.suspended),
      join: () => (this.#hasJoined ? undefined : this.#join()),
      answerAgain: request => this.#answerAgain(request),
      returned: (request, state, cause) => this.#return(request, state, cause),
    } as { -readonly [Part in keyof RunnerParts<T>]: RunnerParts<T>[Part] }
    parts.watchers = new Watchers({
      store,
      clock,
      nodes,
      answered: (name, isWatched) => parts.durable.hear(name, isWatched),
      watched: (name, by, run) => parts.durable.watched(name, by, run),
      givenUp: name => parts.takeovers.runAgain(name, 'unknown-write'),
    })
    parts.takeovers = new Takeovers(parts)
    parts.durable = new DurableCalls(parts)
    parts.replies = new CallReplies(parts)
    this.#parts = parts
  }

  /** Calls that any process answers after: tasks, and those whose asks are on the desk. */
  get durable(): DurableCalls<T> {
    return this.#parts.durable
  }

  /** How many calls wait for their next round. */
  get suspended(): number {
    return this.#parts.runs.suspended.size
  }

  /** Answers one request: the first of a call, a request that brings a state back, or a repeat. */
  answer(request: CallRequest<T>): Promise<CallReply> {
    const { telemetry, runs } = this.#parts
    if (request.clientWire === 'rounds') telemetry?.round()
    const { state } = request
    if (state === undefined)
      return request.clientWire === 'push' ? this.#answerOpen(request) : this.#answerFirst(request)
    const attempt = runs.suspended.get(state)
    const reply = attempt === undefined ? this.#return(request, state) : this.#resume({ request, state, attempt })
    if (telemetry === undefined) return reply
    return reply.catch(error => {
      if (error instanceof StateRejectedError) telemetry.rejected()
      throw error
    })
  }

  #answerFirst(request: CallRequest<T>): Promise<CallReply> {
    return request.canRepeat ? this.#answerAgain(request) : this.#begin(request)
  }

  /** The same for a call whose request stays open while a person thinks. */
  async #answerOpen(request: CallRequest<T>): Promise<CallReply> {
    const { incoming } = request
    const { open } = this.#parts.runs
    const { principal, sessionId, params } = incoming
    open.add(incoming, { principal, sessionId, bytes: sizeOf(params) })
    try {
      return await this.#answerFirst(request)
    } finally {
      open.take(incoming)
    }
  }

  /** Lets every call go. With a shared store others go on with those that are durable. */
  close(): void {
    this.#parts.replies.close()
    this.#parts.runs.suspended.clear()
    this.#parts.durable.close()
    this.#parts.watchers.close()
  }

  async #join(): Promise<void> {
    await this.#parts.nodes.join()
    await this.#parts.watchers.listen()
    this.#hasJoined = true
  }

  async #answerAgain(request: CallRequest<T>): Promise<CallReply> {
    const { repeats, replies } = this.#parts
    const found = await repeats.find(request)
    const here = repeats.at(found.repeat)
    // What is asked in rounds cannot be told to a client that is asked over its request: that one begins a call of its own.
    if (request.clientWire === 'push' && here?.call.clientWire === 'rounds' && !here.isDurable)
      return this.#begin(request, { ...found, id: undefined })
    // The same may have come twice at once: then the first has begun by now.
    const { id = here?.id } = found
    return id === undefined ? this.#begin(request, found) : replies.goOn(request, id, { ...found, id })
  }

  /** The handler is suspended here. */
  #resume(brought: Parameters<typeof answerSuspended<T>>[1]): Promise<CallReply> {
    try {
      return Promise.resolve(answerSuspended(this.#parts, brought))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** It is not. */
  async #return(request: CallRequest<T>, state: string, cause?: ReplayCause): Promise<CallReply> {
    await this.#parts.join()
    return new RoundFromLog(this.#parts, request, { state, cause }).answer()
  }

  #begin(request: CallRequest<T>, found?: Found): Promise<CallReply> {
    const { logs, owned, repeats, replies } = this.#parts
    const { incoming } = request
    const id = request.takesTasks || request.canRepeat ? owned.nextId() : randomId()
    const log = logs.open(id, incoming.principal)
    const attempt = attemptFor(this.#parts, request, { id, log, known: emptyCallState })
    if (found !== undefined) repeats.add(found.repeat, attempt)
    attempt.call.unasked = incoming.inputResponses
    attempt.start(request)
    return replies.respond({ request, attempt, found })
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
