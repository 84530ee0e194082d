// For clients that cannot ask, where a desk is attached: the ask is opened on the desk, and the call goes on in the background.
// The request waits for a while; then its result tells the model where the person can answer, and to call the same tool
// with the same arguments again, which continues this very call until its result was delivered once. An anonymous caller
// is given a handle to bring along, under one argument of our own.
import type { AnsweredBy, Content, Form } from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import type { FoundOption, WidgetUse } from '@beckon/core/widgets'
import type { OpenAsk } from '../call/ask.js'
import type { DeskPolicy } from '../call/ask-policy.js'
import { relayArgument } from './relay.js'

/** What an ask is about, and who asks: what a person sees beside the question. */
export interface AskSubject {
  /** The server whose tool asks. */
  readonly server: string
  /** Asks with the same are shown together. Default: the ask stands by itself. */
  readonly call?: string | undefined
  /** Default: the name of the tool, else of the server. */
  readonly title?: string | undefined
  readonly tool?: string | undefined
  /** The arguments of the tool. */
  readonly input?: unknown
  /** Whether the tool can destroy something: a person is warned before they agree. */
  readonly destructive?: boolean | undefined
  /** Whether the tool changes nothing. */
  readonly readOnly?: boolean | undefined
  /** Who asks, where that is not the server itself: an application behind it, say. */
  readonly asker?: string | undefined
  /** Who called. Unless `policy` has an audience, they alone are asked. */
  readonly principal?: string | undefined
}

/** A page that shows a form, in a frame of its own. */
export interface DeskWidget extends WidgetUse {
  /** The whole document. */
  readonly html: string
}

/** What is asked: a page to visit, a form, or, with neither, a yes or no. */
export interface DeskRequest {
  /** Within its call, or else of its server: the same id with the same content is the same ask. */
  readonly id: string
  readonly message: string
  /** What is shown beside it. */
  readonly show?: readonly Block[] | undefined
  readonly form?: Form | undefined
  /** The page that shows the form, and what it is given. */
  readonly widget?: DeskWidget | undefined
  readonly url?: string | undefined
  /**
   * Whether the call of the tool may run is what is asked. Its form, if there is one, has the arguments as they are, to be
   * changed: a rule may accept it so.
   */
  readonly approves?: boolean | undefined
}

/** What came back, and from whom. */
export type DeskOutcome =
  | (Ended & { readonly action: 'accept'; readonly content: Content })
  | (Ended & { readonly action: 'decline'; readonly reason?: string })
  /** Without `why`, a person cancelled. */
  | (Ended & { readonly action: 'cancel'; readonly why?: 'expired' | 'withdrawn' })

interface Ended {
  readonly by?: readonly AnsweredBy[]
  /** A statement of it that the desk has signed. */
  readonly receipt?: string
}

/** How the call ended that an ask was for. */
export interface CallReport {
  readonly status: 'done' | 'failed'
  /** The beginning of the result, or why it failed: everyone sees it who sees the ask. 500 characters are kept. */
  readonly text?: string | undefined
}

/** An ask that is stored on a desk. */
export interface OpenedAsk {
  readonly id: string
  /** Where a person can answer. */
  readonly link: string
  /** It was answered before, or by a rule: nobody has to. */
  readonly isEnded?: boolean | undefined
  /** Until when it is open. */
  readonly expiresAt?: number | undefined
  /** Those of its audience whom the desk has never let in: a name may be misspelled. */
  readonly unseen?: readonly string[] | undefined
  /** Resolves when it has ended. Aborting ends the wait, not the ask. */
  outcome(signal?: AbortSignal): Promise<DeskOutcome>
  /** Ends it, unless it has ended: nobody waits for an answer any more. */
  withdraw(): Promise<void>
  /** Says what came of its call, for all asks of the call; the first word counts. Absent where nobody would see it. */
  report?(report: CallReport): Promise<void>
}

/** Where asks are opened. `@beckon/desk` has one; `remoteDeskFrom` reaches one elsewhere. */
export interface AskDesk {
  /**
   * Opens an ask, and resolves once it is stored. Opening the same again finds it, open or ended, also after a restart.
   * @throws for an id that stands for something else, and for what cannot be shown to a person
   */
  open(
    subject: AskSubject,
    request: DeskRequest,
    options: { readonly policy?: DeskPolicy | undefined; readonly expiresAt: number },
  ): Promise<OpenedAsk>
  /**
   * Has the pages of a server's widgets search options while someone types, as `find` of what they are given says. Absent where a
   * desk cannot reach the server. Ends when what it gives back is called.
   */
  finds?(server: string, find: FindOptions): () => void
}

/** What a handle and the words of a person find. Rejects for a handle that is not known in this process. */
export type FindOptions = (handle: string, search: string) => Promise<readonly FoundOption[]>

/** A call whose person takes longer than its request waits. */
export interface DeskWaiting {
  readonly link: string
  readonly asks: readonly OpenAsk[]
  /** What has to be brought back to go on, where nothing else tells whose call it is. */
  readonly handle?: string | undefined
}

/** The schema of the argument under which a handle is brought back, for a tool's input schema. */
export const handleSchema: Record<string, unknown> = {
  type: 'object',
  description: 'Only when an earlier result of this tool asked for it: the handle from that result.',
  properties: { handle: { type: 'string' } },
  required: ['handle'],
}

/** The handle that a model brings back with the arguments of a tool. */
export function handleIn(args: unknown): string | undefined {
  const { [relayArgument]: brought } = (args ?? {}) as Record<string, unknown>
  const { handle } = (brought ?? {}) as Record<string, unknown>
  return typeof handle === 'string' ? handle : undefined
}

/** What a model is told while a person thinks. */
export function waitingText(tool: string, { link, asks, handle }: DeskWaiting): string {
  const questions = asks.flatMap(({ ask }) => ('message' in ask ? [JSON.stringify(ask.message)] : []))
  const along = handle === undefined ? '' : ` and "${relayArgument}": {"handle":"${handle}"}`
  return (
    `A person was asked: ${questions.join(', ')}. They have not answered yet, and can do so at ${link} . ` +
    `Tell them, and do not answer for them. To go on, call "${tool}" again with the same arguments${along}: it continues this call.`
  )
}
