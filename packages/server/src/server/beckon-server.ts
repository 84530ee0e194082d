import type { AuthOptions } from '../auth/options.js'
import type { ChoicePage } from '../author/choice-schema.js'
import type { Fallback, NoVars } from '../author/context.js'
import type { Identify } from '../author/identify.js'
import type { Middleware, VarsOf } from '../author/middleware.js'
import type { Session } from '../author/session.js'
import type { Widget } from '../author/widget.js'
import type { Files } from '../files/index.js'
import type { Flow } from '../flows/index.js'
import type { ListenOptions } from '../http/listen.js'
import type { NodeListener } from '../http/node.js'
import type { HttpOptions } from '../http/options.js'
import type { Brand } from '../pages/index.js'
import type { Passkeys, PasskeyView } from '../passkeys/index.js'
import type { ReceiptJwks, Receipts } from '../receipts/index.js'
import type { SignIn } from '../sign-in/sign-in.js'
import type { StdioOptions, StdioServing } from '../stdio/serve-stdio.js'
import type { ToolDefinition } from './define-tool.js'
import type {
  PromptArguments,
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
  /**
   * Whose tokens count: makes the server an OAuth 2.1 resource server, which clients can sign in to by themselves. The
   * person that a request is for is its token's, as `https://id.example#subject`. In place of `identify`.
   */
  auth?: AuthOptions | undefined
  /** How people sign in with a browser on our own pages, as the person that their calls are for: `oidc({ ... })`. */
  signIn?: SignIn | undefined
  /** Where this server is reached, when that is not where it listens: requests may be for that host as well. */
  publicUrl?: string | undefined
  /** A place for what people upload: `files()` of `beckon/files`. */
  files?: Files | undefined
  /** Pages to search long lists on: `choicePage()` of `beckon/choices`. */
  choicePages?: readonly (ChoicePage & { readonly flow: Flow })[] | undefined
  /** Pages that show asks, where there is a host for them: of `defineWidget` of `beckon/widgets`. */
  widgets?: readonly Widget[] | undefined
  /** People confirm with a passkey what takes one: `passkeys()` of `beckon/passkeys`. Takes `identify` and a `publicUrl`. */
  passkeys?: Passkeys | undefined
  /** Signs what people answer: `receipts()` of `beckon/receipts`. With passkeys, what takes one is signed without this. */
  receipts?: Receipts | undefined
  /** How our own pages look. */
  brand?: Brand | undefined
  /** What to do with an ask that the client cannot show. */
  fallback?: Fallback | undefined
  /** Told about what went wrong in the server itself, of which clients hear no more than that. Default: to standard error. */
  onError?: ((error: unknown) => void) | undefined
}

/**
 * Tools, prompts and resources that may ask a person, served to every client. `Vars` is what the middleware before all of
 * them add to `ctx.var`.
 */
export interface BeckonServer<Vars extends object = NoVars> {
  readonly name: string
  readonly version: string
  tool<
    I extends ToolSchema | undefined = undefined,
    O extends ToolSchema | undefined = undefined,
    const Use extends readonly Middleware[] = [],
  >(name: string, config: ToolConfig<I, O, Use>, handler: ToolHandler<I, O, VarsOf<Use, Vars>>): BeckonServer<Vars>
  /** With middleware before the config, as `use` has them. */
  tool<
    I extends ToolSchema | undefined = undefined,
    O extends ToolSchema | undefined = undefined,
    const Use extends readonly Middleware[] = readonly Middleware[],
  >(
    name: string,
    ...rest: [...middleware: Use, config: ToolConfig<I, O>, handler: ToolHandler<I, O, VarsOf<Use, Vars>>]
  ): BeckonServer<Vars>
  /** Takes a tool from `defineTool`. */
  tool(tool: ToolDefinition): BeckonServer<Vars>
  prompt<const Args extends PromptArguments = NoVars, const Use extends readonly Middleware[] = []>(
    name: string,
    config: PromptConfig<Args, Use>,
    handler: PromptHandler<Args, VarsOf<Use, Vars>>,
  ): BeckonServer<Vars>
  /** With middleware before the config, as `use` has them. */
  prompt<const Args extends PromptArguments = NoVars, const Use extends readonly Middleware[] = readonly Middleware[]>(
    name: string,
    ...rest: [...middleware: Use, config: PromptConfig<Args>, handler: PromptHandler<Args, VarsOf<Use, Vars>>]
  ): BeckonServer<Vars>
  /** Takes a URI, or a template such as `notes://{id}`. */
  resource<const Use extends readonly Middleware[] = []>(
    uri: string,
    config: ResourceConfig<Use>,
    handler: ResourceHandler<VarsOf<Use, Vars>>,
  ): BeckonServer<Vars>
  /** With middleware before the config, as `use` has them. */
  resource<const Use extends readonly Middleware[] = readonly Middleware[]>(
    uri: string,
    ...rest: [...middleware: Use, config: ResourceConfig, handler: ResourceHandler<VarsOf<Use, Vars>>]
  ): BeckonServer<Vars>
  /** Puts middleware before every tool, prompt and resource. What it adds is known to what is registered on the result. */
  use<const Use extends readonly Middleware[]>(...middleware: Use): BeckonServer<VarsOf<Use, Vars>>
  /** Takes a tool, a prompt or a resource away. False when it was not there. Calls that run go on. */
  remove(kind: 'tool' | 'prompt' | 'resource', name: string): boolean
  /** Opens a caller's scope by its id. */
  session(id: string): Session
  /** Ends the wait for the flow behind a URL. False for an id that is not known; a second time changes nothing. */
  completeElicitation(id: string): Promise<boolean>
  /** The keys that check receipts, as they are published; none where nothing is signed. */
  receiptKeys(): Promise<ReceiptJwks>
  /** For your admins: someone's passkeys, and the way to help someone who lost theirs. */
  readonly passkeys: {
    of(principal: string): Promise<PasskeyView[]>
    /** How many there were. */
    removeAll(principal: string): Promise<number>
  }
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
