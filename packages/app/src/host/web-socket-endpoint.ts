import { once } from 'node:events'
import { createServer, type IncomingMessage, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { maxFrameBytes } from '../protocol/channel.js'
import type { Refusal } from './authorizer.js'
import type { Acceptor, Endpoint } from './endpoint.js'

const gatewayProtocol = 'tesseron-gateway'
const bindPrefix = 'tesseron-bind.'
const statuses: Record<Refusal, number> = { locked: 429, missing: 426, malformed: 400, wrong: 403, bound: 409 }

/** Listens for a gateway on a port of this machine. */
export async function listenOnWebSocket(acceptor: Acceptor, port: number): Promise<Endpoint> {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    handleProtocols: () => gatewayProtocol,
  })
  const server = createServer((_request, response) => {
    response.writeHead(426, { Connection: 'close' }).end('An app listens here, for its gateway.\n')
  })
  server.on('upgrade', (request, socket, head) => {
    // What goes wrong with a socket ends it.
    socket.on('error', () => {})
    const refused = refusal(request, acceptor)
    if (refused === undefined) sockets.handleUpgrade(request, socket, head, opened => serve(opened, acceptor))
    else refuse(socket, refused)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    address: { kind: 'ws', url: `ws://127.0.0.1:${address.port}/` },
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function refusal({ headers }: IncomingMessage, acceptor: Acceptor): number | undefined {
  // A gateway is not a web page. A page could otherwise try codes, or lock everyone out.
  if (headers.origin !== undefined) return 403
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map(protocol => protocol.trim())
  const codes = offered.filter(protocol => protocol.startsWith(bindPrefix))
  if (codes.length > 1) return statuses.malformed
  const refused = acceptor.check(codes[0]?.slice(bindPrefix.length))
  if (refused !== undefined) return statuses[refused]
  return offered.includes(gatewayProtocol) ? undefined : statuses.malformed
}

function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

function serve(socket: WebSocket, acceptor: Acceptor): void {
  // What is too long or malformed closes the socket, and `close` follows.
  socket.on('error', () => {})
  const receiver = acceptor.accept({
    send: text => socket.send(text),
    close: (code, reason) => socket.close(code, reason),
  })
  socket.on('message', data => receiver.receive(String(data)))
  socket.on('close', () => receiver.end())
}
