// A session of a desk: its turns, and what they ask. It is in no dialect of the live protocol; `dialects/` writes it in each.
import type { Answer, Response } from '@beckon/core'
import type { ErrorInfo, InputRequest, Message } from '@beckon/core/chat'
import type { Audience, Policy, SessionAudience } from './policy.js'

export interface Session {
  readonly id: string
  readonly title: string
  /** The title that it began with, which its chat keeps. */
  readonly firstTitle: string
  /** Who asks: the name of the server whose tools these are. */
  readonly server: string
  /** Whether it is there for one call of a server, and may be forgotten once that is over. */
  readonly isCall: boolean
  /** Whose it is: who made it, or whose call it is; absent where nobody knows. */
  readonly owner?: string
  /** Who else sees it, whatever it asks. */
  readonly audience?: SessionAudience
  /** Milliseconds, as all times here. */
  readonly createdAt: number
  /** When anything changed but a mark. */
  readonly modifiedAt: number
  /** When a turn or an ask changed. */
  readonly chatModifiedAt: number
  /** When a turn last began or ended; one that is cut off does neither. */
  readonly turnChangedAt: number
  readonly isArchived: boolean
  /** Taken back by whatever is new. */
  readonly isRead: boolean
  /** As it was marked last, whatever is new: the session keeps it where there are chats. */
  readonly isMarkedRead: boolean
  /** Whether the last turn failed. */
  readonly hasFailed: boolean
  /** Those that ended, the last of them. */
  readonly turns: readonly EndedTurn[]
  readonly activeTurn?: Turn
  /** By id, in the order they were opened. */
  readonly open: ReadonlyMap<string, Ask>
  /** Those that ended, the last of them, in the order they ended. */
  readonly ended: readonly Ask[]
  /** How the call ended. */
  readonly report?: Report
  /** How many asks there were, those that others were asked instead counted again. */
  readonly asks: number
}

export interface Turn {
  readonly id: string
  readonly message: Message
  readonly startedAt: number
}

export interface EndedTurn extends Turn {
  readonly endedAt: number
  /** Of what began it, as JSON. */
  readonly bytes: number
  readonly state: 'complete' | 'cancelled' | 'error'
  readonly error?: ErrorInfo
}

/** What came of a call, as its server says. */
export interface Report {
  readonly status: 'done' | 'failed'
  /** The beginning of the result, or why it failed. */
  readonly text?: string
  readonly at: number
}

/** What someone wrote about an ask, for everyone who sees it. */
export interface Comment {
  readonly by: string
  readonly at: number
  readonly text: string
}

/** One person's accept of an answer. */
export interface Approval {
  readonly principal: string
  /** Of what they were shown, and of what they answered. */
  readonly digest: string
  /** Absent for a click. */
  readonly method?: 'passkey'
  /** Their own rule, which accepted for them. */
  readonly rule?: string
}

/** One question put to people, or several that are answered together. */
export interface Ask {
  readonly id: string
  /** Tells it from another of the same id. */
  readonly instance: string
  /** Of all that was given to open it. */
  readonly digest: string
  /** Of what is asked and of comments, as JSON; once it ended, of the answers, too. */
  readonly bytes: number
  /** Its place among the asks of its session. */
  readonly number: number
  readonly turn: string
  /** What is asked, without answers. */
  readonly request: InputRequest
  readonly policy: Policy
  /** The answers so far, by question; once it ended, those it ended with. */
  readonly drafts: Readonly<Record<string, Answer>>
  /** Who has accepted what, where one is not enough; the last of each. */
  readonly approvals: readonly Approval[]
  /** In the order they were written; absent without any. */
  readonly comments?: readonly Comment[]
  readonly askedAt: number
  /** The node where someone waits for it. */
  readonly node: string
  /** Who called, as a token; absent for what the desk's own process asks. */
  readonly caller?: string
  /** The rule that says whom it is for. */
  readonly rule?: string
  /** The last of the times to remind that is done. */
  readonly remindedAt?: number
  /** Whom it was for before others were asked instead, each time. */
  readonly formers?: readonly Former[]
  readonly ending?: Ending
}

/** Those who were asked before others were, and what they saw last. */
export interface Former {
  /** Absent: anyone on this desk. */
  readonly audience?: Audience
  /** Those who handed it on before. */
  readonly handedOn?: readonly string[]
  readonly drafts: Ask['drafts']
  /** How many comments there were. */
  readonly comments: number
  /** When others were asked. */
  readonly at: number
  /** Its place among the asks of its session, to those others. */
  readonly number: number
}

/** How an ask ended. */
export interface Ending {
  /** Absent where its turn ended first. */
  readonly response?: Response
  /** Who ended it; absent for what the desk did itself. */
  readonly by?: string
  /** The rule that decided it: one for the whole desk, or that of the person by whom it is. */
  readonly rule?: string
  /** Why a person declined, in their words. */
  readonly reason?: string
  readonly isExpired?: true
  /** Of the answer that enough people have accepted, where one is not enough. */
  readonly digest?: string
  /** A signed statement of it. */
  readonly receipt?: string
  readonly at: number
}
