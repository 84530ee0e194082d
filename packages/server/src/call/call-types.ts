import type { OpenAsk } from './ask.js'
import type { Incoming } from './incoming.js'

/** What a call is for. A state that was made for one target is refused for any other. */
export interface Target {
  readonly method: string
  readonly name: string
  /** Of the arguments. */
  readonly digest: string
}

/** Carries the asks of a call to where they are answered, each over its own wire. Answers come back through `Call.settle`. */
export interface Wires {
  open(ask: OpenAsk): void
  /** An ask that was opened is no longer wanted. */
  withdraw(ask: OpenAsk): void
  /** The time of an ask is over. */
  expire(ask: OpenAsk): void
  /** The call goes on without its client. */
  begin(): void
}

/** How a run of the handler ended. */
export type End<T> = { kind: 'finished'; result: T } | { kind: 'failed'; error: unknown }

/**
 * Where a run of the handler paused: it waits for answers that its client brings with the next round; for something
 * outside; or for answers that come without its client, on the desk or to its task.
 */
export type Pause<T> = { kind: 'asks' | 'outside' | 'background' } | End<T>

/** What is known of the client of a call. */
export type Peer = Pick<Incoming, 'capabilities' | 'revision' | 'client' | 'isAttended'>
