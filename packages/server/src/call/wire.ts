import type { Incoming } from '../protocol/incoming.js'
import type { OpenAsk } from './ask.js'

/** What a call is for. A state that was made for one target is refused for any other. */
export interface Target {
  readonly method: string
  readonly name: string
  /** Of the arguments. */
  readonly digest: string
}

/** Carries asks to where they are answered, and answers back through `Call.settle`. */
export interface Wire {
  readonly name: 'push' | 'rounds' | 'tasks' | 'desk'
  put(ask: OpenAsk): void
  /** An ask that was put is no longer wanted. */
  withdraw(ask: OpenAsk): void
  /** The time of an ask is over. A wire whose answers come from elsewhere, too, settles it as that one says. */
  expire?(ask: OpenAsk): void
}

/** How a run of the handler ended. */
export type End<T> = { kind: 'finished'; result: T } | { kind: 'failed'; error: unknown }

/** Where a run of the handler came to rest. */
export type Pause<T> = { kind: 'suspended' } | { kind: 'left' } | End<T>

/** What is known of the client of a call. */
export type Peer = Pick<Incoming, 'capabilities' | 'revision' | 'client'>
