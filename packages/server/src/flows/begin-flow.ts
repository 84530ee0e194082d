import { inspectUrl } from '@beckon/core'
import type { Call } from '../call/call.js'
import type { Flow } from './flow.js'
import type { Flows } from './flows.js'

/** The names that a flow goes by. */
export interface FlowIds {
  readonly flowId: string
  /** For `server.completeElicitation`. */
  readonly elicitationId: string
  /** For `server.session`. */
  readonly sessionId: string
  /** Below this are the flow's own routes: `${routeUrl}/callback`. */
  readonly routeUrl: string
}

/** Where a flow leads, and what its pages need to know. */
export interface FlowStart<Data = unknown> {
  /** Without one, the flow shows its own page. */
  url?: string
  /** Sealed in the store; only the flow's own pages and routes see it. */
  data: Data
}

export interface BeginOptions<Data> {
  flow: Flow<Data>
  message: string
  timeoutMs: number
  allowHttp: boolean
  ids: Pick<FlowIds, 'flowId' | 'elicitationId'>
  begin: (ids: FlowIds) => FlowStart<NoInfer<Data>> | Promise<FlowStart<NoInfer<Data>>>
}

/** What is kept of a flow that was begun, while a person takes their time. */
export interface BegunFlow {
  readonly link: string
  readonly expiresAt: number
}

/** Begins a flow for a call, or finds the one that an earlier run began. Resolves to the link to its page. */
export async function beginFlow<Data>(
  flows: Flows,
  call: Call,
  { flow, message, timeoutMs, allowHttp, ids, begin }: BeginOptions<Data>,
): Promise<BegunFlow> {
  const base = await flows.address.base()
  const link = `${base}/beckon/go/${ids.flowId}`
  const known = await flows.records.find(ids.flowId)
  if (known !== undefined) return { link, expiresAt: known.expiresAt }
  checkUrl(link, allowHttp)
  const principal = ownerOf(flows, call)
  const sessionId = flows.sessionIdOf(call)
  const { url, data } = await begin({ ...ids, sessionId, routeUrl: `${base}/beckon/${flow.name}` })
  const { expiresAt } = await flows.records.begin(ids.flowId, {
    flow: flow.name,
    status: 'pending',
    message,
    ...(url !== undefined && { target: checkUrl(url, allowHttp) }),
    data,
    elicitationId: ids.elicitationId,
    sessionId,
    principal,
    did: [],
    expiresAt: call.now() + timeoutMs,
  })
  return { link, expiresAt }
}

function checkUrl(url: string, allowHttp: boolean): string {
  const inspected = inspectUrl(url, { allowHttp })
  if (inspected.kind === 'ok') return inspected.url
  throw new TypeError(`The address of the page is refused: ${inspected.message}`)
}

/** Who may go on with a flow: the principal of the call; on this machine alone, the first browser that does. */
function ownerOf({ identify, address }: Flows, { principal }: Pick<Call, 'principal'>): string | null {
  if (identify !== undefined && principal !== undefined) return principal
  if (address.isLocal) return null
  throw new TypeError('This server does not know who the call is for, so it opens no page for it. Sign in first.')
}
