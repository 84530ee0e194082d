import { commandLine } from '#platform'
import { serveStdio } from '#stdio'
import { resourceServer } from '../auth/resource-server.js'
import { urlComplete } from '../author/ask-url.js'
import { normalizePrincipal } from '../author/identify.js'
import type { Middleware } from '../author/middleware.js'
import type { Answerer } from '../call/incoming.js'
import { ClientConnection } from '../connections/client-connection.js'
import type { Introduction, Methods } from '../connections/methods.js'
import { pageAddress } from '../flows/index.js'
import { loopbackHosts } from '../http/guard.js'
import { serveHttp } from '../http/serve-http.js'
import type { Concerns, Served } from '../http/served.js'
import type { Link } from '../protocol/link.js'
import { BoundedMap } from '../runtime/bounded-map.js'
import { systemClock } from '../runtime/clock.js'
import { isLoopback } from '../runtime/loopback.js'
import type { StdioOptions, StdioServing } from '../stdio/serve-stdio.js'
import { createAnswerer } from './answer.js'
import type { BeckonServer, ServerOptions } from './beckon-server.js'
import type { ToolDefinition } from './define-tool.js'
import type { PromptConfig, PromptHandler, ResourceConfig, ResourceHandler, ToolConfig } from './definitions.js'
import { createEngine } from './engine.js'
import { checkListenOptions, listenOptions } from './listen-options.js'
import { createListing } from './listing.js'
import { OwnPages } from './own-pages.js'
import { type AnyToolHandler, type ListName, Registry } from './registry.js'
import { allScopes, checkMiddlewareScopes, scopesNeeded } from './scopes-needed.js'
import { capabilitiesOf, servedMethods } from './served-methods.js'
import { checkServerOptions } from './server-options.js'
import { createSilentMethods } from './silent-methods.js'
import { switchableClock } from './switchable-clock.js'
import { type TestHook, testHook } from './test-hook.js'
import { addViews } from './view-tools.js'

/**
 * A server whose tools can ask a person and wait for the answer.
 * @example
 * const server = createServer({ name: 'shop', version: '1.0.0' })
 * server.tool('clear', { description: 'Remove done todos' }, async (_input, ctx) =>
 *   (await ctx.confirm('Remove 5 done todos?')) ? ctx.text('Removed.') : ctx.text('Nothing removed.'))
 * await server.listen()
 */
export function createServer(options: ServerOptions): BeckonServer {
  checkServerOptions(options)
  const { name, version, fallback = options.desk ? 'desk' : 'refuse' } = options
  const clock = switchableClock(options.clock ?? systemClock)
  const onError = options.onError ?? (error => console.error(error))
  const registry = new Registry({ hasDesk: options.desk !== undefined })
  const auth =
    options.auth &&
    resourceServer(options.auth, {
      name,
      clock,
      onError,
      base: () => address.base(),
      scopesFor: message => scopesNeeded(registry, message),
      allScopes: () => allScopes(registry),
    })
  if (auth !== undefined && options.identify !== undefined)
    throw new TypeError('A server has `auth` or `identify`, and not both: each says who a request is for.')
  const engine = createEngine({ ...options, clock, onError, checkToken: auth?.check }, version, name)
  const { store, scopes, tasks } = engine
  const answer = createAnswerer({ engine, registry, middleware: registry.middleware, fallback })
  const listing = createListing(registry, scopes, changed)
  const silent = createSilentMethods({ engine, registry, listing })
  const info = { name, version }
  const identify = auth?.identify ?? (options.identify && normalizePrincipal(options.identify))
  const served: Served = {
    answer,
    answerTask: request => tasks.answer(request),
    watchTask: (wanted, tell) => tasks.watch(wanted, tell),
    info,
    isKnown: (method, wanted) =>
      method === 'tools/call'
        ? registry.tools.has(wanted)
        : method === 'prompts/get'
          ? registry.prompts.has(wanted)
          : registry.findResource(wanted) !== undefined,
    connection: link => connectionFor(link, answer),
    methods: link => methodsFor(link, answer),
    maySubscribe: (uri, { link, header }) =>
      silent.subscribe({ link, header, address: link.address?.(''), client: undefined }, uri).then(
        () => true,
        () => false,
      ),
    identify,
    authorize: auth?.authorize,
    now: () => clock.now(),
    document: auth?.document,
    isPublic: options.publicUrl !== undefined && !isLoopback(new URL(options.publicUrl).hostname),
    parameterHeaders: tool => registry.tools.get(tool)?.parameterHeaders,
    hasPage: page => pages.has(page),
    takesStreams: page => pages.takesStreams(page),
    page: (request, from) => pages.answer(request, from),
    sharing: store.shared ? { store, clock, nodes: engine.nodes } : undefined,
    onError,
  }
  const http = serveHttp(served, { ...options, allowedHosts: allowedHosts(options) })
  const connections = new Set<StdioServing>()
  const sessions = new BoundedMap<string, WeakRef<ClientConnection>>({ max: maxKnownSessions })
  const address = pageAddress({
    publicUrl: options.publicUrl,
    openListener: () => (connections.size > 0 ? http.listenForPages() : undefined),
  })
  const pages = new OwnPages(options, { engine, clock, address, identify, onError, onDone: tellDone })
  if (options.widgets !== undefined) {
    addViews(registry, options.widgets, options.files && (() => address.origin()))
    engine.widgets = new Map(options.widgets.map(widget => [widget.name, widget]))
    engine.searches.bring(options.choicePages ?? [])
  }
  const notifiers = () => [http.notify, ...Array.from(connections, connection => connection.notify)]
  let isServed = false

  function serving(): void {
    if (isServed) return
    isServed = true
    engine.watchOver()
  }

  function changed(list: ListName, concerns?: Concerns): void {
    for (const notify of notifiers()) notify[`${list}Changed`](concerns)
  }

  /** Tells the session that was sent to a page, and got error -32042 for that. */
  function tellDone(elicitationId: string): void {
    const told = engine.urlSessions.take(elicitationId)
    // A client that is gone will look for itself.
    if (told !== undefined) sessions.get(told.sessionId)?.deref()?.notify(urlComplete, { elicitationId })
  }

  function methodsFor(link: Link, answerer: Answerer): Methods {
    const own = { registry, listing, silent, tasks, fallback }
    return servedMethods({ ...own, introduction: introduction(link), answer: answerer }, link)
  }

  function connectionFor(link: Link, answerer: Answerer): ClientConnection {
    const methods = methodsFor(link, answerer)
    const connection = new ClientConnection({ ...introduction(link), link, methods, onError })
    if (link.codec.takesNotifications && link.sessionId !== undefined)
      sessions.set(link.sessionId, new WeakRef(connection))
    return connection
  }

  function introduction(link: Link): Introduction {
    const capabilities = capabilitiesOf(link, { hasWidgets: engine.widgets !== undefined })
    return { info, capabilities, instructions: options.instructions }
  }

  function connect(what: Served, stdioOptions?: StdioOptions, principal?: string): StdioServing {
    serving()
    const connection = serveStdio(what, stdioOptions, principal)
    connections.add(connection)
    connection.closed.then(() => connections.delete(connection))
    return connection
  }

  /** Registers something behind its middleware: those before its config, then those in it. */
  function add(
    list: ListName,
    before: unknown[],
    { use = [] }: { use?: readonly Middleware[] },
    register: Register,
  ): BeckonServer {
    const middleware = [...(before as Middleware[]), ...use]
    checkMiddlewareScopes(middleware, auth !== undefined)
    pages.flows.known.add(middleware)
    register(middleware)
    if (isServed) changed(list)
    return server
  }

  const server: BeckonServer & { [testHook]: TestHook } = {
    name,
    version,
    // Their types, which have a shape for each way to call them, say what the last two are.
    tool(first: string | ToolDefinition, ...rest: unknown[]) {
      const [config, handler] = (typeof first === 'string' ? rest.splice(-2) : [first.config, first.handler]) as [
        ToolConfig,
        AnyToolHandler,
      ]
      const tool = typeof first === 'string' ? first : first.name
      return add('tools', rest, config, middleware => registry.addTool(tool, middleware, config, handler))
    },
    prompt(prompt: string, ...rest: unknown[]) {
      const [config, handler] = rest.splice(-2) as [PromptConfig, PromptHandler]
      return add('prompts', rest, config, middleware => registry.addPrompt(prompt, middleware, config, handler))
    },
    resource(uri: string, ...rest: unknown[]) {
      const [config, handler] = rest.splice(-2) as [ResourceConfig, ResourceHandler]
      return add('resources', rest, config, middleware => registry.addResource(uri, middleware, config, handler))
    },
    use(...more) {
      checkMiddlewareScopes(more, auth !== undefined)
      pages.flows.known.add(more)
      registry.use(more)
      return server as never
    },
    session: id => scopes.session(id),
    async completeElicitation(id) {
      const isKnown = await engine.completeElicitation(id)
      if (isKnown) tellDone(id)
      return isKnown
    },
    receiptKeys: async () => (await pages.keys?.jwks()) ?? { keys: [] },
    passkeys: {
      of: async principal => (await pages.passkeys?.list(principal)) ?? [],
      removeAll: async principal => (await pages.passkeys?.removeAll(principal)) ?? 0,
    },
    changed: list => changed(list),
    remove(kind, removed) {
      const isGone = registry.remove(kind, removed)
      if (isGone && isServed) changed(`${kind}s`)
      return isGone
    },
    updated(uri) {
      for (const notify of notifiers()) notify.resourceUpdated(uri)
    },
    fetch(request) {
      serving()
      return http.fetch(request)
    },
    node(request, response) {
      serving()
      http.node(request, response)
    },
    stdio: stdioOptions => connect(served, stdioOptions),
    async listen(given = {}) {
      checkListenOptions(given)
      serving()
      const where = listenOptions(given, commandLine())
      if (where === undefined) {
        server.stdio()
        return { url: 'stdio:' }
      }
      if (!store.shared) warnOfForks(registry)
      address.exposes(where.host ?? '127.0.0.1')
      pages.flows.known.check()
      const listening = await http.listen({ ...given, ...where }).catch(error => {
        throw error.code === 'EADDRINUSE' ? portTaken(where.port, error) : error
      })
      address.listensAt(listening.url)
      // The person who typed the port, or none, is told; a program that asked for it has it from here.
      if (given.port === undefined) console.error(`${name} listens at ${listening.url}`)
      return listening
    },
    async close() {
      await Promise.all([http.close(), ...Array.from(connections, connection => connection.close())])
      await engine.close()
    },
    [testHook]: {
      useClock: clock.use,
      visit: (request, principal) => pages.answerAs(principal, request),
      connect({ transport, principal, replay, isAttended }) {
        const own = { replay, isAttended: isAttended || undefined }
        const answerer: Answerer = incoming => answer(Object.assign(incoming, own))
        return connect({ ...served, connection: link => connectionFor(link, answerer) }, { transport }, principal)
      },
    },
  }
  return server
}

type Register = (middleware: readonly Middleware[]) => void

/** The host names that requests may be for. Behind a proxy that is the public one, and this machine's own. */
function allowedHosts({ allowedHosts: named, publicUrl }: ServerOptions): readonly string[] | undefined {
  if (publicUrl === undefined) return named
  return [...(named ?? loopbackHosts), new URL(publicUrl).hostname]
}

function portTaken(port: number | undefined, cause: unknown): Error {
  return new Error(`Port ${port} is taken. Name another one, with --http=<port> or listen({ port }).`, { cause })
}

/** Sessions that can be told that a flow is done. */
const maxKnownSessions = 10_000

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
