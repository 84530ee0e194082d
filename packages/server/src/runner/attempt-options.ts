import type { CallOptions } from '../call/call-options.js'
import type { CallLog } from '../log/call-log.js'
import type { TraceContext } from '../telemetry/telemetry.js'
import type { AskSender, Program } from './call-request.js'

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
