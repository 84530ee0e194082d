import type { CallOptions } from '../call/call-options.js'
import type { CallLog } from '../log/call-log.js'
import type { Clock } from '../runtime/clock.js'
import type { TraceContext } from '../telemetry/telemetry.js'
import type { Attempt } from './attempt.js'
import type { AskSender, EncodeEnd, Program, ReplayCause } from './call-request.js'

/** What a run needs of the runner. */
export interface AttemptHost<T> {
  readonly node: string
  nameOf(id: string): string
  /** Whether other processes can go on with a call. */
  readonly isShared: boolean
  /** Whether the others cannot take this node for dead yet. */
  readonly isFresh: boolean
  /** Grows when they may have taken it for dead meanwhile. */
  readonly epoch: number
  readonly encodeEnd: EncodeEnd<T>
  /** How long a log is kept after the call's time. */
  readonly retainMs: number
  /** How long a durable call may take in all. */
  readonly durableMs: number
  readonly clock: Clock
  /** How far the clocks of two processes may be apart. */
  readonly clockSkewMs: number
  /** Makes a call durable: its names are written, and its record is. */
  begin(attempt: Attempt<T>): Promise<void>
  /** Tries until the store has taken it. */
  retryUntilStored(task: () => Promise<unknown>): Promise<void>
  /** A durable call has ended, and its log says so. */
  ended(attempt: Attempt<T>): void
  /** A round of a durable call was answered by a request that this run knows nothing of. */
  answeredElsewhere(attempt: Attempt<T>, round: number): void
  /** A durable call waits for someone, with all that it holds by now. */
  waits(attempt: Attempt<T>): void
  /** Something happened to the call, which others want to hear of. */
  changed(attempt: Attempt<T>): void
  /** The run no longer owns the call. */
  released(attempt: Attempt<T>): void
  /** Someone has to run the call again. */
  resume(attempt: Attempt<T>, cause: ReplayCause): void
}

/** What another process would need of the request that began a call. */
export interface CallFacts {
  readonly params: Readonly<Record<string, unknown>>
  readonly trace?: TraceContext | undefined
  readonly takesTasks: boolean
}

export interface AttemptOptions<T> extends CallOptions {
  readonly log: CallLog
  /** Shows its asks on the desk; undefined where it has none. */
  readonly presenter: Program<T>['presenter']
  readonly sender?: AskSender | undefined
  readonly facts: CallFacts
  /** Of this run, where a log names it already. */
  readonly run?: string | undefined
}
