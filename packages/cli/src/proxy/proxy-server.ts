// What a client sees: a server that says of itself what the server behind it says, and passes everything on.

import { randomUUID } from 'node:crypto'
import type { Notification, Progress } from '@modelcontextprotocol/client'
import { LOG_LEVEL_META_KEY, Server, type ServerContext } from '@modelcontextprotocol/server'
import { asks, type Context } from 'beckon'
import { type Fields, fields } from '../fields.js'
import { anything, neverMs } from './anything.js'
import type { Approved } from './approvals.js'
import type { Backend } from './backend.js'
import { fulfilRounds } from './fulfil-rounds.js'
import { newHandle, takeHandle, withHandles } from './handles.js'
import { asVersionKnows } from './older-forms.js'
import type { HeldCall, PendingCalls } from './pending-calls.js'
import type { Proxying } from './proxying.js'
import type { Asker } from './running.js'
import type { Upstream } from './upstream.js'

export interface ProxyServerOptions extends Omit<Proxying, 'upstreams'> {
  readonly upstream: Backend
  readonly era: '2025' | '2026'
  /** What tells the calls of this client from those of others; undefined where nothing does. */
  readonly scope: string | undefined
}

/** The version that the client speaks, where it has said so. */
type Version = () => string | undefined

interface ServedOptions extends ProxyServerOptions {
  readonly version: Version
}

/** Of the extension, and of the experiment that was before it. */
const taskMethods = {
  '2025': ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'],
  '2026': ['tasks/get', 'tasks/update', 'tasks/cancel'],
}
const askingMethods = ['tools/call', 'prompts/get', 'resources/read']

export function createProxyServer(options: ProxyServerOptions): Server {
  const { upstream, era } = options
  const { instructions } = upstream
  const server = new Server(upstream.info, {
    capabilities: upstream.capabilities,
    ...(instructions !== undefined && { instructions }),
    inputRequired: { legacyShim: false },
  })
  const served = { ...options, version: () => server.getNegotiatedProtocolVersion() }
  const pass = (params: Fields, ctx: ServerContext) => answer(ctx.mcpReq.method, withLevel(params, ctx), ctx, served)
  // Methods without a handler of their own come here, also those that nobody knows; but for a few that the SDK keeps.
  server.fallbackRequestHandler = async ({ params }, ctx) => ({ ...(await pass(fields(params), ctx)) })
  const handle = (method: string) =>
    server.setRequestHandler(method, { params: anything }, async (params, ctx) => ({ ...(await pass(params, ctx)) }))
  if (era === '2025' && upstream.capabilities.logging !== undefined) handle('logging/setLevel')
  const hasTasks = era === '2026' || upstream.capabilities.tasks !== undefined
  if (hasTasks) for (const method of taskMethods[era]) handle(method)
  // A request without an id is no notification: a server that does not look at ids would run it, and nobody was asked.
  server.fallbackNotificationHandler = async notification => {
    if (notification.method.startsWith('notifications/')) await upstream.notify(notification).catch(() => {})
  }
  const stop = upstream.onNotification(notification => tell(server, notification))
  server.onclose = stop
  return server
}

/** The SDK takes the level of log messages out of the parameters. */
function withLevel(params: Fields, { mcpReq: { envelope } }: ServerContext): Fields {
  const level = fields(envelope)[LOG_LEVEL_META_KEY]
  return level === undefined ? params : { ...params, _meta: { ...fields(params._meta), [LOG_LEVEL_META_KEY]: level } }
}

/** The SDK takes what a client answers out of the parameters as well. */
function withRound(params: Fields, { mcpReq: { inputResponses, requestState } }: ServerContext): Fields {
  const state = requestState<unknown>()
  return { ...params, ...(inputResponses && { inputResponses }), ...(state !== undefined && { requestState: state }) }
}

/** What a client of this era does not know, or no longer listens for, is not for it. */
function tell(server: Server, notification: Notification): void {
  server.notification(notification).catch(() => {})
}

async function answer(method: string, params: Fields, ctx: ServerContext, options: ServedOptions): Promise<Fields> {
  const { upstream, scope, approvals, outputs } = options
  const { signal } = ctx.mcpReq
  const onProgress = progressTo(ctx)
  const isHeld = upstream.usesDesk || approvals !== undefined
  if (method === 'tools/list' && isHeld) {
    const list = await upstream.forward(method, params, { signal, onProgress })
    outputs.listed(list)
    return scope === undefined ? withHandles(list) : list
  }
  if (!askingMethods.includes(method)) {
    const result = await upstream.forward(method, withRound(params, ctx), { signal, onProgress })
    if (method.startsWith('tasks/')) approvals?.tasks.seen(scope, method, params, result)
    return result
  }
  if (method === 'tools/call' && isHeld) return holdCall(params, ctx, options)
  return passOn(method, params, ctx, options, signal)
}

/** A call that may wait for people: the model is told so after a while, and the same call again goes on with it. */
async function holdCall(params: Fields, ctx: ServerContext, options: ServedOptions): Promise<Fields> {
  const { upstream, desk, pending, scope, approvals, outputs } = options
  const { signal, requestState } = ctx.mcpReq
  const state = requestState<unknown>()
  if (approvals !== undefined && state !== undefined) {
    const { state: own, ...round } = approvals.goingOn(state, scope)
    return runApproved({ ...round, isChanged: false }, withState(ctx, own), options, signal)
  }
  // A call that is to become a task of 2025 is answered at once, or as soon as it may run.
  if (params.task !== undefined)
    return runHeld(params, { request: ctx, here: async () => ctx, signal, awaitsApproval: false }, options)
  const { call: sent, ...whose } = whoseCall(params, scope, pending)
  return pending.answer({
    ...whose,
    scope,
    request: ctx,
    tool: String(params.name),
    promisesOutput: outputs.has(String(params.name)),
    url: desk.url,
    signal,
    isAsking: () => upstream.isAskingFor(sent),
    begin: held => runHeld(sent, held, options),
  })
}

/** Runs a call, once people have let it where they have to. */
async function runHeld(params: Fields, held: HeldCall<ServerContext>, options: ServedOptions): Promise<Fields> {
  const { approvals, upstream } = options
  const { signal } = held
  if (approvals === undefined) return passOn('tools/call', params, outlasting(held), options, signal)
  held.awaitsApproval = true
  const routed = await upstream.route('tools/call', params)
  const verdict = await approvals.decide(routed.upstream, routed.params, signal)
  held.awaitsApproval = false
  if ('refusal' in verdict) return verdict.refusal
  const approved = { ...verdict, params: { ...verdict.params, name: params.name } }
  return runApproved(approved, outlasting(held), options, signal)
}

/**
 * The request that waits for a call, or did last: that one may be over, and what people let run is not. What the client is asked
 * then waits until it calls again.
 */
function outlasting(held: HeldCall<ServerContext>): ServerContext {
  const { request, signal } = held
  const send = async (...sent: Parameters<ServerContext['mcpReq']['send']>) => (await held.here()).mcpReq.send(...sent)
  return { ...request, mcpReq: { ...request.mcpReq, signal, send } as ServerContext['mcpReq'] }
}

/** Runs a call that was approved; those who did hear what came of it. */
async function runApproved(
  approved: Approved,
  ctx: ServerContext,
  options: ServedOptions,
  signal: AbortSignal,
): Promise<Fields> {
  try {
    const result = await passOn('tools/call', approved.params, ctx, options, signal)
    return options.approvals?.passed(result, approved, options.scope) ?? result
  } catch (error) {
    approved.report({ error: { code: -32603, message: error instanceof Error ? error.message : String(error) } })
    throw error
  }
}

/** A request with another state than the one that it brought. */
function withState(ctx: ServerContext, state: string): ServerContext {
  // Of the type that who reads it says.
  return { ...ctx, mcpReq: { ...ctx.mcpReq, requestState: <T>() => state as T } }
}

/** Has a request answered by the server, and what that asks by someone who can be asked. */
async function passOn(
  method: string,
  asked: Fields,
  ctx: ServerContext,
  { upstream: backend, era, version }: ServedOptions,
  signal: AbortSignal,
): Promise<Fields> {
  const { upstream, params, seen } = await backend.route(method, asked)
  const result = await passTo(upstream, { method, params, asked }, ctx, { era, version, signal })
  seen?.(result)
  return result
}

interface Passing {
  readonly method: string
  /** As the server knows it, and as the client does. */
  readonly params: Fields
  readonly asked: Fields
}

function passTo(
  upstream: Upstream,
  { method, params, asked }: Passing,
  ctx: ServerContext,
  { era, version, signal }: Pick<ServedOptions, 'era' | 'version'> & { readonly signal: AbortSignal },
): Promise<Fields> {
  const onProgress = progressTo(ctx)
  if (upstream.usesDesk) {
    return method === 'tools/call' && params.task === undefined
      ? upstream.callOnDesk(params, { ask: pushTo(ctx, version), log: logTo(ctx) }, { signal, onProgress })
      : upstream.forward(method, params, { signal, onProgress })
  }
  if (era === '2026' && upstream.isModern) return passRound(method, params, ctx, upstream)
  return era === '2026'
    ? askInRounds({ method, params, asked }, ctx, upstream)
    : askByPush({ method, params, asked }, ctx, upstream, { version, signal })
}

/** By what a call is known that waits for a person: whose it is and what it is; or a handle, of one that waits or a new one. */
function whoseCall(params: Fields, scope: string | undefined, pending: PendingCalls<ServerContext>) {
  const { call, handle: brought } = scope === undefined ? takeHandle(params) : { call: params, handle: undefined }
  const { _meta, ...asked } = call
  if (scope !== undefined) return { call, key: JSON.stringify(['scope', scope, asked]), handle: undefined }
  const keyOf = (handle: string) => JSON.stringify(['handle', handle, asked])
  const handle = brought !== undefined && pending.has(keyOf(brought)) ? brought : newHandle()
  return { call, key: keyOf(handle), handle }
}

/** Both of 2026-07-28: the rounds are between client and server. */
function passRound(method: string, params: Fields, ctx: ServerContext, upstream: Upstream): Promise<Fields> {
  const { signal } = ctx.mcpReq
  return upstream.during({ ask: refuse, log: logTo(ctx) }, () =>
    upstream.forward(method, withRound(params, ctx), { signal, onProgress: progressTo(ctx) }),
  )
}

/** The client is of 2025: what the server asks is pushed to it, on the stream of its call. */
function askByPush(
  { method, params }: Passing,
  ctx: ServerContext,
  upstream: Upstream,
  { version, signal }: Pick<ServedOptions, 'version'> & { readonly signal: AbortSignal },
): Promise<Fields> {
  const ask = pushTo(ctx, version)
  const onProgress = progressTo(ctx)
  return upstream.during({ ask, log: logTo(ctx) }, () =>
    fulfilRounds(method, params, { ask, signal, onProgress, upstream }),
  )
}

/** The server is of 2025 and pushes, the client of 2026-07-28: each ask becomes a round, and the call is held open. */
async function askInRounds(
  { method, params, asked }: Passing,
  ctx: ServerContext,
  upstream: Upstream,
): Promise<Fields> {
  const { _meta, ...call } = asked
  const run = asks(
    async (beckon: Context) => {
      const ask: Asker = (wanted, given) => askInContext(beckon, wanted, given)
      const log = ({ level, data, logger }: Fields) =>
        beckon.log(level as 'info', data, logger === undefined ? undefined : String(logger))
      const onProgress = ({ progress, total, message }: Progress) => beckon.progress(progress, total, message)
      const work = () => fulfilRounds(method, params, { ask, signal: beckon.signal, onProgress, upstream })
      // Whatever the server gave back is of the kind that was asked for.
      return { ...(await upstream.during({ ask, log }, work)) } as never
    },
    // What is going on at the server cannot be begun again from here.
    { name: JSON.stringify([method, call]), replay: 'never' },
  )
  return { ...(await run(ctx)) }
}

async function askInContext(beckon: Context, method: string, params: Fields): Promise<Fields> {
  switch (method) {
    case 'elicitation/create':
      return { ...(await beckon.elicitInput(params as never)) }
    case 'sampling/createMessage':
      return { ...(await beckon.sample({ ...params })) }
    default:
      return { roots: await beckon.roots() }
  }
}

/** Passes progress on under the client's own token, where it gave one. */
function progressTo(ctx: ServerContext): ((progress: Progress) => void) | undefined {
  const progressToken = ctx.mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  return progress => {
    ctx.mcpReq.notify({ method: 'notifications/progress', params: { ...progress, progressToken } }).catch(() => {})
  }
}

function pushTo(ctx: ServerContext, version: Version): Asker {
  return asVersionKnows(version(), (method, params, signal) =>
    ctx.mcpReq.send({ method, params: withPageId(params) }, anything, { timeout: neverMs, signal }),
  )
}

/** Before 2026-07-28 a page that a person is sent to has an id; a server that has none for it is of later. */
function withPageId(params: Fields): Record<string, unknown> {
  return params.mode === 'url' ? { elicitationId: randomUUID(), ...params } : { ...params }
}

function logTo(ctx: ServerContext): (params: Fields) => void {
  return ({ level, data, logger }) => {
    ctx.mcpReq.log(level as 'info', data, logger === undefined ? undefined : String(logger)).catch(() => {})
  }
}

const refuse: Asker = async () => {
  throw new Error('The server asks outside of its rounds.')
}
