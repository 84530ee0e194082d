import type { AskSchema, Content, Outcome } from '@beckon/core'
import type { Call } from '../call/call.js'
import type { LogLevel } from '../call/incoming.js'
import { elicitationModes } from '../protocol/capabilities.js'
import { reasonField } from '../protocol/elicitation.js'
import { nextProgress } from '../protocol/progress.js'
import type { JsonValue } from '../store/index.js'
import { confirmProblem, elicitProblem, formProblem, urlProblem } from './ask-options.js'
import { type AskSettings, askClient, askForm, confirm } from './ask-person.js'
import { askUrl, isUrlError } from './ask-url.js'
import type { CallParts, ServerDeps } from './call-internals.js'
import type { Caller } from './caller.js'
import type {
  Confirm,
  ConfirmOptions,
  ConfirmOutcome,
  Context,
  Elicit,
  ElicitInputParams,
  ElicitInputResult,
  ElicitOptions,
  FormOptions,
  Step,
  Subject,
  UrlOptions,
  WidgetElicitOptions,
} from './context.js'
import { ToolResult } from './results.js'
import { wireFor } from './send-ask.js'
import type { Session, Values } from './session.js'

/** Where a context finds the values of its caller. */
export interface Scopes {
  session(id: string): Session
  sessionIdOf(call: Connected & { readonly id: string }): string
  /** Who is behind a connection. */
  callerOf(connection: Connected): Caller
  /** Calls the listener when someone's authorizations changed, in any process, with a test for their connections. */
  onAuthorization(listener: (concerns: (connection: Connected) => boolean) => void): Promise<void>
  readonly store: Values
  readonly deps: ServerDeps
}

/** What a connection is known by. */
interface Connected {
  readonly principal: string | undefined
  readonly sessionId: string | undefined
}

/** The context of a call. Members are made when they are looked at, so that a suspended call holds little. */
export class CallContext implements Context {
  readonly subject: Subject
  /** Made with the first value, so that a suspended call without any holds none. */
  #vars: Record<PropertyKey, unknown> | undefined
  readonly #call: Call
  readonly #settings: AskSettings
  readonly #scopes: Scopes

  constructor(call: Call, subject: Subject, settings: AskSettings, scopes: Scopes) {
    this.#call = call
    this.subject = subject
    this.#settings = settings
    this.#scopes = scopes
  }

  /** A call from the inside, for middleware. */
  static inside(ctx: Context): CallParts | undefined {
    return #call in ctx ? { ...ctx.#scopes.deps, call: ctx.#call, settings: ctx.#settings } : undefined
  }

  get var(): Context['var'] {
    return this.#vars ?? none
  }

  get set(): Context['set'] {
    return (name, value) => {
      // Without a prototype: what nobody set is not there, whatever it is called.
      this.#vars ??= Object.create(null) as Record<PropertyKey, unknown>
      this.#vars[name] = value
    }
  }

  get confirm(): Context['confirm'] {
    return createConfirm(this.#call, this.#settings)
  }

  get elicit(): Elicit {
    return createElicit(this.#call, this.#settings)
  }

  get elicitInput(): Context['elicitInput'] {
    return params => this.#settings.unheard.listen(elicitInput(this.#call, this.#settings, params), params.message)
  }

  get sample(): Context['sample'] {
    return async ({ key, ...params }) => {
      // What an author gives is sent as JSON, and what a client gives back is JSON.
      const ask = { kind: 'sample', params: params as JsonValue } as const
      return (await askClient(this.#call, ask, key, this.#settings.expiryMs.client)) as Record<string, unknown>
    }
  }

  get roots(): Context['roots'] {
    return async ({ key } = {}) => {
      const result = await askClient(this.#call, { kind: 'roots' }, key, this.#settings.expiryMs.client)
      return (result as { roots?: { uri: string; name?: string }[] }).roots ?? []
    }
  }

  get step(): Context['step'] {
    return <T>(name: string, fn: (step: Step) => T | Promise<T>) => this.#call.step(name, fn)
  }

  get progress(): Context['progress'] {
    return (progress, total, message, meta) => {
      const { incoming } = this.#call
      if (incoming?.progressToken === undefined) return
      const { progressToken } = incoming
      incoming.notify('notifications/progress', {
        progressToken,
        progress: nextProgress(this.#call, progress),
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
        ...(meta !== undefined && { _meta: meta }),
      })
    }
  }

  get log(): Context['log'] {
    return (level: LogLevel, data, logger) => this.#call.incoming?.log(level, data, logger)
  }

  get text(): Context['text'] {
    return text => new ToolResult<undefined>().text(text)
  }

  get json(): Context['json'] {
    return value => new ToolResult<undefined>().json(value)
  }

  get error(): Context['error'] {
    return message => new ToolResult().error(message)
  }

  get image(): Context['image'] {
    return (data, mimeType) => new ToolResult<undefined>().image(data, mimeType)
  }

  get signal(): AbortSignal {
    return this.#call.signal
  }

  get principal(): string | undefined {
    return this.#call.principal
  }

  get sessionId(): string {
    return this.#scopes.sessionIdOf(this.#call)
  }

  get session(): Session {
    return this.#scopes.session(this.sessionId)
  }

  get store(): Values {
    return this.#scopes.store
  }

  get userStore(): Values {
    return this.#scopes.session(`user:${this.sessionId}`)
  }

  get request(): Context['request'] {
    const { incoming } = this.#call
    if (incoming?.header === undefined) return undefined
    return { headers: { get: name => incoming.header?.(name.toLowerCase()) ?? null } }
  }

  get clientCapabilities(): Context['clientCapabilities'] {
    return this.#call.peer.capabilities
  }

  get client(): Context['client'] {
    return this.#call.peer.client
  }

  get agentCapabilities(): Context['agentCapabilities'] {
    return { elicitation: elicitationModes(this.#call.peer, this.#settings.quirks) }
  }

  get canAsk(): Context['canAsk'] {
    const call = this.#call
    const settings = this.#settings
    const has = (mode: 'form' | 'url') => wireFor(call, settings, mode) !== undefined
    return { form: has('form'), url: has('url') || isUrlError(call, settings) }
  }
}

const none: Context['var'] = Object.freeze(Object.create(null))

function createConfirm(call: Call, settings: AskSettings): Confirm {
  const ask = <R>(asked: string | ConfirmOptions, give: (outcome: ConfirmOutcome) => R): Promise<R> => {
    const problem = confirmProblem(asked)
    if (problem !== undefined) return Promise.reject(problem)
    const question = typeof asked === 'string' ? asked : asked.question
    return settings.unheard.listen(confirm(call, settings, asked, give), question)
  }
  return Object.assign((question: string | ConfirmOptions) => ask(question, isAccept), {
    outcome: (question: string | ConfirmOptions) => ask(question, asIs),
  })
}

function isAccept({ action }: ConfirmOutcome): boolean {
  return action === 'accept'
}

function asIs(outcome: ConfirmOutcome): ConfirmOutcome {
  return outcome
}

function createElicit(call: Call, settings: AskSettings): Elicit {
  const { unheard } = settings
  // None of these is what waits, so that a suspended call keeps none of them.
  const elicit = <S extends AskSchema>(options: ElicitOptions<S> | WidgetElicitOptions<S, never>) => {
    const problem = elicitProblem(options)
    if (problem !== undefined) return Promise.reject(problem)
    return unheard.listen(askForm(call, settings, schemaIn(options), contentOf), options.question)
  }
  return Object.assign(elicit, {
    form<S extends AskSchema>(message: string, schema: S, options?: FormOptions) {
      const problem = formProblem(message, options)
      if (problem !== undefined) return Promise.reject(problem)
      return unheard.listen(askForm(call, settings, { ...options, question: message, schema }, withContent), message)
    },
    url(message: string, url: string, options?: UrlOptions) {
      const problem = urlProblem(message, options)
      if (problem !== undefined) return Promise.reject(problem)
      return unheard.listen(askUrl(call, settings, { message, url, ...options }), message)
    },
  })
}

/** An ask with a widget has that one's schema where it says no other. */
function schemaIn<S extends AskSchema>(options: ElicitOptions<S> | WidgetElicitOptions<S, never>): ElicitOptions<S> {
  // By their types, either the options or the widget has a schema.
  if (options.schema !== undefined || options.widget === undefined) return options as ElicitOptions<S>
  return { ...options, schema: options.widget.schema as S }
}

function contentOf<T>(outcome: Outcome<T>): T | null {
  return outcome.action === 'accept' ? outcome.content : null
}

function withContent<T>({ by: _, ...outcome }: Outcome<T>) {
  return outcome.action === 'accept' ? outcome : { ...outcome, content: {} }
}

function elicitInput(call: Call, settings: AskSettings, params: ElicitInputParams): Promise<ElicitInputResult> {
  if (params.mode === 'url') return askUrl(call, settings, params)
  const { message: question, requestedSchema: schema } = params
  if (typeof question !== 'string')
    return Promise.reject(new TypeError('ctx.elicitInput takes what the person is asked as "message".'))
  // As `jsonSchema`, which has to be that of an object: a bare value is a shorthand of ours alone.
  return askForm(call, settings, { question, schema, jsonSchema: schema }, inputResult)
}

function inputResult(outcome: Outcome<unknown>): ElicitInputResult {
  // The schema is that of an object, so the answer is one.
  return outcome.action === 'accept'
    ? { action: 'accept', content: outcome.content as Content }
    : { action: outcome.action, ...(outcome.action === 'decline' && saidWhy(outcome.reason)) }
}

/** Why a person declined, where the official SDK's result has room for it. */
function saidWhy(reason: string | undefined): Pick<ElicitInputResult, 'content'> {
  return reason === undefined ? {} : { content: { [reasonField]: reason } }
}
