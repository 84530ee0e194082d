import type { CallRules } from '../call/call-rules.js'
import type { ReplayMode } from '../call/incoming.js'
import type { Seal } from '../crypto/seal.js'
import type { CallLogs } from '../log/call-logs.js'
import type { OwnedCalls } from '../log/owned-calls.js'
import type { Clock } from '../runtime/clock.js'
import type { Store } from '../store/index.js'
import type { Telemetry } from '../telemetry/telemetry.js'
import type { Attempt } from './attempt.js'
import type { BoundedByPrincipal } from './bounded-by-principal.js'
import type { CallReplies } from './call-replies.js'
import type { CallReply, CallRequest, EncodeEnd, ReplayCause, Resume, RunnerLimits } from './call-request.js'
import type { DurableCalls } from './durable-calls.js'
import type { Nodes } from './nodes.js'
import type { Owners } from './owners.js'
import type { Repeats } from './repeats.js'
import type { RequestStates } from './request-states.js'
import type { Takeovers } from './takeovers.js'
import type { Watchers } from './watchers.js'
import type { Working } from './working.js'

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
  /** Runs that wait for their next round, by the states that bring it. */
  readonly suspended: BoundedByPrincipal<Attempt<T>>
  /** Runs of durable calls, by their names. */
  readonly running: BoundedByPrincipal<Attempt<T>>
  readonly working: Working
  readonly repeats: Repeats<T>
  readonly watchers: Watchers
  readonly owners: Owners
  readonly takeovers: Takeovers<T>
  readonly durable: DurableCalls<T>
  readonly replies: CallReplies<T>
  /** Hears from the other processes, and is known to them. Undefined once that is so: there is nothing to wait for. */
  join(): Promise<void> | undefined
  /** Answers a request anew: what it asked for is another's by now, or gone. */
  answerAgain(request: CallRequest<T>): Promise<CallReply>
  /** Answers a request that brings a state back whose handler is not suspended here. */
  returned(request: CallRequest<T>, state: string, cause?: ReplayCause): Promise<CallReply>
  /** Remembers that a client cancelled a round of a call, so that a replay knows its cause. */
  cancelled(call: string): void
  wasCancelled(call: string): boolean
}
