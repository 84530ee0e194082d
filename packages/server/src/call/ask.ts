import { AskExpiredError, type Form } from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import type { WidgetUse } from '@beckon/core/widgets'
import type { Clock } from '../runtime/clock.js'
import type { JsonValue } from '../store/index.js'
import type { AskPolicy } from './ask-policy.js'
import type { AskMark, Reply } from './journal.js'

/** What a person is told, whatever the kind. */
interface Words {
  readonly message: string
  /** What they see beside it. */
  readonly show?: readonly Block[]
  /** Who asks, where that is not the server itself. */
  readonly asker?: string
  /** Who answers, where that is not the caller. */
  readonly policy?: AskPolicy
  /** On the desk, an accept needs a passkey (`verified`), or a person instead of a rule (`present`). */
  readonly person?: 'present' | 'verified'
  /** The desk signs its outcome. */
  readonly receipt?: true
}

/** What a handler asks of the other side. `sample` and `roots` are for the client itself, not for a person. */
export type Ask =
  | ({ readonly kind: 'confirm' } & Words)
  | ({ readonly kind: 'form'; readonly form: Form; readonly widget?: WidgetUse } & Words)
  | ({ readonly kind: 'url'; readonly url: string; readonly elicitationId: string } & Words)
  | { readonly kind: 'sample'; readonly params: JsonValue }
  | { readonly kind: 'roots' }

/** An ask for a person to answer. */
export type PersonAsk = Extract<Ask, { message: string }>

/** How an ask reaches a person: over the wire of its client, or on the desk. */
export type WireName = 'push' | 'rounds' | 'tasks' | 'desk'

/** An ask that nobody has answered yet. */
export interface OpenAsk {
  /** Its name on the wire; never used twice within a call. */
  readonly id: string
  readonly wire: WireName
  readonly ask: Ask
  readonly mark: AskMark
  /** How far into the journal the run had come when it was made. */
  readonly from: number
  /** Since when it is open, in whichever process that was. */
  readonly askedAt: number
  readonly expiresAt: number
  /** Set where an answer of the client counts only after a while. */
  readonly floor?: AnswerFloor | undefined
}

/** For `ms` after an ask was opened no person can have answered it yet, by the clock of the node that asked. */
export interface AnswerFloor {
  readonly ms: number
  readonly node: string
}

/** How long an ask has been open. The clocks of two processes may disagree. */
export function elapsedSince({ askedAt }: Pick<OpenAsk, 'askedAt'>, clock: Pick<Clock, 'now'>): number {
  return Math.max(0, clock.now() - askedAt)
}

/** How an ask ended: with a reply, or because it could not be shown to anyone. */
export type Ending = Reply | { kind: 'failed'; error: unknown }

/** The reply to an ask. Throws where the ask expired. */
export function replyOf(ending: Ending, askId: string): Exclude<Reply, { kind: 'expired' }> {
  if (ending.kind === 'failed') throw ending.error
  if (ending.kind === 'expired') throw new AskExpiredError(askId)
  return ending
}
