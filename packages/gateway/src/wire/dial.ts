// Connects to an application that listens, with a claim code where its host wants one.
import { createConnection } from 'node:net'
import { WebSocket } from 'ws'
import type { AppTransport } from '../discovery/manifest.js'
import { type Channel, maxFrameBytes } from './channel.js'
import { UnixSocketChannel } from './unix-socket-channel.js'
import { WebSocketChannel } from './web-socket-channel.js'

/** An application did not let the gateway in. `status` is what its host answered with, where it did. */
export class DialError extends Error {
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.name = 'DialError'
    this.status = status
  }
}

const handshakeTimeoutMs = 10_000

/** Connects. A code goes along with a WebSocket's upgrade; on a Unix socket the caller sends it as the first message. */
export function dial(transport: AppTransport, code: string | undefined): Promise<Channel> {
  return transport.kind === 'ws' ? dialWebSocket(transport.url, code) : dialUnixSocket(transport.path)
}

function dialWebSocket(url: string, code: string | undefined): Promise<Channel> {
  const protocols = code === undefined ? ['tesseron-gateway'] : ['tesseron-gateway', `tesseron-bind.${code}`]
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, protocols, {
      maxPayload: maxFrameBytes,
      perMessageDeflate: false,
      handshakeTimeout: handshakeTimeoutMs,
      followRedirects: false,
    })
    const channel = new WebSocketChannel(socket)
    socket.once('open', () => resolve(channel))
    socket.once('unexpected-response', (_request, { statusCode }) => {
      socket.terminate()
      reject(new DialError(`The application answered the connection with ${statusCode}.`, statusCode))
    })
    socket.once('error', error => reject(new DialError(`The application cannot be reached: ${error.message}.`)))
  })
}

function dialUnixSocket(path: string): Promise<Channel> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path)
    socket.once('error', error => reject(new DialError(`The application cannot be reached: ${error.message}.`)))
    socket.once('connect', () => resolve(new UnixSocketChannel(socket)))
  })
}
