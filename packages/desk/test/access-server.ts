// A desk's door on a real port: whoever comes in gets back who they are, over HTTP and over an upgrade.
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { memoryStore, systemClock } from 'beckon'
import type { Store } from 'beckon/store'
import { onTestFinished } from 'vitest'
import type { GuardOptions } from '../src/access/guard/guard.js'
import {
  type Access,
  admission,
  refuseUpgrade,
  requestOf,
  sendResponse,
  systemRandom,
  Tickets,
} from '../src/access/index.js'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Sent {
  readonly method?: string
  readonly headers?: Record<string, string>
}

export interface AccessServer {
  readonly url: string
  readonly errors: unknown[]
  /** Sends exactly these headers; a real browser adds some of its own (`browser`). */
  send(target: string, sent?: Sent): Promise<Reply>
  /** The same as an upgrade to a WebSocket. */
  upgrade(target: string, sent?: Sent): Promise<Reply>
}

type Options = Partial<GuardOptions> & {
  readonly proxies?: readonly string[]
  /** Where tickets are kept. */
  readonly store?: Store
  readonly clock?: { now(): number }
}

/** Tickets that are kept in a store, or in one of their own. */
export function ticketsIn(store?: Store, { now }: { now(): number } = systemClock): Tickets {
  const clock = { now, after: () => () => {} }
  return new Tickets({ store: store ?? memoryStore({ clock }), clock, random: systemRandom })
}

export async function serveAccess(access: Access, options: Options = {}): Promise<AccessServer> {
  const { proxies, store: _, clock: __, ...guard } = options
  const errors: unknown[] = []
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const tickets = ticketsIn(options.store, options.clock)
  const admit = admission({ access, tickets, host: '127.0.0.1', port, onError: error => errors.push(error), ...guard })
  server.on('request', async (incoming, outgoing) => {
    const admitted = await admit(requestOf(incoming, { proxies }))
    if (admitted.kind === 'answered') return sendResponse(outgoing, admitted.response)
    if (admitted.kind !== 'viewer') return
    for (const [name, value] of admitted.headers) outgoing.appendHeader(name, value)
    outgoing.end(JSON.stringify(admitted.viewer))
  })
  server.on('upgrade', async (incoming, socket) => {
    socket.on('error', () => socket.destroy())
    const admitted = await admit(requestOf(incoming, { proxies }))
    if (admitted.kind === 'answered') return refuseUpgrade(socket, admitted.response)
    if (admitted.kind !== 'viewer') return
    const viewer = Buffer.from(JSON.stringify(admitted.viewer)).toString('base64')
    socket.end(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-Viewer: ${viewer}\r\n\r\n`,
    )
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const send = (target: string, sent?: Sent): Promise<Reply> => sendTo(new URL(target, url), sent)
  return {
    url,
    errors,
    send,
    upgrade: (target, { method, headers } = {}) =>
      send(target, { ...(method && { method }), headers: { connection: 'Upgrade', upgrade: 'websocket', ...headers } }),
  }
}

/** Sends a request as it is: any Host, any Origin, no redirects followed. */
export async function sendTo(url: URL, { method = 'GET', headers = {} }: Sent = {}): Promise<Reply> {
  const request = httpRequest(url, { method, headers, agent: false })
  request.end()
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('upgrade', ({ headers: got }, socket) => {
      socket.destroy()
      resolve({ status: 101, headers: got, body: Buffer.from(String(got['x-viewer']), 'base64').toString() })
    })
    request.on('response', async response => {
      let body = ''
      for await (const chunk of response.setEncoding('utf8')) body += chunk
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
    })
  })
}
