import type { BeckonServer } from '../src/index.js'

const prefix = 'io.modelcontextprotocol/'
const meta = {
  [`${prefix}protocolVersion`]: '2026-07-28',
  [`${prefix}clientCapabilities`]: { elicitation: { form: {} } },
  [`${prefix}clientInfo`]: { name: 'raw', version: '1' },
}

/** As much of a reply as tests look at. */
export interface RawReply {
  readonly error?: { readonly code: number; readonly message: string }
  readonly result: {
    readonly requestState?: string
    readonly inputRequests: Readonly<Record<string, RawAsk>>
    readonly content?: readonly { readonly text?: string }[]
    readonly structuredContent?: unknown
  }
}

interface RawAsk {
  readonly params: {
    readonly message: string
    readonly requestedSchema: { readonly properties: Record<string, RawField> }
  }
}

interface RawField {
  readonly enum?: readonly string[]
  readonly oneOf?: readonly { readonly const: string }[]
}

/** Calls a tool over HTTP as a client of 2026-07-28 does; `write` may change the text of the body. */
export async function callRaw(
  server: Pick<BeckonServer, 'fetch'>,
  name: string,
  params: Record<string, unknown> = {},
  write = (body: string) => body,
): Promise<RawReply> {
  const body = write(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, ...params, _meta: meta } }),
  )
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  }
  const response = await server.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body }))
  const text = await response.text()
  return JSON.parse(text.startsWith('{') ? text : text.slice(text.indexOf('data: ') + 6))
}
