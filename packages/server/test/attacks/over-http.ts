// A server that listens, and what anybody can send to it.
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { BeckonServer, ServerOptions } from '../../src/index.js'
import { identify, serve } from '../flows/opened.js'

const prefix = 'io.modelcontextprotocol/'
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const asking = { elicitation: { form: {}, url: {} } }

/** A JSON-RPC message, read as loosely as an attacker would. */
// biome-ignore lint/suspicious/noExplicitAny: whatever comes back is what an attack looks at
type Message = any

export interface Reply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly message: Message
}

/** What is different about one request. */
interface Sent {
  readonly as?: string
  readonly method?: string
  readonly capabilities?: object
  readonly headers?: Record<string, string>
}

export interface OverHttp {
  readonly server: BeckonServer
  readonly url: string
  /** A request of 2026-07-28. */
  modern(params: Record<string, unknown>, sent?: Sent): Promise<Reply>
  /** Any HTTP request. */
  send(body: string | undefined, headers: Record<string, string>, method?: string): Promise<Reply>
  /** A socket, for what no client sends. */
  socket(): Promise<Socket>
}

/** Has a server listen, as its author set it up, and closes it after the test. */
export async function overHttp(
  setUp: (server: BeckonServer) => void,
  options: Partial<ServerOptions> = {},
): Promise<OverHttp> {
  const server = serve({ identify, ...options })
  setUp(server)
  const { url } = await server.listen({ port: 0 })

  async function send(body: string | undefined, headers: Record<string, string>, method = 'POST'): Promise<Reply> {
    const request = httpRequest(url, { method, headers })
    // What is refused early may be cut off before all of it was sent.
    const failed = once(request, 'error').then(([error]) => Promise.reject(error))
    failed.catch(() => {})
    request.end(body)
    const [response] = (await Promise.race([once(request, 'response'), failed])) as [IncomingMessage]
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += chunk
    return { status: response.statusCode ?? 0, headers: response.headers, text, message: messageIn(text) }
  }

  return {
    server,
    url,
    send,
    modern(params, { as, method = 'tools/call', capabilities = asking, headers } = {}) {
      const _meta = { [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: capabilities }
      const named = params.name ?? params.taskId
      return send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }), {
        ...json,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(named !== undefined && { 'mcp-name': String(named) }),
        ...(as !== undefined && { 'x-user': as }),
        ...headers,
      })
    },
    async socket() {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.on('error', () => {})
      await once(socket, 'connect')
      return socket
    },
  }
}

/** A client of 2025 with a session. */
export interface Session {
  readonly id: string
  post(message: object, headers?: Record<string, string>): Promise<Reply>
}

export async function openSession({ send }: OverHttp, as: string, version = '2025-11-25'): Promise<Session> {
  const params = { protocolVersion: version, capabilities: asking, clientInfo: { name: 'c', version: '1' } }
  const opened = await send(rpc('initialize', params, 0), { ...json, 'x-user': as })
  const id = String(opened.headers['mcp-session-id'])
  const own = { ...json, 'x-user': as, 'mcp-session-id': id, 'mcp-protocol-version': version }
  const post: Session['post'] = (message, headers) => send(JSON.stringify(message), { ...own, ...headers })
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return { id, post }
}

function rpc(method: string, params: object, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

/** A body as JSON, or the last event of a stream. */
function messageIn(text: string): Message {
  try {
    return JSON.parse(text.startsWith('{') ? text : (text.match(/^data: (\{.*)$/gm)?.at(-1) ?? '{}').slice(6))
  } catch {
    return {}
  }
}

/** What a request got, in a few words: the error, or the text of the result. */
export function told({ status, message }: Reply): string {
  if (message.error !== undefined) return `${status}, error ${message.error.code}: ${message.error.message}`
  return `${status}, ${message.result?.content?.[0]?.text ?? message.result?.resultType ?? 'nothing'}`
}

/** What several requests got, where that has to be the same. */
export function toldAll(replies: readonly Reply[]): string {
  const all = new Set(replies.map(told))
  const [only] = all
  if (only === undefined || all.size > 1) throw new Error(`They got different things: ${[...all].join(' | ')}`)
  return only
}
