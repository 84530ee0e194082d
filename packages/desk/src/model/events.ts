import type { Answer, Response } from '@beckon/core'
import type { ErrorInfo, InputRequest, Message } from '@beckon/core/chat'
import type { Audience, Policy, SessionAudience, StandIns } from './policy.js'
import type { Report } from './session.js'

/** Who did something: a person on a device. */
export interface Actor {
  readonly principal: string
  readonly device: string
}

/** When something happened, and by whom. */
export interface Stamp {
  /** Milliseconds. */
  readonly at: number
  /** Absent for what the desk did itself. */
  readonly by?: Actor
  /** What a client calls its own action. */
  readonly origin?: { readonly clientId: string; readonly clientSeq: number }
}

/** Something that happened to a session: one record of its log. */
export type SessionEvent = Stamp &
  (
    | {
        readonly type: 'created'
        readonly id: string
        readonly title: string
        readonly server: string
        readonly isCall?: true
        /** Whose it is, where that is not who did this. */
        readonly owner?: string
        readonly audience?: SessionAudience
      }
    | { readonly type: 'titleChanged'; readonly title: string }
    | { readonly type: 'marked'; readonly mark: 'isRead' | 'isArchived'; readonly value: boolean }
    | { readonly type: 'turnStarted'; readonly turn: string; readonly message: Message }
    | {
        readonly type: 'turnEnded'
        readonly turn: string
        readonly state: 'complete' | 'cancelled' | 'error'
        readonly error?: ErrorInfo
      }
    /** The turns after one are forgotten, the active one with them; without one, all of them. */
    | { readonly type: 'truncated'; readonly turn?: string }
    | {
        readonly type: 'asked'
        /** With the answers that it starts with. */
        readonly request: InputRequest
        readonly policy: Policy
        readonly instance: string
        /** Of all that was given to open it: another digest under the same id is another ask. */
        readonly digest: string
        /** Of the request, as JSON. */
        readonly bytes: number
        /** The node where someone waits for it. */
        readonly node: string
        /** Who called, as a token, where a program opened it: what each has open is counted. */
        readonly caller?: string
        /** The rule that says whom it is for. */
        readonly rule?: string
      }
    /** Another node waits for it now. */
    | { readonly type: 'awaited'; readonly ask: string; readonly node: string }
    /** Without an answer, it is cleared. */
    | { readonly type: 'drafted'; readonly ask: string; readonly question: string; readonly answer?: Answer }
    /** One of several who have to accept the same. */
    | {
        readonly type: 'approved'
        readonly ask: string
        readonly digest: string
        readonly method?: 'passkey'
        /** Their own rule, which accepted for them. */
        readonly rule?: string
      }
    /** Someone who had accepted thought better of it. */
    | { readonly type: 'approvalWithdrawn'; readonly ask: string }
    | {
        readonly type: 'askEnded'
        readonly ask: string
        readonly response: Response
        readonly answers?: Readonly<Record<string, Answer>>
        /** Why a person declined, in their words. */
        readonly reason?: string
        readonly isExpired?: true
        /** Of what several have accepted. */
        readonly digest?: string
        /** How the last of them accepted; absent for a click. */
        readonly method?: 'passkey'
        /** The rule that decided it: one for the whole desk, or that of the person by whom it is. */
        readonly rule?: string
        /** A signed statement of it. */
        readonly receipt?: string
        /** The one who did this did not answer: they ended what it was part of. */
        readonly isWithdrawn?: true
      }
    /** Others are asked instead. */
    | {
        readonly type: 'escalated'
        readonly ask: string
        readonly audience: Audience
        readonly standIns?: StandIns
      }
    /** Who did this handed it to someone else, and is asked no more; with the one who stands in for those. */
    | { readonly type: 'delegated'; readonly ask: string; readonly to: string; readonly standIns?: StandIns }
    | { readonly type: 'commented'; readonly ask: string; readonly text: string }
    /** How the call ended that all asks of the session are of. */
    | ({ readonly type: 'reported' } & Omit<Report, 'at'>)
    /** Of the time at `dueAt`. */
    | { readonly type: 'reminded'; readonly ask: string; readonly dueAt: number }
    | { readonly type: 'disposed' }
  )

export type EventOf<Type extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: Type }>

/** The ask that an event is about; undefined when it is about a turn, or the session. */
export function askOf(event: SessionEvent): string | undefined {
  if (event.type === 'asked') return event.request.id
  return 'ask' in event ? event.ask : undefined
}
