import type { Form } from '@beckon/core'
import type { JsonValue } from '../store/index.js'
import type { AskMark, Reply } from './journal.js'

/** What a handler puts to the other side. `sample` and `roots` are for the client itself, not for a person. */
export type Ask =
  | { readonly kind: 'confirm'; readonly message: string }
  | { readonly kind: 'form'; readonly message: string; readonly form: Form }
  | { readonly kind: 'url'; readonly message: string; readonly url: string; readonly elicitationId: string }
  | { readonly kind: 'sample'; readonly params: JsonValue }
  | { readonly kind: 'roots' }

/** An ask that nobody has answered yet. */
export interface OpenAsk {
  /** Its name on the wire; never used twice within a call. */
  readonly id: string
  readonly ask: Ask
  readonly mark: AskMark
  /** How far into the journal the run had come when it was made. */
  readonly from: number
  readonly expiresAt: number
}

/** How an ask ended: with a reply, or because the client failed to put it. */
export type Ending = Reply | { kind: 'failed'; error: unknown }
