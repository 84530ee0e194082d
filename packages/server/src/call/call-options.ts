import type { OpenAsk, WireName } from './ask.js'
import type { CallRules } from './call-rules.js'
import type { Journal, Reply } from './journal.js'
import type { Target } from './wires.js'

/** How an ask is put. */
export interface AskOptions {
  key?: string | undefined
  timeoutMs: number
  /** Over which it goes, unless an earlier run opened it elsewhere. */
  wire: WireName
  /** A reply that the client sent before it was asked, where that may count. */
  unasked?: Reply | undefined
  /** How long after it was asked an answer of the client counts. */
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
  client: Exclude<WireName, 'desk'> | undefined
  rules: CallRules
  earlier?: EarlierAsks | undefined
}
