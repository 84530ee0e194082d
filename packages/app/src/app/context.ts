import type { AnsweredBy, AnswerOf, AskSchema, NoAnswer } from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import type { StandardSchemaV1 } from '@standard-schema/spec'

/** What the agent that called can do for an app. */
export interface AgentCapabilities {
  readonly streaming: boolean
  readonly subscriptions: boolean
  readonly sampling: boolean
  readonly elicitation: boolean
}

/** The agent that claimed the app. */
export interface Agent {
  readonly id: string
  readonly name: string
}

export interface ConfirmOptions {
  question: string
  /** What the person sees beside it: `@beckon/app/show` makes it. */
  show?: readonly Block[]
}

/** What came back for a yes or no. */
export interface ConfirmOutcome {
  action: 'accept' | 'decline' | 'cancel'
  /** Why the person declined, in their words, where the gateway says so. */
  reason?: string
  /** Who answered, where the gateway says so. */
  by?: readonly AnsweredBy[]
  /** Why nobody answered; without it, a person turned away, or the gateway does not say. */
  why?: NoAnswer
}

/** Asks a person for a yes or no. It never throws. */
export interface Confirm {
  /** True only when a person explicitly accepts; whatever else happens is false. */
  (question: string | ConfirmOptions): Promise<boolean>
  /** The same, told apart by what the person did, with who did it and why. */
  outcome(question: string | ConfirmOptions): Promise<ConfirmOutcome>
}

export interface ElicitOptions<S extends AskSchema> {
  question: string
  /** What the person sees beside it: `@beckon/app/show` makes it. */
  show?: readonly Block[]
  schema: S
  /** Replaces the JSON Schema that the schema would give by itself. */
  jsonSchema?: object
  /** Proposed values, so that a person approves with changes. */
  initial?: Partial<AnswerOf<S>> | AnswerOf<S>
  /** Properties that may be asked for although their names look like secrets. */
  allow?: readonly string[]
  /** How often an answer that does not fit is asked for again. */
  attempts?: number
}

export interface SampleOptions<S extends StandardSchemaV1 | undefined> {
  prompt: string
  /** What the model has to answer with. */
  schema?: S
  maxTokens?: number
}

/** What a model answered: validated where there is a schema. */
export type Sampled<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S> : unknown

export interface Progress {
  message?: string
  percent?: number
  /** Anything else, as JSON. */
  data?: unknown
}

export type LogLevel = 'debug' | 'info' | 'warning' | 'error'

export interface LogEntry {
  level: LogLevel
  message: string
  /** Anything else, as JSON. */
  meta?: unknown
}

/** What a handler gets beside its input. Every member can be taken apart: `(input, { confirm }) => ...`. */
export interface Context {
  readonly confirm: Confirm
  /**
   * The validated answer of a person, or null when they declined or turned away.
   *
   * @throws ElicitationNotAvailableError when the agent has no way to ask
   */
  readonly elicit: <const S extends AskSchema>(options: ElicitOptions<S>) => Promise<AnswerOf<S> | null>
  /**
   * Has the agent's model answer a prompt.
   *
   * @throws SamplingNotAvailableError when the agent does not lend it
   */
  readonly sample: <S extends StandardSchemaV1 | undefined = undefined>(
    options: SampleOptions<S>,
  ) => Promise<Sampled<S>>
  /** Tells the agent how far this is. */
  readonly progress: (progress: Progress) => void
  /** Writes to the agent's log. */
  readonly log: (entry: LogEntry) => void
  /** Aborts when the invocation is cancelled, runs out of time or loses its gateway; its reason says which. */
  readonly signal: AbortSignal
  readonly invocationId: string
  readonly agent: Agent
  readonly agentCapabilities: AgentCapabilities
  /** Whether a person can be asked now: in the agent's client, or elsewhere. */
  readonly canAsk: { readonly form: boolean }
}
