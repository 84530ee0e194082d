import type { Answer, Response } from '@beckon/core'
import type { ErrorInfo, InputNeeded, InputRequest, Message } from '@beckon/core/chat'
import type { EscalatedPolicy, Policy } from '../asks/policy.js'

/**
 * Something that happened to a session, in neither dialect: the live protocol writes it as `session/...` or `chat/...`.
 * The last three exist in the later dialect only, where a session mirrors what its chat does and waits for.
 */
export type Act =
  | { readonly type: 'sessionCreated'; readonly title: string; readonly server: string; readonly isCall?: true }
  | { readonly type: 'sessionDisposed' }
  | { readonly type: 'titleChanged'; readonly title: string }
  | { readonly type: 'isReadChanged'; readonly isRead: boolean }
  | { readonly type: 'isArchivedChanged'; readonly isArchived: boolean }
  | {
      readonly type: 'turnStarted'
      readonly turnId: string
      readonly message: Message
      readonly startedAt: string
      readonly queuedMessageId?: string
    }
  | { readonly type: 'turnComplete' | 'turnCancelled'; readonly turnId: string; readonly duration: number }
  | { readonly type: 'error'; readonly turnId: string; readonly duration: number; readonly error: ErrorInfo }
  | { readonly type: 'truncated'; readonly turnId?: string }
  | { readonly type: 'inputRequested'; readonly request: InputRequest; readonly policy: Policy }
  /** Others are asked instead. Neither dialect has this: who is new to the ask sees it appear, and who is not asked any more sees it go. */
  | { readonly type: 'audienceChanged'; readonly requestId: string; readonly policy: EscalatedPolicy }
  | {
      readonly type: 'inputAnswerChanged'
      readonly requestId: string
      readonly questionId: string
      readonly answer?: Answer
    }
  | {
      readonly type: 'inputCompleted'
      readonly requestId: string
      readonly response: Response
      readonly answers?: Record<string, Answer>
      /** Why a person declined, in their words. */
      readonly reason?: string
      /** What it was, where its session goes with it and nobody can look it up any more. It is sent to no client. */
      readonly gone?: Gone
    }
  | { readonly type: 'inputNeededSet'; readonly request: InputNeeded }
  | { readonly type: 'inputNeededRemoved'; readonly id: string }
  | {
      readonly type: 'chatUpdated'
      readonly chat: string
      readonly changes: { readonly status: number; readonly modifiedAt: string }
    }

/** The request that an act is about; undefined when it is about a turn, or the session. */
export function requestOf(act: Act): string | undefined {
  switch (act.type) {
    case 'inputRequested':
    case 'inputNeededSet':
      return act.request.id
    case 'audienceChanged':
    case 'inputAnswerChanged':
    case 'inputCompleted':
      return act.requestId
    case 'inputNeededRemoved':
      return act.id
    default:
      return undefined
  }
}

/** An ask whose session is gone. */
export interface Gone {
  readonly server: string
  readonly request: InputRequest
  readonly policy: Policy
  /** Milliseconds. */
  readonly askedAt: number
}

/** Who did something: a person on a device, or the desk itself. */
export interface Actor {
  readonly principal: string
  readonly device: string
}

/** One line of the desk's log, before it has its number. */
export interface Line {
  readonly session: string
  readonly act: Act
  /** Milliseconds. */
  readonly at: number
  /** Absent for what the desk did itself. */
  readonly by?: Actor
  /** What a client calls its own action. */
  readonly origin?: { readonly clientId: string; readonly clientSeq: number }
}

/** A line with its number: accepted, and in the store. */
export interface Accepted extends Line {
  readonly seq: number
}
