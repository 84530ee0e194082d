import type { ServerContext } from '@modelcontextprotocol/server'
import type { Fallback } from '../author/context.js'
import type { Identify } from '../author/identify.js'
import type { Middleware } from '../author/middleware.js'
import { checkPolicy } from '../call/ask-policy.js'
import { flowsOf } from '../flows/index.js'
import type { ToolConfig } from '../server/definitions.js'
import type { EngineOptions } from '../server/engine.js'
import type { SdkServer } from './peer-of.js'

/**
 * What `asks` takes: everything that a server of ours does, and what a tool does. The engine, with its store and its desk, is
 * one for the process, found by these options: so give the same ones to every `asks` of a server.
 */
export interface AsksOptions<Use extends readonly Middleware[] = readonly Middleware[]>
  extends EngineOptions,
    Pick<ToolConfig, 'annotations' | 'timeoutMs' | 'urlError' | 'output' | 'approval'> {
  /**
   * The name of the tool, prompt or resource, which a retry has to be for. Default: what is known of it, and the source
   * of the handler. So name what has to outlive a deploy, and handlers that differ only in what they close over.
   */
  name?: string | undefined
  /** The name and version of the server: what the desk shows, and what `onDeploy` compares. Default: `asks`, and none. */
  info?: { readonly name: string; readonly version: string } | undefined
  /** The person that a request is for, by the server's own authorization. */
  identify?: Identify<ServerContext> | undefined
  /**
   * The server that the handler is registered on. A client on 2025 is known in full by it. Without, its elicitation is
   * known, and on stdio its version is taken to be 2025-06-18 unless it can open URLs.
   */
  server?: SdkServer | undefined
  /**
   * What to do with an ask that the client cannot show. To relay it, or to open it on the desk, takes a `name`; and for
   * anonymous callers an input schema that lets the argument `beckon` through: `beckon: z.unknown().optional()`.
   * Default: the desk, where there is one.
   */
  fallback?: Fallback | undefined
  /** What stands before the handler, the first outside. Not what sends people to pages of ours, which nobody serves here. */
  use?: Use | undefined
}

/** How an ask that a client cannot show goes on. */
export function fallbackOf({ fallback, desk }: AsksOptions): Fallback {
  return fallback ?? (desk === undefined ? 'refuse' : 'desk')
}

/** @throws TypeError for options that would ask nobody, without a word */
export function checkOptions(options: AsksOptions): void {
  const fallback = fallbackOf(options)
  if (fallback === 'desk' && options.desk === undefined)
    throw new TypeError("With fallback: 'desk', give asks the desk: asks(handler, { desk, name }).")
  if (options.approval !== undefined) {
    checkPolicy(options.approval)
    if (options.desk === undefined)
      throw new TypeError('An approval is given on a desk: asks(handler, { desk, name, approval }).')
  }
  if (fallback !== 'refuse' && options.name === undefined)
    throw new TypeError('A model must be told what to call again: give asks the name of the tool.')
  const paged = options.use?.find(one => flowsOf(one).length > 0)
  if (paged !== undefined)
    throw new TypeError(
      `${paged.name} sends people to pages of its own, which only a server from createServer() serves.`,
    )
}
