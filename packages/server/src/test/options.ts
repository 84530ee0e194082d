import type { ClientCapabilities, ReplayMode } from '../call/incoming.js'
import type { Clock } from '../runtime/clock.js'
import type { AnswerSource } from './answerer.js'

/** The wires that a test client speaks. */
export type TestWire = 'push' | 'rounds' | 'tasks'

export interface TestClientOptions {
  /** How asks reach the client. Default: `rounds`. With `tasks`, tools that say so run as tasks, and the rest in rounds. */
  wire?: TestWire
  /** What the client declares, in place of everything: forms, URLs, sampling and roots. */
  capabilities?: ClientCapabilities
  /** Answers what is asked. Without one, a call that asks fails. */
  answer?: AnswerSource
  /** On `rounds`: run the handler again from its journal on every round (the default), where it must, or not at all. */
  replay?: ReplayMode
  /** The clock that the server goes by until the client is closed. */
  clock?: Clock
  /** The revision that is spoken on `push`. Default: 2025-11-25. */
  revision?: '2025-06-18' | '2025-11-25'
  /** Who the calls are for, as the server's authorization would have it. */
  principal?: string
  /** Has its answers taken for what they are, a program's, as fast as they come. Default: they count as a person's. */
  answersItself?: boolean
  /** What the client calls itself. */
  client?: { name: string; version: string }
}
