// What a desk has to have for its people to answer: `@beckon/desk` has it. Nothing of a desk is imported, so that a
// host that is given one does not bring its own.
import type { Answer, Content, Question } from '@beckon/core'

/** Where asks are put. */
export interface AskingDesk {
  session(id: string, options?: { title?: string; server?: string }): Promise<AskingSession>
}

/** A place for asks that belong together: for a host, those of one connection. */
export interface AskingSession {
  readonly id: string
  /** Begins a turn. There is one at a time. */
  startTurn(message?: string): Promise<AskingTurn>
  activeTurn(): AskingTurn | undefined
}

/** The time in which asks can be answered. */
export interface AskingTurn {
  readonly id: string
  ask(request: DeskRequest, options?: AskTerms & { signal?: AbortSignal }): Promise<DeskOutcome>
  complete(): Promise<void>
  cancel(): Promise<void>
  fail(error: Error): Promise<void>
}

/** An ask as the live protocol has it: with questions, with a page to visit, or with neither. */
export type DeskRequest = {
  readonly id: string
  readonly message: string
  readonly url?: string
  readonly questions?: readonly Question[]
  /** By question id. */
  readonly answers?: Readonly<Record<string, Answer>>
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** What came back. */
export type DeskOutcome =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline'; readonly reason?: string }
  | { readonly action: 'cancel' }

/** Who is asked: named principals, groups, or anyone on the desk. */
export interface DeskAudience {
  readonly principals?: readonly string[]
  readonly groups?: readonly string[]
}

/** Who may answer, and until when. */
export interface AskTerms {
  readonly audience?: DeskAudience
  readonly timeoutMs?: number
  /** When to remind, after the ask was put. */
  readonly remindAfterMs?: readonly number[]
  /** Whom to ask instead, and when. */
  readonly escalation?: { readonly afterMs: number; readonly audience: DeskAudience }
}
