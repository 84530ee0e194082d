// Official MCP clients of every era, and the person behind each.
import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { Mailbox } from './mailbox.js'

export const eras = {
  '2025-06-18': { versionNegotiation: { mode: 'legacy' }, supportedProtocolVersions: ['2025-06-18'] },
  '2025-11-25': { versionNegotiation: { mode: 'legacy' } },
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
} as const

export type Era = keyof typeof eras
export const allEras = Object.keys(eras) as Era[]

export interface Seen {
  readonly params: ElicitRequest['params']
  readonly signal: AbortSignal
}

export type Answer = (seen: Seen) => ElicitResult | Promise<ElicitResult>

/** A client, and a person who answers as a test says. */
export interface Agent {
  readonly client: Client
  readonly transport: Transport
  readonly asked: Mailbox<Seen>
  /** A tool's text, or its failure. */
  call(name: string, args?: Record<string, unknown>): Promise<string>
  toolNames(): Promise<string[]>
  close(): Promise<void>
}

export interface AgentOptions {
  answer?: Answer
  capabilities?: object
  name?: string
  /** Goes along as a bearer token. */
  token?: string
}

export async function connectAgent(
  to: string | Transport,
  era: Era,
  { answer, capabilities, name = 'agent', token }: AgentOptions = {},
): Promise<Agent> {
  const asked = new Mailbox<Seen>()
  const client = new Client({ name, version: '1.0.0' }, {
    ...eras[era],
    capabilities: capabilities ?? (answer ? { elicitation: {} } : {}),
  } as never)
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => {
      const seen = { params, signal: mcpReq.signal }
      asked.put(seen)
      return answer(seen)
    })
  const transport = typeof to === 'string' ? httpTransport(to, token) : to
  await client.connect(transport)
  return {
    client,
    transport,
    asked,
    async call(tool, args = {}) {
      const { content, isError } = await client.callTool({ name: tool, arguments: args })
      const [first] = content
      const text = first?.type === 'text' ? first.text : JSON.stringify(first)
      return isError ? `failed: ${text}` : text
    },
    async toolNames() {
      return (await client.listTools()).tools.map(tool => tool.name)
    },
    close: () => client.close(),
  }
}

function httpTransport(url: string, token: string | undefined): Transport {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
}
