import type { Fallback } from '../author/context.js'
import { openValues, PendingWrites, type Session } from '../author/session.js'
import { type Clock, systemClock } from '../calls/clock.js'
import { createCompletions } from '../calls/completions.js'
import { type ReplayMode, Rounds, type RoundsLimits } from '../calls/rounds.js'
import { createSeal, type Key, randomKey } from '../calls/seal.js'
import type { NodeListener } from '../http/node.js'
import type { HttpOptions } from '../http/options.js'
import { serveHttp } from '../http/serve-http.js'
import type { Served } from '../http/served.js'
import type { Middleware } from '../middleware/middleware.js'
import { type StdioOptions, type StdioServing, serveStdio } from '../stdio/serve-stdio.js'
import { memoryStore } from '../store/memory-store.js'
import type { Store } from '../store/store.js'
import type { Quirk } from '../wires/capabilities.js'
import { createRelay } from '../wires/relay.js'
import { Tasks } from '../wires/tasks.js'
import { createAnswerer, taskEnd } from './answer.js'
import type {
  PromptConfig,
  PromptHandler,
  ResourceConfig,
  ResourceHandler,
  ToolConfig,
  ToolHandler,
} from './definitions.js'
import { listenOptions } from './listen-options.js'
import { Registry } from './registry.js'
import type { ToolSchema } from './schemas.js'
import { scopesOf } from './scopes.js'
import { createSdkServer } from './sdk-server.js'

export interface ServerOptions extends HttpOptions {
  name: string
  version: string
  /** What a model should know about using this server. */
  instructions?: string
  /** Keys that seal request states: the first seals, all of them open. Default: a new one for each process. */
  keys?: Key | readonly Key[]
  store?: Store
  /** The person that an HTTP request is for, by the server's own authorization. Throwing answers 401. */
  identify?: (request: Request) => Promise<string | undefined> | string | undefined
  /** When a handler is run again from its journal: where it must, on every round, or not at all. */
  replay?: ReplayMode
  /** What this version does with the journal of another one. */
  onDeploy?: 'replay' | 'fail'
  /** What to do with an ask that the client cannot put. */
  fallback?: Fallback
  /** Clients that declare elicitation although nobody is there. */
  quirks?: readonly Quirk[]
  /** Let URL asks lead to plain http beyond this machine. */
  allowHttp?: boolean
  limits?: Partial<RoundsLimits & { tasks: number }>
  /** For tests. */
  clock?: Clock
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
  listen(options?: { port?: number; host?: string }): Promise<{ url: string }>
  close(): Promise<void>
}

const hourMs = 60 * 60 * 1000

const defaultLimits: RoundsLimits & { tasks: number } = {
  suspended: 10_000,
  suspendedPerPrincipal: 1_000,
  replies: 1_000,
  rounds: 100_000,
  stateBytes: 64 * 1024,
  asks: 256,
  holdMs: 45_000,
  tasks: 10_000,
}

/**
 * A server whose tools can ask a person and wait for the answer.
 * @example
 * const server = createServer({ name: 'shop', version: '1.0.0' })
 * server.tool('clear', { description: 'Remove done todos' }, async (_input, ctx) =>
 *   (await ctx.confirm('Remove 5 done todos?')) ? ctx.text('Removed.') : ctx.text('Nothing removed.'))
 * await server.listen()
 */
export function createServer(options: ServerOptions): BeckonServer {
  const { name, version, clock = systemClock, store = memoryStore({ clock }), fallback = 'refuse' } = options
  const limits = { ...defaultLimits, ...options.limits }
  const registry = new Registry()
  const middleware: Middleware[] = []
  const writes = new PendingWrites()
  const completions = createCompletions(store, clock)
  const scopes = scopesOf(store, writes)
  const keys = options.keys === undefined ? [randomKey()] : [options.keys].flat()
  const rounds = new Rounds<Record<string, unknown>>({
    seal: createSeal(keys, 'request state'),
    clock,
    version,
    replay: options.replay ?? 'when-needed',
    onDeploy: options.onDeploy ?? 'replay',
    limits,
  })
  const tasks = new Tasks({ clock, ttlMs: 24 * hourMs, max: limits.tasks, readEnd: taskEnd })
  const answer = createAnswerer({
    registry,
    middleware,
    rounds,
    tasks,
    relay: createRelay(store),
    scopes,
    clock,
    fallback,
    settings: {
      quirks: options.quirks ?? [],
      allowHttp: options.allowHttp ?? false,
      expiryMs: { ask: hourMs, url: 5 * 60 * 1000 },
      completions,
    },
    maxAsks: limits.asks,
  })
  const info = { name, version }
  const served: Served = {
    answer,
    info,
    isKnown: (method, wanted) =>
      method === 'tools/call'
        ? registry.tools.has(wanted)
        : method === 'prompts/get'
          ? registry.prompts.has(wanted)
          : registry.findResource(wanted) !== undefined,
    createServer: link =>
      createSdkServer({ info, instructions: options.instructions, registry, answer, tasks, fallback }, link),
    identify: options.identify,
    parameterHeaders: tool => registry.tools.get(tool)?.parameterHeaders,
  }
  const http = serveHttp(served, options)
  const connections = new Set<StdioServing>()
  const notifiers = () => [http.notify, ...Array.from(connections, connection => connection.notify)]
  let isServed = false

  function changed(list: 'tools' | 'prompts' | 'resources'): void {
    for (const notify of notifiers()) notify[`${list}Changed`]()
  }

  const server: BeckonServer = {
    name,
    version,
    tool(tool, ...rest) {
      // The types of `rest` say that these are the last two.
      const [config, handler] = rest.splice(-2) as unknown as [ToolConfig, ToolHandler<ToolSchema>]
      registry.addTool(tool, rest as Middleware[], config, handler)
      if (isServed) changed('tools')
      return server
    },
    prompt(prompt, ...rest) {
      const [config, handler] = rest.splice(-2) as [PromptConfig, PromptHandler]
      registry.addPrompt(prompt, rest as Middleware[], config, handler)
      if (isServed) changed('prompts')
      return server
    },
    resource(uri, ...rest) {
      const [config, handler] = rest.splice(-2) as [ResourceConfig, ResourceHandler]
      registry.addResource(uri, rest as Middleware[], config, handler)
      if (isServed) changed('resources')
      return server
    },
    use(...more) {
      middleware.push(...more)
      return server
    },
    session: id => scopes.session(id),
    async completeElicitation(id) {
      await writes.settled()
      return completions.complete(id)
    },
    changed,
    updated(uri) {
      for (const notify of notifiers()) notify.resourceUpdated(uri)
    },
    fetch(request) {
      isServed = true
      return http.fetch(request)
    },
    node(request, response) {
      isServed = true
      http.node(request, response)
    },
    stdio(stdioOptions) {
      isServed = true
      const connection = serveStdio(served, stdioOptions)
      connections.add(connection)
      connection.closed.then(() => connections.delete(connection))
      return connection
    },
    async listen(given = {}) {
      isServed = true
      const where = listenOptions(given, process.argv)
      if (where === undefined) {
        server.stdio()
        return { url: 'stdio:' }
      }
      if (!store.shared) warnOfForks(registry)
      return http.listen(where)
    },
    async close() {
      await Promise.all([http.close(), ...Array.from(connections, connection => connection.close())])
      rounds.close()
      tasks.close()
      await store.close()
    },
  }
  return server
}

/** Without a shared store an old state could fork a call on another process. */
function warnOfForks(registry: Registry): void {
  const names = Array.from(registry.tools.values())
    .filter(tool => tool.config.annotations?.destructive)
    .map(tool => tool.name)
  if (names.length === 0) return
  console.warn(
    `beckon: ${names.join(', ')} can destroy something, and this server has no shared store. That is safe with one process. ` +
      'With several behind one address, give createServer a store.',
  )
}
