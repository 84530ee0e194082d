// Serves any number of clients over HTTP at `/mcp`: those of 2025 with a session each, those of 2026-07-28 without.

import { randomUUID } from 'node:crypto'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Notification } from '@modelcontextprotocol/client'
import {
  classifyInboundRequest,
  createMcpHandler,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { fields } from '../fields.js'
import type { Backend } from './backend.js'
import { type Downstream, downstreamOf } from './downstream.js'
import { createProxyServer } from './proxy-server.js'
import type { Proxying } from './proxying.js'
import { Sessions } from './sessions.js'
import { subscribeFor } from './subscribe-for.js'
import { readRequest, sendResponse } from './web-standard.js'

export interface HttpProxy {
  readonly url: string
  close(): Promise<void>
}

const thisMachine = ['localhost', '127.0.0.1', '[::1]']

export async function serveHttp({ upstreams, ...shared }: Proxying, port: number): Promise<HttpProxy> {
  const sessions = new Sessions<WebStandardStreamableHTTPServerTransport>()
  const servedBy = new WeakMap<Request, { upstream: Backend; scope: string | undefined }>()
  const heard = new WeakSet<Backend>()
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const served = requestInfo && servedBy.get(requestInfo)
      if (served === undefined) throw new Error('The request does not say what its client can do.')
      return createProxyServer({ ...served, ...shared, era: '2026' })
    },
    { legacy: 'reject' },
  )

  async function serve(request: Request, body: unknown): Promise<Response> {
    const refused = refusal(request)
    if (refused !== undefined) return refused
    if (isLegacy(request, body)) return serveSession(request, body)
    const downstream = downstreamOf(body)
    if (downstream !== undefined) {
      const key = JSON.stringify(downstream)
      const upstream = await upstreams.idle(key, downstream)
      servedBy.set(request, { upstream, scope: scopeOf(request) })
      if (!heard.has(upstream)) upstream.onNotification(notification => tell(modern.notify, notification))
      heard.add(upstream)
      await subscribeFor(body, upstream)
    }
    return modern.fetch(request, { parsedBody: body })
  }

  async function serveSession(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    const known = id === null ? undefined : await sessions.find(id)
    if (known !== undefined) return known.handleRequest(request, { parsedBody: body })
    const downstream = downstreamOf(body)
    if (id !== null || downstream === undefined) {
      const [status, message] = id === null ? [400, 'There is no session.'] : [404, 'There is no such session.']
      return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }, { status: Number(status) })
    }
    const sessionId = randomUUID()
    const transport = await sessions.add(sessionId, () => openSession(sessionId, downstream))
    if (transport !== undefined) return transport.handleRequest(request, { parsedBody: body })
    const message = 'There are too many sessions. End one, or try again later.'
    return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }, { status: 503 })
  }

  async function openSession(
    sessionId: string,
    downstream: Downstream,
  ): Promise<WebStandardStreamableHTTPServerTransport> {
    const upstream = await upstreams.of(sessionId, downstream)
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => sessionId })
    const server: Server = createProxyServer({ ...shared, upstream, era: '2025', scope: sessionId })
    const { onclose } = server
    server.onclose = () => {
      onclose?.()
      sessions.delete(sessionId)
      upstreams.end(sessionId).catch(() => {})
    }
    await server.connect(transport)
    return transport
  }

  const http = createServer(async (incoming, outgoing) => {
    try {
      const { request, body } = await readRequest(incoming, outgoing)
      const release = sessions.hold(request.headers.get('mcp-session-id') ?? '')
      try {
        await sendResponse(outgoing, await serve(request, body))
      } finally {
        release()
      }
    } catch (error) {
      shared.desk.say(`A request failed: ${error instanceof Error ? error.message : error}`)
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end()
    }
  })
  await listen(http, port)
  // A server that listens on a port has an address of this kind.
  const { port: bound } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${bound}/mcp`,
    async close() {
      await Promise.allSettled([modern.close(), sessions.close()])
      http.closeAllConnections()
      await new Promise(resolve => http.close(resolve))
    },
  }
}

/** What tells a client without a session from others: a credential. What it calls itself does not. */
function scopeOf({ headers }: Request): string | undefined {
  const authorization = headers.get('authorization')
  return authorization === null ? undefined : JSON.stringify([authorization, headers.get('cookie')])
}

function listen(http: HttpServer, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, '127.0.0.1', () => resolve(void http.off('error', reject)))
  })
}

function isLegacy(request: Request, body: unknown): boolean {
  const version = request.headers.get('mcp-protocol-version')
  const method = request.headers.get('mcp-method')
  const headers = {
    ...(version !== null && { protocolVersionHeader: version }),
    ...(method !== null && { mcpMethodHeader: method }),
  }
  return classifyInboundRequest({ httpMethod: request.method, body, ...headers }).kind === 'legacy'
}

/** Pages of other sites, and names that were made to point here, have no business with this. */
function refusal(request: Request): Response | undefined {
  const { pathname, hostname } = new URL(request.url)
  if (!thisMachine.includes(hostname)) return new Response('Not a host of this proxy.', { status: 403 })
  if (pathname !== '/mcp') return new Response('The proxy is at /mcp.', { status: 404 })
  return request.headers.has('origin') ? new Response('Not for pages of a browser.', { status: 403 }) : undefined
}

type Notify = ReturnType<typeof createMcpHandler>['notify']

const tellers: Readonly<Record<string, (notify: Notify, params: Record<string, unknown>) => void>> = {
  'notifications/tools/list_changed': notify => notify.toolsChanged(),
  'notifications/prompts/list_changed': notify => notify.promptsChanged(),
  'notifications/resources/list_changed': notify => notify.resourcesChanged(),
  'notifications/resources/updated': (notify, { uri }) => notify.resourceUpdated(String(uri)),
}

function tell(notify: Notify, { method, params }: Notification): void {
  tellers[method]?.(notify, fields(params))
}
