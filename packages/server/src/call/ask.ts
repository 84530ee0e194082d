import type { Form } from '@beckon/core'
import type { Clock } from '../runtime/clock.js'
import type { JsonValue } from '../store/index.js'
import type { AskMark, Reply } from './journal.js'

/** What a person is told, whatever the kind. */
interface Words {
  readonly message: string
  /** Who asks, where that is not the server itself. */
  readonly asker?: string
}

/** What a handler puts to the other side. `sample` and `roots` are for the client itself, not for a person. */
export type Ask =
  | ({ readonly kind: 'confirm' } & Words)
  | ({ readonly kind: 'form'; readonly form: Form } & Words)
  | ({ readonly kind: 'url'; readonly url: string; readonly elicitationId: string } & Words)
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
  /** Since when it is open, in whichever process that was. A record of an earlier version does not say. */
  readonly askedAt?: number | undefined
  readonly expiresAt: number
}

/** How long an ask has been open. The clocks of two processes may disagree. */
export function elapsedSince({ askedAt }: Pick<OpenAsk, 'askedAt'>, clock: Pick<Clock, 'now'>): number | undefined {
  return askedAt === undefined ? undefined : Math.max(0, clock.now() - askedAt)
}

/** How an ask ended: with a reply, or because the client failed to put it. */
export type Ending = Reply | { kind: 'failed'; error: unknown }
