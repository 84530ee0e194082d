// Speaks to a server in plain HTTP, for what no client would send.
import type { Client } from '@modelcontextprotocol/client'
import { afterEveryTest } from '../../../test/every-file.js'
import type { HttpOptions } from '../src/http/options.js'
import { type HttpServing, serveHttp } from '../src/http/serve-http.js'
import { type LittleServed, littleServed } from './little-served.js'

export type Face = 'listen' | 'fetch'
export const faces: readonly Face[] = ['listen', 'fetch']

export interface Raw {
  readonly served: LittleServed
  readonly serving: HttpServing
  readonly url: string
  fetch(init: RequestInit): Promise<Response>
}

const closing: (() => Promise<void>)[] = []
afterEveryTest(async () => {
  for (const close of closing.splice(0)) await close()
})

function closeAfterwards(thing: HttpServing | Client): void {
  closing.unshift(() => thing.close())
}

/** Serves a little server on a face of it. */
export async function serve(
  face: Face,
  served: LittleServed = littleServed(),
  options: HttpOptions = {},
): Promise<Raw> {
  const serving = serveHttp(served, options)
  closeAfterwards(serving)
  const url = face === 'listen' ? (await serving.listen()).url : 'http://localhost/mcp'
  const request = (init: RequestInit): Promise<Response> =>
    face === 'listen' ? fetch(url, init) : serving.fetch(new Request(url, init))
  return { served, serving, url, fetch: request }
}

const both = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const prefix = 'io.modelcontextprotocol/'

export interface Modern {
  readonly name?: string
  readonly params?: Record<string, unknown>
  readonly meta?: Record<string, unknown>
  readonly headers?: Record<string, string>
  readonly id?: unknown
  readonly signal?: AbortSignal
}

/** A `tools/call` of 2026-07-28, regular unless it is told otherwise. */
export function modernCall({ name = 'hello', params, meta, headers, id = 1, signal }: Modern = {}): RequestInit {
  const _meta = {
    [`${prefix}protocolVersion`]: '2026-07-28',
    [`${prefix}clientCapabilities`]: { elicitation: { form: {} } },
    [`${prefix}clientInfo`]: { name: 'raw', version: '1' },
    ...meta,
  }
  return {
    method: 'POST',
    headers: {
      ...both,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, ...params, _meta } }),
    ...(signal && { signal }),
  }
}

/** A POST of 2025. */
export function legacyPost(message: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method: 'POST', headers: { ...both, ...headers }, body: JSON.stringify(message) }
}

export interface RawSession {
  readonly headers: Record<string, string>
  post(message: unknown, headers?: Record<string, string>): Promise<Response>
  call(name: string, id?: number | string): Promise<Response>
  get(headers?: Record<string, string>): Promise<Response>
}

/** Opens a 2025 session. */
export async function openSession(
  raw: Raw,
  version = '2025-11-25',
  headers: Record<string, string> = {},
): Promise<RawSession> {
  const clientInfo = { name: 'raw', version: '1' }
  const params = { protocolVersion: version, capabilities: { elicitation: {} }, clientInfo }
  const response = await raw.fetch(legacyPost({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers))
  const sessionId = response.headers.get('mcp-session-id')
  if (sessionId === null) throw new Error(`No session: ${response.status} ${await response.text()}`)
  await response.text()
  const own = { ...headers, 'mcp-session-id': sessionId, 'mcp-protocol-version': version }
  const post = (message: unknown, more?: Record<string, string>): Promise<Response> =>
    raw.fetch(legacyPost(message, { ...own, ...more }))
  await (await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).text()
  return {
    headers: own,
    post,
    call: (name, id = 1) => post({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } }),
    get: more => raw.fetch({ headers: { accept: 'text/event-stream', ...own, ...more } }),
  }
}

export interface SseEvent {
  readonly id?: string
  readonly retry?: string
  readonly data: string
}

/** Reads the events of a stream, one at a time; undefined at its end. */
export function eventsOf(response: Response): {
  next(): Promise<SseEvent | undefined>
  rest(): Promise<SseEvent[]>
  cancel(): Promise<void>
} {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  async function next(): Promise<SseEvent | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end !== -1) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        if (block.startsWith(':')) continue
        const fields = Object.fromEntries(block.split('\n').map(line => line.split(/: ?(.*)/s, 2)))
        return { data: '', ...fields }
      }
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done) return undefined
      text += value
    }
  }
  return {
    next,
    async rest() {
      const events: SseEvent[] = []
      for (let event = await next(); event !== undefined; event = await next()) events.push(event)
      return events
    },
    cancel: async () => reader?.cancel(),
  }
}
