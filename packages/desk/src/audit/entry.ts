import type { Question } from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import type { Actor } from '../model/events.js'

/** What can happen to an ask, or to a session. */
export type AuditEvent =
  | 'asked'
  /** Someone read the ask, or subscribed to its session. A list is not a view. */
  | 'viewed'
  | 'drafted'
  | 'recorded'
  | 'accepted'
  | 'declined'
  | 'dismissed'
  | 'withdrawn'
  | 'expired'
  | 'escalated'
  | 'reminded'
  /** Someone handed the ask to `person`. */
  | 'delegated'
  | 'commented'
  /** The server said what came of the call: `reason` is `done` or `failed`. */
  | 'reported'
  /** Someone is away, and `person` stands in for them; or is back. */
  | 'away-set'
  | 'away-removed'
  | 'rejected'
  /** A turn, by a client. */
  | 'started'
  | 'cancelled'
  | 'truncated'
  /** The title of a session, or its marks. */
  | 'changed'
  /** A person's passkey; all of them at once only by an admin. */
  | 'passkey-added'
  | 'passkey-removed'
  | 'passkeys-removed'
  /** A standing rule, in the store. */
  | 'rule-added'
  | 'rule-removed'
  /** A rule would have allowed, without saying so, a tool that can destroy something. */
  | 'rule-refused'
  /** The token of `server`, in the store. */
  | 'token-created'
  | 'token-rotated'
  | 'token-revoked'
  /** An admin ended sessions of `person`, or had what is kept of them exported or erased. */
  | 'sessions-ended'
  | 'person-exported'
  | 'person-erased'

/** Who did what, and when. It says by itself what it is about: sessions are forgotten before it is. */
export interface AuditEntry {
  /** No two entries have the same. */
  readonly id: string
  readonly event: AuditEvent
  /** When it happened, in milliseconds. */
  readonly at: number
  /** Empty for what is about a person or a rule, and no session. */
  readonly session: string
  /** Whose passkey or session it is, or who is asked instead. */
  readonly person?: string
  readonly server?: string
  readonly request?: string
  readonly tool?: string
  /** Who asks, where that is not the server itself. */
  readonly asker?: string
  readonly shown?: Shown
  /** A digest of the tool's arguments. */
  readonly arguments?: string
  readonly question?: string
  /** Who did it; absent for what the desk did itself. */
  readonly by?: Actor
  /** Everyone who has accepted by now, where an ask needs several. */
  readonly approvals?: readonly string[]
  /** The rule that decided it, or that was added or removed; with `by`, a person's own. */
  readonly rule?: string
  /** A digest of the answer that was accepted. The answer itself is not here. */
  readonly answer?: string
  /** The signed statement of how it ended. */
  readonly receipt?: string
  /** Why an action was rejected, or what was recorded. */
  readonly reason?: string
  /** It stands for so many of its kind, by the same person, in the same minute. */
  readonly count?: number
  /** Another node wrote it, from the log of the session: the one where it happened had died. */
  readonly isRecovered?: true
}

/** What people were shown. */
export interface Shown {
  readonly digest: string
  /** Absent once it was erased. */
  readonly text?: ShownText
}

export interface ShownText {
  readonly message: string
  readonly url?: string
  readonly questions?: readonly Question[]
  /** Beside the question. */
  readonly show?: readonly Block[]
  /** The widget that shows it, with what it is given and the digest of its page. */
  readonly widget?: unknown
}

/** An entry that the desk makes by itself, and not from what happened to a session. */
export type NewEntry = Omit<AuditEntry, 'id' | 'shown' | 'arguments' | 'answer'>

/** An entry before it is written: what it is about is there in full, of which digests and one copy of the words are kept. */
export interface EntryDraft {
  readonly entry: Omit<AuditEntry, 'shown' | 'arguments' | 'answer'>
  readonly about?: AboutAsk
  /** The answer that was accepted. */
  readonly answer?: unknown
}

export interface AboutAsk {
  /** Tells the ask from another of the same id. */
  readonly instance: string
  readonly text: ShownText
  readonly arguments?: unknown
}
