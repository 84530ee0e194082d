import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Context } from './context.js'
import { checkName } from './identity.js'
import { type JsonSchema, jsonSchemaOf } from './schema.js'

/** What an agent is told about an action before it calls it. */
export interface Annotations {
  readonly title?: string
  /** It changes nothing. */
  readonly readOnly?: boolean
  /** What it does cannot be undone. */
  readonly destructive?: boolean
  /** A person has to agree each time. */
  readonly requiresConfirmation?: boolean
}

/** An action that is offered. */
export interface Action {
  readonly name: string
  /** Offers it no longer. Invocations that run are left to finish. */
  remove(): void
}

/** An action as it is announced to a gateway. */
export interface AnnouncedAction {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations?: Annotations
  readonly timeoutMs: number
}

/** An action as the app keeps it. */
export interface Definition {
  readonly announced: AnnouncedAction
  readonly input: StandardSchemaV1 | undefined
  readonly output: StandardSchemaV1 | undefined
  readonly handle: (input: unknown, ctx: Context) => unknown
}

type Draft = Omit<Definition, 'handle'>

/** Says what an action is, step by step; `handler` offers it. */
export class ActionBuilder<Input = unknown, Output = unknown> {
  readonly #draft: Draft
  readonly #offer: (definition: Definition) => Action

  constructor(draft: Draft, offer: (definition: Definition) => Action) {
    this.#draft = draft
    this.#offer = offer
  }

  /** What it does, for the model that decides whether to call it. */
  describe(description: string): ActionBuilder<Input, Output> {
    return this.#with({ description })
  }

  /** What it takes: any Standard Schema. It validates every call, and its JSON Schema is what agents see. */
  input<S extends StandardSchemaV1>(
    schema: S,
    jsonSchema?: JsonSchema,
  ): ActionBuilder<StandardSchemaV1.InferOutput<S>, Output> {
    const inputSchema = jsonSchema ?? jsonSchemaOf(schema, 'input')
    return new ActionBuilder({ ...this.#draft, ...this.#announce({ inputSchema }), input: schema }, this.#offer)
  }

  /** What it gives back: any Standard Schema. A result that does not fit is an error, and never reaches the agent. */
  output<S extends StandardSchemaV1>(
    schema: S,
    jsonSchema?: JsonSchema,
  ): ActionBuilder<Input, StandardSchemaV1.InferInput<S>> {
    const outputSchema = jsonSchema ?? jsonSchemaOf(schema, 'output')
    return new ActionBuilder({ ...this.#draft, ...this.#announce({ outputSchema }), output: schema }, this.#offer)
  }

  annotate(annotations: Annotations): ActionBuilder<Input, Output> {
    return this.#with({ annotations: { ...this.#draft.announced.annotations, ...annotations } })
  }

  /** How long it may run; one minute otherwise. While a person or a model is asked, no time passes. */
  timeout({ ms }: { ms: number }): ActionBuilder<Input, Output> {
    if (!Number.isSafeInteger(ms) || ms < 1) throw new RangeError(`A timeout is a number of milliseconds, not ${ms}.`)
    return this.#with({ timeoutMs: ms })
  }

  /** Offers the action, in place of one of the same name. */
  handler(handle: (input: Input, ctx: Context) => Output | Promise<Output>): Action {
    // The input was validated by the schema that its type comes from.
    return this.#offer({ ...this.#draft, handle: (input, ctx) => handle(input as Input, ctx) })
  }

  #with(announced: Partial<AnnouncedAction>): ActionBuilder<Input, Output> {
    return new ActionBuilder({ ...this.#draft, ...this.#announce(announced) }, this.#offer)
  }

  #announce(announced: Partial<AnnouncedAction>): Pick<Draft, 'announced'> {
    return { announced: { ...this.#draft.announced, ...announced } }
  }
}

const defaultTimeoutMs = 60_000

/** The first step of an action. */
export function draftAction(name: string, offer: (definition: Definition) => Action): ActionBuilder {
  checkName('action', name)
  const announced = { name, description: '', inputSchema: { type: 'object' }, timeoutMs: defaultTimeoutMs }
  return new ActionBuilder({ announced, input: undefined, output: undefined }, offer)
}
