import type { Ask, Ending, OpenAsk } from '../call/ask.js'
import type { Call } from '../call/call.js'
import type { End, Target } from '../call/call-types.js'
import type { Incoming } from '../call/incoming.js'
import type { Reply } from '../call/journal.js'
import type { CallRecord, CallResponse } from '../log/events.js'
import type { CallState } from '../log/reduce.js'
import type { Progress } from '../protocol/progress.js'

/** Shows the asks of one call to people on a desk. */
export interface AskPresenter {
  /** Where a person can answer an ask that is open. */
  link(ask: OpenAsk): Promise<string>
  /** Opens an ask, unless it is there already, and resolves when it has ended. */
  open(ask: OpenAsk): Promise<Ending>
  withdraw(ask: OpenAsk): void
  /** Says what came of the call, where it had asks here. Nobody waits for it. */
  report(end: CallResponse | 'cancelled'): void
}

/**
 * How an ask ended.
 * @param receivedAt when another node received the answer, by that node's clock; left out for an answer that came here
 */
export type Settle = (ending: Ending, receivedAt?: number) => void

/** Sends asks to the client of a call while its request is open. */
export interface AskSender {
  open(ask: OpenAsk, progress: Progress, settle: Settle): void
  withdraw(ask: OpenAsk): void
}

/** How a handler is run, and where its asks go that the client cannot show. */
export interface Program<T> {
  /** Runs the handler from the top for a call. */
  start(call: Call<T>): Promise<T>
  /** Shows its asks on the desk; undefined where it has none. */
  readonly presenter: ((callId: string, principal: string | undefined) => AskPresenter | undefined) | undefined
}

/** One request: the first of a call, a request that brings a state back, or a repeat. */
export interface CallRequest<T> extends Program<T> {
  readonly incoming: Incoming
  readonly target: Target
  /** The sealed state that it brings back. */
  readonly state: string | undefined
  /** The wire over which its client is asked. */
  readonly clientWire: 'push' | 'rounds'
  readonly sender: AskSender | undefined
  /** Whether its client takes a task for a result. */
  readonly takesTasks: boolean
  /** Whether something that it asks may go to the desk, so that the same request again goes on with the same call. */
  readonly canRepeat: boolean
  /** What the reply to an earlier request named, for an anonymous caller. */
  readonly handle: string | undefined
  /** How long it waits for an answer on the desk. */
  readonly waitMs: number
  /** Reads an answer to an ask of a kind; undefined for an answer that cannot be accepted, which leaves the ask open. */
  readReply(ask: Ask['kind'], id: string): Reply | undefined
}

/** What a request is answered with. */
export type CallReply =
  /** With no asks, the call waits for something outside: its client comes again. */
  | { readonly kind: 'asks'; readonly asks: readonly OpenAsk[]; readonly state: string }
  | { readonly kind: 'ended'; readonly end: CallResponse }
  | { readonly kind: 'task'; readonly id: string; readonly state: CallState }
  /** A person takes longer than the request waits. */
  | {
      readonly kind: 'waiting'
      readonly link: string
      readonly asks: readonly OpenAsk[]
      /** What has to be brought back to go on, where nothing else tells whose call it is. */
      readonly handle?: string | undefined
    }

/** Why a handler is entered again: each is counted. */
export type ReplayCause =
  /** The process that ran it died, or stood still for longer than its lease. */
  | 'process-gone'
  /** The next round reached another process. */
  | 'other-process'
  /** It was let go, to stay within bounds. */
  | 'evicted'
  /** The client cancelled the request. */
  | 'cancelled'
  /** Whether an append took effect was not known, or the log had lost what was known. */
  | 'unknown-write'
  /** It is what `replay: 'always'` is for. */
  | 'always'

export interface RunnerLimits {
  /** Suspended calls in all, and for one principal; and how many bytes of arguments they hold. */
  suspended: number
  suspendedPerPrincipal: number
  suspendedBytes: number
  /** The longest state. */
  stateBytes: number
  asks: number
  holdMs: number
  /** How far the clocks of two nodes may be apart, for what is measured on one and answered on another. */
  clockSkewMs: number
  /** Calls whose replies are kept for repeats, and those that are remembered as answered. */
  replies: number
  replyBytes: number
  rounds: number
}

/** How a call is run again whose process is gone, or why it is not. */
export type Resume<T> = (record: CallRecord) => Program<T> | CallResponse

export type EncodeEnd<T> = (end: End<T>, call: Call<T>) => CallResponse
