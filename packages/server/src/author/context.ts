import type { AnsweredBy, AnswerOf, AskSchema, Content, FormSchema, NoAnswer, Outcome } from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import type { AskPolicy } from '../call/ask-policy.js'
import type { ClientCapabilities, LogLevel } from '../call/incoming.js'
import type { PersonRule } from '../person/rule.js'
import type { ElicitationModes } from '../protocol/capabilities.js'
import type { ToolResult } from './results.js'
import type { Session, Values } from './session.js'
import type { Widget } from './widget.js'

/** What to do with an ask that the client cannot show: open it on the desk, have the model relay it, or refuse it. */
export type Fallback = 'desk' | 'relay' | 'refuse'

interface AskTerms {
  /** The author's own name for the ask: a replay finds its answer by it, however the ask is worded. */
  key?: string
  /** How long the ask stays open. */
  timeoutMs?: number
  /** The same as `timeoutMs`. */
  timeout?: number
  fallback?: Fallback
  /** Whose answer counts: that of a person who is there, one that was confirmed with a passkey, or any. Default: as the tool has it, else the server. */
  person?: PersonRule
  /** Who asks, where that is not this server itself but, say, an application behind it. A person is shown both. */
  asker?: string
  /** What the person sees beside the question: blocks of `beckon/show`. A client that has only a message gets them as text. */
  show?: readonly Block[]
}

export interface ConfirmOptions extends AskTerms, AskPolicy {
  question: string
}

export interface FormOptions<T = unknown> extends AskTerms, AskPolicy {
  /** Replaces the JSON Schema that the schema would give by itself. */
  jsonSchema?: object
  /** Proposed values, so that a person approves with changes. */
  initial?: Partial<T> | T
  /** Properties that may be asked for although their names look like secrets. */
  allow?: readonly string[]
  /** How often an answer that does not fit is asked for again. */
  attempts?: number
  /** A page that shows the ask, where there is a host for it: of `beckon/widgets`. Elsewhere a plain form does. */
  widget?: Widget
  /** What the widget is given to show: JSON. */
  data?: unknown
}

export interface ElicitOptions<S extends AskSchema> extends FormOptions<AnswerOf<S>> {
  question: string
  schema: S
}

/** An ask whose schema is that of its widget. */
export interface WidgetElicitOptions<S extends AskSchema, D> extends FormOptions<AnswerOf<S>> {
  question: string
  widget: Widget<S, D>
  data?: D
  schema?: undefined
}

export interface UrlOptions extends AskTerms {
  /** Resolve only once `server.completeElicitation(elicitationId)` was called. */
  waitForCompletion?: boolean
  /** For matching a callback; a random one otherwise. */
  elicitationId?: string
}

/** What a person did with a form. `content` is there on accept; at run time it is `{}` otherwise. */
export type FormOutcome<T> = Outcome<T>

/** What a person did with a URL. */
export interface UrlOutcome {
  action: 'accept' | 'decline' | 'cancel'
  /** Why they declined, in their words, where they wrote something. */
  reason?: string
  /** Why nobody answered. */
  why?: NoAnswer
}

/** What came back for a yes or no. */
export interface ConfirmOutcome {
  action: 'accept' | 'decline' | 'cancel'
  /** Why they declined, in their words, where they wrote something. */
  reason?: string
  /** Who answered, where that is known; several where one was not enough. */
  by?: readonly AnsweredBy[]
  /** Why nobody answered; without it, a person turned away. */
  why?: NoAnswer
  /** A signed statement of it, for `person: 'verified'` and where `receipts` are on. */
  receipt?: string
}

/** Asks a person for a yes or no. */
export interface Confirm {
  /** True only when a person explicitly accepts. */
  (question: string | ConfirmOptions): Promise<boolean>
  /** The same, told apart by what the person did, with who did it and why. */
  outcome(question: string | ConfirmOptions): Promise<ConfirmOutcome>
}

/** Asks a person for something. */
export interface Elicit {
  /** The validated answer, or null when the person declined or turned away. */
  <const S extends AskSchema>(options: ElicitOptions<S>): Promise<AnswerOf<S> | null>
  /** The same for the schema of a widget. */
  <S extends AskSchema, D>(options: WidgetElicitOptions<S, D>): Promise<AnswerOf<S> | null>
  /** The same, told apart by what the person did. */
  form<const S extends AskSchema>(
    message: string,
    schema: S,
    options?: FormOptions<AnswerOf<S>>,
  ): Promise<FormOutcome<AnswerOf<S>>>
  /** Sends the person to a page. Accepting is consent; with `waitForCompletion` it resolves once the flow is done. */
  url(message: string, url: string, options?: UrlOptions): Promise<UrlOutcome>
}

/** The official SDK's parameters of `elicitInput`. */
export type ElicitInputParams =
  | { mode?: 'form'; message: string; requestedSchema: FormSchema }
  | { mode: 'url'; message: string; url: string; elicitationId?: string }

/** The official SDK's result of `elicitInput`. */
export interface ElicitInputResult {
  action: 'accept' | 'decline' | 'cancel'
  /** On a decline, with `beckon/reason`: why, in the person's words, where they wrote something. */
  content?: Content
}

/** What a step's function gets. */
export interface Step {
  /** The same on every attempt: hand it on as an idempotency key. */
  readonly id: string
}

/** What runs: the tool, prompt or resource, and what it was called with. */
export interface Subject {
  readonly kind: 'tool' | 'prompt' | 'resource'
  readonly name: string
  /** What it was registered as, where that is another thing: the template that a resource was found by. */
  readonly registered?: string
  readonly input: unknown
}

/** Nothing in `ctx.var`. */
export type NoVars = Record<never, never>

/**
 * What a handler gets beside its input. Every member can be taken apart: `({ confirm, step }) => ...`. `Vars` is what the
 * middleware before it add.
 */
export interface Context<Vars extends object = NoVars> {
  /** What the middleware before this one added with `ctx.set`, by name. */
  readonly var: Readonly<Vars>
  /** Adds something to `ctx.var`, for whatever stands inside of this. A replay adds it anew. */
  set<Name extends keyof Vars>(name: Name, value: Vars[Name]): void
  readonly confirm: Confirm
  readonly elicit: Elicit
  readonly elicitInput: (params: ElicitInputParams) => Promise<ElicitInputResult>
  /** Has the client's model complete a conversation. A deprecated feature of the protocol, where the client has it. */
  readonly sample: (params: { [key: string]: unknown; key?: string }) => Promise<Record<string, unknown>>
  /** The client's root folders. A deprecated feature of the protocol, where the client has it. */
  readonly roots: (options?: { key?: string }) => Promise<{ uri: string; name?: string }[]>
  /** Runs `fn` once for the call and remembers its JSON result, over every round, crash and replay. */
  readonly step: <T>(name: string, fn: (step: Step) => T | Promise<T>) => Promise<T>
  /** Tells a client that listens how far the call is; `meta` goes along as `_meta`. */
  readonly progress: (progress: number, total?: number, message?: string, meta?: Record<string, unknown>) => void
  readonly log: (level: LogLevel, data: unknown, logger?: string) => void
  readonly text: (text: string) => ToolResult<undefined>
  readonly json: <T>(value: T) => ToolResult<T>
  readonly error: (message: string) => ToolResult<never>
  readonly image: (data: string | Uint8Array, mimeType: string) => ToolResult<undefined>
  readonly subject: Subject
  /** Aborts when the call is cancelled or dropped; not while a person thinks. */
  readonly signal: AbortSignal
  /** Who the call is for, as the server's own authorization says. */
  readonly principal: string | undefined
  /** The caller's scope: the principal, else the session or connection, else this call. */
  readonly session: Session
  readonly sessionId: string
  /** Values of the whole server. */
  readonly store: Values
  /** Values of the principal; of the session where nobody is identified. */
  readonly userStore: Values
  /** The HTTP request that is open now, where there is one. What it says is proven by nobody but who checks it. */
  readonly request: { readonly headers: { get(name: string): string | null } } | undefined
  readonly clientCapabilities: ClientCapabilities
  /** What the client calls itself: for people to read, and no proof of anything. */
  readonly client: { readonly name: string; readonly version: string } | undefined
  /** What this very request's client says it can show a person. Whether anyone can be asked at all is `canAsk`. */
  readonly agentCapabilities: { readonly elicitation: ElicitationModes | undefined }
  /** Whether a person can be asked: by the client, on the desk, or through the model where the tool relays. */
  readonly canAsk: ElicitationModes
}
