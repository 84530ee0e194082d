import type { Listed } from '../author/caller.js'
import type { Context, Fallback, NoVars } from '../author/context.js'
import type { Middleware } from '../author/middleware.js'
import type { ContentBlock, ToolResult } from '../author/results.js'
import type { Widget } from '../author/widget.js'
import type { AskPolicy } from '../call/ask-policy.js'
import type { PersonRule } from '../person/rule.js'
import type { ReportMode } from '../wires/call-report.js'
import type { InputOf, OutputOf, ToolSchema } from './schemas.js'

/** What a tool does to the world, for clients and models to know beforehand. */
export interface ToolAnnotations {
  title?: string
  readOnly?: boolean
  destructive?: boolean
  idempotent?: boolean
  openWorld?: boolean
  /** The handler asks before it acts. Answers that nobody asked for never count. */
  requiresConfirmation?: boolean
}

/** Whether a tool does what somebody has to agree to. */
export function isGuarded({ destructive, requiresConfirmation }: ToolAnnotations = {}): boolean {
  return Boolean(destructive || requiresConfirmation)
}

export interface ToolConfig<
  I extends ToolSchema | undefined = ToolSchema | undefined,
  O extends ToolSchema | undefined = ToolSchema | undefined,
  Use extends readonly Middleware[] = readonly Middleware[],
> {
  title?: string
  description?: string
  input?: I
  /** What the handler returns has to fit it. */
  output?: O
  annotations?: ToolAnnotations
  /** What stands before the handler, the first outside. */
  use?: Use
  /** Run as a task for clients that declare the extension: where they do, or only for those. */
  task?: 'optional' | 'required'
  /** How long the handler itself may take. The time that a person takes does not count. */
  timeoutMs?: number
  /** What to do with an ask that the client cannot show. */
  fallback?: Fallback
  /**
   * Whose answers count, for every ask of the tool: those of a person who is there, or any. Default: as the server has it,
   * else `present` for tools that are destructive or require confirmation.
   */
  person?: PersonRule
  /** Who answers every ask of the tool, where the ask itself does not say. It takes a desk. */
  approval?: AskPolicy
  /**
   * What people at the desk who saw an ask hear of its call: that it is done or failed with the first 500 characters of the result
   * or the error (`text`), only that (`status`), or `nothing`. Default: `text`.
   */
  report?: ReportMode
  /**
   * The widget that is the tool's view, for hosts that show views and cannot ask: what the tool asks with it is shown there.
   */
  widget?: Widget
  /** On 2025-11-25 a URL ask ends the call with error -32042 and the list of URLs to open first. */
  urlError?: boolean
  /** Whether a caller is shown this tool. Who may call it is another matter. Default: everyone. */
  listed?: Listed
  _meta?: Record<string, unknown>
}

/**
 * A tool's result: a text, what `ctx.text` and the like build, a raw MCP result, or nothing. Any other object is structured
 * content, with its JSON as text beside it. A tool with an `output` schema returns what fits that, or an error.
 */
export type ToolReturn<O extends ToolSchema | undefined = undefined> = O extends ToolSchema
  ? OutputOf<O> | ToolResult<OutputOf<O>> | RawResult<OutputOf<O>>
  : AnyToolReturn

// biome-ignore lint/suspicious/noConfusingVoidType: a handler that returns nothing has that type
type AnyToolReturn = string | undefined | void | (object & { then?: never })

interface RawResult<T> {
  content: ContentBlock[]
  structuredContent?: T
  isError?: boolean
  _meta?: Record<string, unknown>
}

export type ToolHandler<
  I extends ToolSchema | undefined = undefined,
  O extends ToolSchema | undefined = undefined,
  Vars extends object = NoVars,
> = (
  input: I extends ToolSchema ? InputOf<I> : Record<string, never>,
  ctx: Context<Vars>,
) => ToolReturn<O> | Promise<ToolReturn<O>>

export interface PromptArgument {
  description?: string
  required?: boolean
  /** Proposes values for what a person has typed so far. */
  complete?: (value: string) => string[] | Promise<string[]>
}

export type PromptArguments = Readonly<Record<string, PromptArgument>>

export interface PromptConfig<
  Args extends PromptArguments = PromptArguments,
  Use extends readonly Middleware[] = readonly Middleware[],
> {
  title?: string
  description?: string
  args?: Args
  /** What stands before the handler, the first outside. */
  use?: Use
  /** Whether a caller is shown this prompt. Default: everyone. */
  listed?: Listed
  _meta?: Record<string, unknown>
}

/** A prompt's result: one message of the user, messages, or a raw MCP result. */
export type PromptReturn =
  | string
  | { role: string; content: unknown }[]
  | { messages: unknown[]; [key: string]: unknown }

/** What a prompt's handler gets: texts, those that are not required only where they were given. */
export type ArgumentsOf<Args extends PromptArguments> = string extends keyof Args
  ? Record<string, string>
  : { [Name in keyof Args]: Args[Name] extends { readonly required: true } ? string : string | undefined }

export type PromptHandler<Args extends PromptArguments = PromptArguments, Vars extends object = NoVars> = (
  args: ArgumentsOf<Args>,
  ctx: Context<Vars>,
) => PromptReturn | Promise<PromptReturn>

export interface ResourceConfig<Use extends readonly Middleware[] = readonly Middleware[]> {
  name?: string
  title?: string
  description?: string
  mimeType?: string
  size?: number
  annotations?: Record<string, unknown>
  /** What stands before the handler, the first outside. */
  use?: Use
  /** For templates: proposes values for a variable. */
  complete?: Record<string, (value: string) => string[] | Promise<string[]>>
  /** Whether a caller is shown this resource. Default: everyone. */
  listed?: Listed
  _meta?: Record<string, unknown>
}

/** A resource's content: a text, bytes, or a raw MCP result. */
export type ResourceReturn = string | Uint8Array | { contents: unknown[]; [key: string]: unknown }

/** Gets the URI it was read by, and the variables of its template. */
export type ResourceHandler<Vars extends object = NoVars> = (
  resource: { uri: string; vars: Record<string, string> },
  ctx: Context<Vars>,
) => ResourceReturn | Promise<ResourceReturn>
