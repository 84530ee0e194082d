// What a server answers on one connection, or to one request of 2026-07-28, by method: lists, subscriptions, completion, tasks, and
// the asking methods, which go to the same answerer as on the lean path.
import { given } from '@beckon/core'
import { isRecord } from '@beckon/core/json-rpc'
import { findTool, uiExtension } from '@beckon/core/widgets'
import type { Fallback } from '../author/context.js'
import type { Answerer, Incoming, TaskMethod } from '../call/incoming.js'
import type { Introduction, Method, MethodRequest, Methods } from '../connections/methods.js'
import { callerKey } from '../protocol/caller-key.js'
import { showsViews, tasksExtension } from '../protocol/capabilities.js'
import { answeredByExtension } from '../protocol/elicitation.js'
import type { Link } from '../protocol/link.js'
import { RequestError } from '../protocol/request-error.js'
import { modernVersions } from '../protocol/rev2026/rev2026.js'
import { answerTool } from '../wires/app-asks.js'
import { handleSchema } from '../wires/desk.js'
import { relayArgument, relaySchema } from '../wires/relay.js'
import type { Tasks } from '../wires/tasks.js'
import type { Listing } from './listing.js'
import type { Registry, Resource, Tool } from './registry.js'
import type { SilentMethods, SilentRequest } from './silent-methods.js'

export interface ServedMethodsOptions {
  readonly introduction: Introduction
  readonly registry: Registry
  readonly listing: Listing
  readonly answer: Answerer
  readonly silent: SilentMethods
  readonly tasks: Tasks
  readonly fallback: Fallback
}

type Params = Record<string, unknown>

/** What a server says that it can do, on a connection. */
export function capabilitiesOf(
  { codec }: Pick<Link, 'codec'>,
  { hasWidgets }: { readonly hasWidgets: boolean },
): Params {
  return {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    completions: {},
    logging: {},
    extensions: {
      ...(!codec.lacks.has('tasks/get') && { [tasksExtension]: {} }),
      [answeredByExtension]: {},
      ...(hasWidgets && { [uiExtension]: { elicitation: {} } }),
    },
  }
}

/** Those of every revision: which of them a client's own has, its codec says. */
export function servedMethods(options: ServedMethodsOptions, link: Link): Methods {
  const { registry, listing, answer, silent, fallback } = options
  // Who looks a method up has it here, so that the name is one of these.
  const ask: Method = request => answer(request as Incoming)
  return new Map<string, Method>([
    ['tools/call', ask],
    ['prompts/get', ask],
    ['resources/read', ask],
    ['tools/list', request => listTools(request, { registry, listing, fallback, link })],
    [
      'prompts/list',
      async () => {
        const prompts = await listing.shown(link, registry.prompts.values())
        return { prompts: prompts.map(listedPrompt) }
      },
    ],
    [
      'resources/list',
      async () => {
        const resources = await listing.shown(link, registry.resources.values())
        return { resources: resources.map(resource => listedResource(resource, 'uri')) }
      },
    ],
    [
      'resources/templates/list',
      async () => {
        const templates = await listing.shown(link, registry.templates.values())
        return { resourceTemplates: templates.map(resource => listedResource(resource, 'uriTemplate')) }
      },
    ],
    ['completion/complete', request => silent.complete(silentRequest(request, link), { ...request.params })],
    ...subscribing(silent, link),
    ...modernMethods(options),
  ])
}

/** What a client with a session has to hear of changes. */
function subscribing(silent: SilentMethods, link: Link): [string, Method][] {
  return [
    [
      'resources/subscribe',
      async request => {
        const uri = String(request.params.uri)
        if (link.subscriptions.size >= maxSubscriptions || uri.length > maxUriLength)
          throw new RequestError(-32602, `A connection has at most ${maxSubscriptions} subscriptions.`)
        await silent.subscribe(silentRequest(request, link), uri)
        link.subscriptions.add(uri)
        return {}
      },
    ],
    [
      'resources/unsubscribe',
      ({ params }) => {
        link.subscriptions.delete(String(params.uri))
        return {}
      },
    ],
  ]
}

/** What one without has: each request stands by itself, and a task is how a call outlives one. */
function modernMethods({ introduction, tasks }: ServedMethodsOptions): [string, Method][] {
  const { capabilities, instructions } = introduction
  const task: Method = ({ method, params, capabilities: declared, principal, inputResponses }) =>
    // As above.
    tasks.answer({ method: method as TaskMethod, params, capabilities: declared, principal, inputResponses })
  return [
    [
      'server/discover',
      () => ({ supportedVersions: modernVersions, capabilities, ...(instructions && { instructions }) }),
    ],
    ['tasks/get', task],
    ['tasks/update', task],
    ['tasks/cancel', task],
  ]
}

async function listTools(
  request: MethodRequest,
  {
    registry,
    listing,
    fallback,
    link,
  }: Pick<ServedMethodsOptions, 'registry' | 'listing' | 'fallback'> & { link: Link },
): Promise<Params> {
  const { capabilities } = request
  const tools = await listing.shown(link, registry.tools.values())
  const views = showsViews(capabilities)
  const isAskedInViews = views && capabilities.elicitation === undefined
  const isToldApart = callerKey({ ...link, header: headerOf(request) }) !== undefined
  const listed = tools.map(tool => listedTool(tool, ownSchema(tool, fallback, isToldApart)))
  if (isAskedInViews) return { tools: listed.map(withView(tools)) }
  return { tools: listed.filter(({ name }) => name !== answerTool && (views || name !== findTool)) }
}

function silentRequest(request: MethodRequest, link: Link): SilentRequest {
  const { address, client } = request
  return { link, header: headerOf(request), address, client }
}

/** The headers of a request, for as long as it waits. */
function headerOf(request: MethodRequest): MethodRequest['header'] {
  return request.header && (name => request.header?.(name))
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
    given({ name: arg, description: about, required }),
  )
  return given({ name, title, description, arguments: list.length > 0 ? list : undefined, _meta })
}

function listedResource({ uri, config }: Resource, key: 'uri' | 'uriTemplate'): Params {
  const { name = uri, title, description, mimeType, size, annotations, _meta } = config
  return given({ [key]: uri, name, title, description, mimeType, size, annotations, _meta })
}
