import type { OpenAsk, WireName } from './ask.js'
import type { CallRules } from './call-rules.js'
import type { Target } from './call-types.js'
import type { Journal, Reply } from './journal.js'

/** How an ask is sent. */
export interface AskOptions {
  key?: string | undefined
  timeoutMs: number
  /** The wire that it goes over, unless an earlier run opened it elsewhere. */
  wire: WireName
  /** A reply that the client sent before it was asked, where that may count. */
  unasked?: Extract<Reply, { kind: 'outcome' }> | undefined
  /** How long after it was opened an answer of the client begins to count. */
  floorMs?: number | undefined
}

/** Where asks of an earlier run were opened, when, and until when they can be answered, by their id. */
export type EarlierAsks = ReadonlyMap<string, Pick<OpenAsk, 'wire' | 'askedAt' | 'expiresAt' | 'floor'>>

export interface CallOptions {
  id: string
  target: Target
  principal: string | undefined
  journal: Journal
  /** The wire of the client that made the call: what it can show goes over that one. */
  clientWire: Exclude<WireName, 'desk'> | undefined
  rules: CallRules
}
