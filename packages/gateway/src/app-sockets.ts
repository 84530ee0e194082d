// Where browser applications connect: a WebSocket on the gateway's own port, from this machine only.
// Threat: any page that a person visits can open a WebSocket to this machine. A browser says in Origin which page it is,
// and in Host what name it went by; neither can be forged by a page. Not defended: other programs of this machine, which
// can reach an application's own port just as well. Connecting gives nobody anything before a person has passed the code on.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { isFromThisMachine, isLoopback } from 'beckon/http/adapter'
import { WebSocketServer } from 'ws'
import { type Channel, maxFrameBytes } from './wire/channel.js'
import { WebSocketChannel } from './wire/web-socket-channel.js'

export interface AppSocketsOptions {
  /** Origins of pages that may connect, beside those of this machine. */
  readonly allowedOrigins: readonly string[]
  /** Host names that requests may be for, beside those of this machine. */
  readonly allowedHosts: readonly string[]
  readonly onConnected: (channel: Channel) => void
}

/** The path on which applications connect. */
const appPath = '/beckon/app'
const subprotocol = 'tesseron-app'

export class AppSockets {
  readonly #options: AppSocketsOptions
  readonly #server: WebSocketServer

  constructor(options: AppSocketsOptions) {
    this.#options = options
    this.#server = new WebSocketServer({
      noServer: true,
      maxPayload: maxFrameBytes,
      perMessageDeflate: false,
      handleProtocols: offered => offered.has(subprotocol) && subprotocol,
    })
  }

  /** Takes an upgrade of the HTTP server. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const [path] = (request.url ?? '').split('?')
    if (path !== appPath) refuse(socket, '404 Not Found')
    else if (!this.#isAllowed(request)) refuse(socket, '403 Forbidden')
    else
      this.#server.handleUpgrade(request, socket, head, opened =>
        this.#options.onConnected(new WebSocketChannel(opened)),
      )
  }

  #isAllowed(request: IncomingMessage): boolean {
    const { allowedHosts, allowedOrigins } = this.#options
    const { origin } = request.headers
    if (!isFromThisMachine(request, allowedHosts)) return false
    if (origin === undefined || allowedOrigins.includes(origin)) return true
    return URL.canParse(origin) && isLoopback(new URL(origin).hostname)
  }
}

function refuse(socket: Duplex, status: string): void {
  // A socket that is reset while it is refused is no concern of ours.
  socket.on('error', () => {})
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
