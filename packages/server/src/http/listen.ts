import type { IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isLoopback } from '../runtime/loopback.js'
import type { Endpoint } from './endpoint.js'
import { NodeExchange } from './exchange/node-exchange.js'
import { type Guard, loopbackHosts } from './guard.js'
import type { NodeListener } from './node.js'
import { notFound, serveOwn } from './page.js'
import type { Served } from './served.js'

/** Longer than the minute after which most clients and proxies let go, so that a retry finds its connection still open. */
const keepAliveTimeoutMs = 65_000

const closeGraceMs = 5_000

export interface ListenOptions {
  /** Default: any that is free. */
  readonly port?: number | undefined
  /** Default: 127.0.0.1, which only this machine can reach. */
  readonly host?: string | undefined
  /** Lets the process end while it listens. */
  readonly isBackground?: boolean | undefined
  /** Stands around whatever takes requests: it may answer one itself. */
  readonly around?: ((listener: NodeListener) => NodeListener) | undefined
  /** Takes connections that want to become something else, such as WebSockets. It checks Host and Origin itself. */
  readonly upgrade?: ((request: IncomingMessage, socket: Duplex, head: Buffer) => void) | undefined
}

export interface Listening {
  readonly url: string
  /** Takes no more requests, gives those that run a few seconds, then closes every connection. */
  close(): Promise<void>
}

/** Serves an endpoint at `/mcp`, on a server of its own; without one, our own pages alone. */
export async function listen(
  endpoint: Endpoint | undefined,
  served: Served,
  { port = 0, host = '127.0.0.1', around, upgrade, isBackground, allowedHosts, allowedOrigins }: ListenOptions & Guard,
): Promise<Listening> {
  const guard = {
    allowedHosts: allowedHosts ?? (isLoopback(host) ? [...loopbackHosts, host] : undefined),
    allowedOrigins,
  }
  const listener: NodeListener = (request, response) => {
    const exchange = new NodeExchange(request, response)
    const { path } = exchange
    if (path === '/mcp' && endpoint !== undefined) endpoint.handle(exchange, guard)
    else if (!serveOwn(exchange, served, guard)) notFound(exchange)
  }
  // Not before it is needed: a bundle for another runtime has this file in it too.
  const { createServer } = await import('node:http')
  const server = createServer(around?.(listener) ?? listener)
  server.keepAliveTimeout = keepAliveTimeoutMs
  if (upgrade !== undefined) server.on('upgrade', upgrade)
  const sockets = new Set<Socket>()
  server.on('connection', socket => {
    sockets.add(socket)
    if (isBackground) socket.unref()
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(void server.off('error', reject)))
  })
  if (isBackground) server.unref()
  // A server that listens on a port has an address of this kind.
  const { address, family, port: bound } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}/mcp`,
    close: () =>
      new Promise(resolve => {
        // A connection becomes idle when its last response ends, and Node looks only once; at one that clients opened in
        // advance, and did not use, it does not look at all.
        const idle = setInterval(() => {
          server.closeIdleConnections()
          for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
        }, 20)
        const grace = setTimeout(() => server.closeAllConnections(), closeGraceMs)
        server.close(() => {
          clearInterval(idle)
          clearTimeout(grace)
          resolve()
        })
      }),
  }
}
