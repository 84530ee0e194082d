import type { Fallback } from '../author/context.js'
import type { Identify } from '../author/identify.js'
import type { Middleware } from '../author/middleware.js'
import type { Session } from '../author/session.js'
import type { ListenOptions } from '../http/listen.js'
import type { NodeListener } from '../http/node.js'
import type { HttpOptions } from '../http/options.js'
import type { Brand } from '../pages/index.js'
import type { StdioOptions, StdioServing } from '../stdio/serve-stdio.js'
import type {
  PromptConfig,
  PromptHandler,
  ResourceConfig,
  ResourceHandler,
  ToolConfig,
  ToolHandler,
} from './definitions.js'
import type { EngineOptions } from './engine.js'
import type { ToolSchema } from './schemas.js'

/** What `createServer` takes. */
export interface ServerOptions extends HttpOptions, EngineOptions {
  name: string
  version: string
  /** What a model should know about using this server. */
  instructions?: string | undefined
  /** The person that an HTTP request is for, by the server's own authorization. Throwing answers 401. */
  identify?: Identify<Request> | undefined
  /** Where this server is reached, when that is not where it listens: requests may be for that host as well. */
  publicUrl?: string | undefined
  /** How our own pages look. */
  brand?: Brand | undefined
  /** What to do with an ask that the client cannot put. */
  fallback?: Fallback | undefined
  /** Told about what went wrong in the server itself, of which clients hear no more than that. Default: to standard error. */
  onError?: ((error: unknown) => void) | undefined
}

/** What `server.tool` takes after the name. */
type ToolArguments<I extends ToolSchema | undefined> = [
  ...middleware: Middleware[],
  config: ToolConfig<I>,
  handler: ToolHandler<I>,
]

/** Tools, prompts and resources that may ask a person, served to every client. */
export interface BeckonServer {
  readonly name: string
  readonly version: string
  tool<I extends ToolSchema | undefined = undefined>(name: string, ...rest: ToolArguments<I>): BeckonServer
  prompt(
    name: string,
    ...rest: [...middleware: Middleware[], config: PromptConfig, handler: PromptHandler]
  ): BeckonServer
  /** Takes a URI, or a template such as `notes://{id}`. */
  resource(
    uri: string,
    ...rest: [...middleware: Middleware[], config: ResourceConfig, handler: ResourceHandler]
  ): BeckonServer
  /** Puts middleware before every tool, prompt and resource. */
  use(...middleware: Middleware[]): BeckonServer
  /** Takes a tool, a prompt or a resource away. False when it was not there. Calls that run go on. */
  remove(kind: 'tool' | 'prompt' | 'resource', name: string): boolean
  /** Opens a caller's scope by its id. */
  session(id: string): Session
  /** Ends the wait for the flow behind a URL. False for an id that is not known; a second time changes nothing. */
  completeElicitation(id: string): Promise<boolean>
  /** Tells clients that a list changed. Adding to one that is being served tells them by itself. */
  changed(list: 'tools' | 'prompts' | 'resources'): void
  /** Tells clients that subscribed to a resource that it changed. */
  updated(uri: string): void
  /** Over HTTP, for any runtime with web standards. */
  fetch(request: Request): Promise<Response>
  /** Over HTTP, for servers of `node:http` and Express. */
  readonly node: NodeListener
  /** On standard input and output, or on any transport of the official SDK. */
  stdio(options?: StdioOptions): StdioServing
  /** Over HTTP with a port or `--http`, else on standard input and output. */
  listen(options?: Partial<ListenOptions>): Promise<{ url: string }>
  close(): Promise<void>
}
