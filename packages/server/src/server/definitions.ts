import type { Listed } from '../author/caller.js'
import type { Context, Fallback } from '../author/context.js'
import type { InputOf, ToolSchema } from './schemas.js'

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

export interface ToolConfig<I extends ToolSchema | undefined = ToolSchema | undefined> {
  title?: string
  description?: string
  input?: I
  output?: ToolSchema
  annotations?: ToolAnnotations
  /** Run as a task for clients that declare the extension: where they do, or only for those. */
  task?: 'optional' | 'required'
  /** How long the handler itself may take. The time that a person takes does not count. */
  timeoutMs?: number
  /** What to do with an ask that the client cannot put. */
  fallback?: Fallback
  /** On 2025-11-25 a URL ask ends the call with error -32042 and the list of URLs to open first. */
  urlError?: boolean
  /** Whether a caller is shown this tool. Who may call it is another matter. Default: everyone. */
  listed?: Listed
  _meta?: Record<string, unknown>
}

/**
 * A tool's result: a text, what `ctx.text` and the like build, a raw MCP result, or nothing. Any other object is structured
 * content, with its JSON as text beside it.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that returns nothing has that type
export type ToolReturn = string | undefined | void | object

export type ToolHandler<I extends ToolSchema | undefined = undefined> = (
  input: I extends ToolSchema ? InputOf<I> : Record<string, never>,
  ctx: Context,
) => ToolReturn | Promise<ToolReturn>

export interface PromptArgument {
  description?: string
  required?: boolean
  /** Proposes values for what a person has typed so far. */
  complete?: (value: string) => string[] | Promise<string[]>
}

export interface PromptConfig {
  title?: string
  description?: string
  args?: Record<string, PromptArgument>
  /** Whether a caller is shown this prompt. Default: everyone. */
  listed?: Listed
  _meta?: Record<string, unknown>
}

/** A prompt's result: one message of the user, messages, or a raw MCP result. */
export type PromptReturn =
  | string
  | { role: string; content: unknown }[]
  | { messages: unknown[]; [key: string]: unknown }

export type PromptHandler = (args: Record<string, string>, ctx: Context) => PromptReturn | Promise<PromptReturn>

export interface ResourceConfig {
  name?: string
  title?: string
  description?: string
  mimeType?: string
  size?: number
  annotations?: Record<string, unknown>
  /** For templates: proposes values for a variable. */
  complete?: Record<string, (value: string) => string[] | Promise<string[]>>
  /** Whether a caller is shown this resource. Default: everyone. */
  listed?: Listed
  _meta?: Record<string, unknown>
}

/** A resource's content: a text, bytes, or a raw MCP result. */
export type ResourceReturn = string | Uint8Array | { contents: unknown[]; [key: string]: unknown }

/** Gets the URI it was read by, and the variables of its template. */
export type ResourceHandler = (
  resource: { uri: string; vars: Record<string, string> },
  ctx: Context,
) => ResourceReturn | Promise<ResourceReturn>
