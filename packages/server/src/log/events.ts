// What happens to a call, as its log has it. The journal, the open asks, who runs it and what it was answered with are all
// read from here.
import type { OpenAsk, WireName } from '../call/ask.js'
import type { Peer, Target } from '../call/call-types.js'
import type { AskEntry, Entry, StepEntry } from '../call/journal.js'
import type { TraceContext } from '../telemetry/telemetry.js'

/** What a call is, as much as another process needs to run it. */
export interface CallRecord {
  readonly id: string
  readonly target: Target
  /** As the client sent them. */
  readonly params: Readonly<Record<string, unknown>>
  readonly principal: string | null
  readonly sessionId: string | null
  readonly peer: Peer
  /** Whether its client was given a task, or will be. */
  readonly isTask: boolean
  /** Under what the same request finds it. Absent where its client has a state of it: it gives way to no other. */
  readonly repeat?: string
  /** The trace of the request that began it. */
  readonly trace?: TraceContext
  /** Of the server. */
  readonly version: string
  readonly createdAt: number
  readonly expiresAt: number
  /** Until when its client may bring back a state from before it was durable: its log is kept for as long. */
  readonly promisedUntil?: number
}

/** Who runs the handler: one run, of one process. */
export interface Owner {
  readonly node: string
  readonly run: string
}

/** What a request is answered with: a result, or a JSON-RPC error. */
export type CallResponse =
  | { result: Record<string, unknown> }
  | { error: { code: number; message: string; data?: unknown } }

/** What a round was answered with while its call goes on: more asks and the state to bring back; or it went on without its client. */
export type RoundReply =
  | { readonly kind: 'asks'; readonly asks: readonly OpenAsk[]; readonly state: string }
  | {
      readonly kind: 'background'
      /** What has to be brought back to go on, where nothing else tells which call it is. */
      readonly handle?: string | undefined
    }

/** An ask that was answered, by its id. */
export type AnsweredAsk = AskEntry & { readonly ask: string }

/**
 * One event of a call. `begun` makes it durable: from there on every ask is in the log, and one owner runs the call until
 * another takes it over. Before that the log has rounds and steps alone. Nothing counts after an end.
 */
export type CallEvent = { readonly at: number } & (
  | { readonly kind: 'begun'; readonly record: CallRecord; readonly owner: Owner }
  | { readonly kind: 'asked'; readonly ask: OpenAsk }
  /** With an owner, who answered took the call over with it. */
  | {
      readonly kind: 'answered'
      readonly entries: readonly (AnsweredAsk | Entry)[]
      readonly round?: number
      /** Of what the client sent: the same again is a repeat. */
      readonly answers?: string
      readonly owner?: Owner
    }
  | { readonly kind: 'step'; readonly entry: StepEntry }
  | { readonly kind: 'claimed'; readonly owner: Owner }
  | { readonly kind: 'replied'; readonly round: number; readonly reply: RoundReply }
  /** What was answered in a round does not count: it can be answered again. */
  | { readonly kind: 'reopened'; readonly round: number }
  | { readonly kind: 'moved'; readonly ask: string; readonly wire: WireName }
  | { readonly kind: 'expired'; readonly ask: string }
  /** An ask that could not be shown to anyone: its handler was told. */
  | { readonly kind: 'withdrawn'; readonly ask: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'ended'; readonly end: CallResponse }
  /** Someone who asked for the call has its result. Behind an end, and with it where a request waits for that. */
  | { readonly kind: 'delivered' }
)
