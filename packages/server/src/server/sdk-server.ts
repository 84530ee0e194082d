// The SDK's server for one connection or request: lists, subscriptions, completion and tasks. The asking methods go to
// the same answerer that the lean path uses.
import { isRecord } from '@beckon/core/json-rpc'
import { findTool, uiExtension } from '@beckon/core/widgets'
import {
  CLIENT_CAPABILITIES_META_KEY,
  Server,
  type ServerContext,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server'
import type { Fallback } from '../author/context.js'
import type { Answerer, ClientCapabilities } from '../call/incoming.js'
import type { Link } from '../http/served.js'
import { callerKey } from '../protocol/caller-key.js'
import { showsViews } from '../protocol/capabilities.js'
import { answeredByExtension } from '../protocol/elicitation.js'
import { hasRpcCode, RequestError } from '../protocol/request-error.js'
import { envelopeOf } from '../sdk/envelope-of.js'
import { answerFrom, headerOf } from '../sdk/incoming-from.js'
import { answerTool } from '../wires/app-asks.js'
import { handleSchema } from '../wires/desk.js'
import { relayArgument, relaySchema } from '../wires/relay.js'
import { type Tasks, tasksExtension } from '../wires/tasks.js'
import type { Listing } from './listing.js'
import { type Registry, type Resource, type Tool, withoutUndefined } from './registry.js'
import type { SilentMethods, SilentRequest } from './silent-methods.js'

export interface SdkServerOptions {
  info: { name: string; version: string }
  instructions: string | undefined
  registry: Registry
  listing: Listing
  answer: Answerer
  silent: SilentMethods
  tasks: Tasks
  fallback: Fallback
  /** Whether there are pages that show asks. */
  hasWidgets: boolean
}

type Params = Record<string, unknown>
type Handler = (params: Params, ctx: ServerContext) => Params | Promise<Params>

/** The SDK checks results of tools/call in a way that spoils tasks and errors with numbers of their own. */
class PlainServer extends Server {
  protected override _wrapHandler(
    method: string,
    handler: Parameters<Server['_wrapHandler']>[1],
  ): ReturnType<Server['_wrapHandler']> {
    if (method === 'tools/call') return handler
    const wrapped = super._wrapHandler(method, handler)
    return answeredBySdk.has(method) ? refusingParams(method, wrapped) : wrapped
  }
}

/** What the SDK answers itself. All that can go wrong there is the request, and it says so with an internal error. */
const answeredBySdk = new Set(['initialize', 'ping', 'logging/setLevel'])

function refusingParams(
  method: string,
  handler: ReturnType<Server['_wrapHandler']>,
): ReturnType<Server['_wrapHandler']> {
  return async (request, ctx) => {
    try {
      return await handler(request, ctx)
    } catch (error) {
      throw hasRpcCode(error) ? error : new RequestError(-32602, `Invalid params for ${method}.`)
    }
  }
}

const anyParams: StandardSchemaV1<unknown, Params> = {
  '~standard': {
    version: 1,
    vendor: 'beckon',
    validate: value =>
      value === undefined
        ? { value: {} }
        : isRecord(value)
          ? { value }
          : { issues: [{ message: 'params is an object' }] },
  },
}

export function createSdkServer(options: SdkServerOptions, link: Link): Server {
  const { info, instructions, registry, listing, answer, silent, tasks, fallback, hasWidgets } = options
  const server = new PlainServer(info, {
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      completions: {},
      logging: {},
      extensions: {
        [tasksExtension]: {},
        [answeredByExtension]: {},
        ...(hasWidgets && { [uiExtension]: { elicitation: {} } }),
      },
    },
    ...(instructions !== undefined && { instructions }),
    inputRequired: { legacyShim: false },
  })
  const handle = (method: string, handler: Handler) => server.setRequestHandler(method, { params: anyParams }, handler)
  for (const method of ['tools/call', 'prompts/get', 'resources/read']) {
    handle(method, (params, ctx) => answerFrom(answer, ctx, { params, server, link }))
  }
  handle('tools/list', async (_params, ctx) => {
    const tools = await listing.shown(link, registry.tools.values())
    const capabilities = capabilitiesOf(server, ctx)
    const views = showsViews(capabilities)
    const isAskedInViews = views && capabilities.elicitation === undefined
    const isToldApart = callerKey({ ...link, header: headerOf(ctx, link) }) !== undefined
    const listed = tools.map(tool => listedTool(tool, ownSchema(tool, fallback, isToldApart)))
    if (isAskedInViews) return { tools: listed.map(withView(tools)) }
    return { tools: listed.filter(({ name }) => name !== answerTool && (views || name !== findTool)) }
  })
  handle('prompts/list', async () => {
    const prompts = await listing.shown(link, registry.prompts.values())
    return { prompts: prompts.map(listedPrompt) }
  })
  handle('resources/list', async () => {
    const resources = await listing.shown(link, registry.resources.values())
    return { resources: resources.map(resource => listedResource(resource, 'uri')) }
  })
  handle('resources/templates/list', async () => {
    const templates = await listing.shown(link, registry.templates.values())
    return { resourceTemplates: templates.map(resource => listedResource(resource, 'uriTemplate')) }
  })
  const from = (ctx: ServerContext): SilentRequest => ({
    link,
    header: headerOf(ctx, link),
    address: link.address?.(ctx.mcpReq.id),
    client: server.getClientVersion(),
  })
  handle('completion/complete', (params, ctx) => silent.complete(from(ctx), params))
  handle('resources/subscribe', async ({ uri }, ctx) => {
    if (link.subscriptions.size >= maxSubscriptions || String(uri).length > maxUriLength)
      throw new RequestError(-32602, `A connection has at most ${maxSubscriptions} subscriptions.`)
    await silent.subscribe(from(ctx), String(uri))
    link.subscriptions.add(String(uri))
    return {}
  })
  handle('resources/unsubscribe', ({ uri }) => {
    link.subscriptions.delete(String(uri))
    return {}
  })
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'] as const) {
    handle(method, (params, ctx) => {
      const envelope = envelopeOf(ctx)
      if (envelope === undefined) throw new RequestError(-32601, `Method not found: ${method}`)
      // The SDK has checked the envelope before it called the handler.
      const capabilities = (envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}) as ClientCapabilities
      const { inputResponses } = ctx.mcpReq
      return tasks.answer({ method, params, capabilities, principal: link.principal, inputResponses })
    })
  }
  return server
}

/** What a client can do: as it says with the request, or said when it connected. */
function capabilitiesOf(server: Server, ctx: ServerContext): ClientCapabilities {
  const envelope = envelopeOf(ctx)
  const given = envelope === undefined ? server.getClientCapabilities() : envelope[CLIENT_CAPABILITIES_META_KEY]
  return (given ?? {}) as ClientCapabilities
}

/** A tool with the view that its host shows with its result. */
function withView(tools: readonly Tool[]) {
  return (listed: Params, index: number): Params => {
    const { widget } = tools[index]?.config ?? {}
    if (widget === undefined) return listed
    return { ...listed, _meta: { ...(listed._meta as object), ui: { resourceUri: widget.uri } } }
  }
}

/** Anyone who connects could have us remember any number of texts otherwise. */
const maxSubscriptions = 1_000
const maxUriLength = 8 * 1024

/** The schema of the argument of ours that a tool has. */
function ownSchema({ config }: Tool, last: Fallback, isToldApart: boolean): Params | undefined {
  const { fallback = last, approval } = config
  if (fallback === 'relay') return relaySchema
  return (fallback === 'desk' || approval !== undefined) && !isToldApart ? handleSchema : undefined
}

function listedTool(tool: Tool, own: Params | undefined): Params {
  if (own === undefined) return tool.listed
  const { inputSchema } = tool.listed
  const schema = isRecord(inputSchema) ? inputSchema : {}
  const properties = isRecord(schema.properties) ? schema.properties : {}
  return { ...tool.listed, inputSchema: { ...schema, properties: { ...properties, [relayArgument]: own } } }
}

function listedPrompt({
  name,
  config: { title, description, args = {}, _meta },
}: {
  name: string
  config: import('./definitions.js').PromptConfig
}): Params {
  const list = Object.entries(args).map(([arg, { description: about, required }]) =>
    withoutUndefined({ name: arg, description: about, required }),
  )
  return withoutUndefined({ name, title, description, arguments: list.length > 0 ? list : undefined, _meta })
}

function listedResource({ uri, config }: Resource, key: 'uri' | 'uriTemplate'): Params {
  const { name = uri, title, description, mimeType, size, annotations, _meta } = config
  return withoutUndefined({ [key]: uri, name, title, description, mimeType, size, annotations, _meta })
}
