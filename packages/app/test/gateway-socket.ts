import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { WebSocket } from 'ws'
import { Frames } from './frames.js'

interface Message {
  id?: number | string
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { code: number }
}

/** A gateway as an app sees one: a socket, and what is said on it. */
export class GatewaySocket {
  readonly socket: WebSocket
  readonly #frames = new Frames()
  /** The code that the socket was closed with. */
  readonly closed: Promise<number>

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', data => this.#frames.push(String(data)))
    this.closed = new Promise(resolve => {
      socket.on('close', code => {
        this.#frames.end()
        resolve(code)
      })
    })
  }

  async next(): Promise<Message> {
    const frame = await this.#frames.next()
    if (frame === undefined) throw new Error('The app closed the connection.')
    return JSON.parse(frame)
  }

  send(message: object): void {
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  }

  /** Answers the hello that has to come next, and gives it back. */
  async welcome(answer: object = {}): Promise<Message> {
    const hello = await this.next()
    const result = { sessionId: 's_1', protocolVersion: '1.2.0', agent: { id: 'pending', name: '' }, ...answer }
    this.send({ id: hello.id, result })
    return hello
  }

  claim(name = 'Agent'): void {
    const agentCapabilities = { streaming: true, subscriptions: true, sampling: true, elicitation: true }
    this.send({ method: 'tesseron/claimed', params: { agent: { id: 'agent', name }, claimedAt: 1, agentCapabilities } })
  }

  async leave(): Promise<void> {
    this.socket.close()
    await this.closed
  }
}

/** Dials an app that listens, with what its manifest says. */
export async function bind(manifestPath: string, code?: string): Promise<GatewaySocket> {
  const { transport, hostMintedClaim } = await readManifest(manifestPath)
  const socket = new WebSocket(transport.url, ['tesseron-gateway', `tesseron-bind.${code ?? hostMintedClaim.code}`])
  const gateway = new GatewaySocket(socket)
  await once(socket, 'open')
  return gateway
}

/** The status that an app refuses a dial with. */
export async function refusedWith(url: string, protocols: string[], headers: Record<string, string> = {}) {
  const socket = new WebSocket(url, protocols, { headers })
  socket.on('error', () => {})
  const [, response] = await once(socket, 'unexpected-response')
  response.resume()
  return response.statusCode as number
}

// biome-ignore lint/suspicious/noExplicitAny: tests look at whatever is in there
export async function readManifest(path: string): Promise<any> {
  return JSON.parse(await readFile(path, 'utf8'))
}
