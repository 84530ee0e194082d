import type { Ask, OpenAsk } from '../call/ask.js'
import type { Call } from '../call/call.js'
import type { Reply } from '../call/journal.js'
import type { Target } from '../call/wire.js'
import type { Seal } from '../crypto/seal.js'
import type { Incoming } from '../protocol/incoming.js'
import type { Clock } from '../runtime/clock.js'
import type { Telemetry } from '../telemetry/telemetry.js'

/** Whether a call may be replayed: where it must, on every round (to find what a crash would), or not at all. */
export type ReplayMode = 'when-needed' | 'always' | 'never'

export interface RoundsOptions {
  seal: Seal
  clock: Clock
  version: string
  replay: ReplayMode
  /** What a new version of the server does with a journal of an old one. */
  onDeploy: 'replay' | 'fail'
  /** How long a reply is kept for repeats. */
  retainMs: number
  limits: RoundsLimits
  telemetry?: Telemetry | undefined
}

export interface RoundsLimits {
  /** Suspended calls in all, and for one principal. */
  suspended: number
  suspendedPerPrincipal: number
  /** The longest state. */
  stateBytes: number
  asks: number
  holdMs: number
}

/** What a round is answered with. `open` is empty while the call waits for something that no client can answer. */
export type RoundReply<T> =
  | { kind: 'finished'; result: T }
  | { kind: 'failed'; error: unknown }
  | { kind: 'open'; asks: OpenAsk[]; state: string }
  | { kind: 'left'; call: Call<T> }

/** One request in a call that is answered round by round. */
export interface Round<T, R> {
  incoming: Incoming
  target: Target
  state: string | undefined
  /** Reads an answer to an ask of a kind; undefined for one that cannot be taken, which leaves the ask open. */
  readReply: (ask: Ask['kind'], id: string) => Reply | undefined
  /** Runs the handler from the top for a call. */
  start: (call: Call<T>) => Promise<T>
  /** What a reply leaves as, and is remembered as. */
  encode: (reply: RoundReply<T>) => R | Promise<R>
}
