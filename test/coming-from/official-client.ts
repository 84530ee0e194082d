import {
  Client,
  type Transport as ClientTransport,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { BeckonServer } from 'beckon'
import type { ToolCallResult } from 'beckon/test'
import { afterEveryFile } from '../every-file.js'
import { programOf } from '../programs/program.mjs'
import type { DocumentName } from './documents/index.js'
import type { Caller, Said } from './story.js'

/** What the official client speaks, and over what. */
export const transports = [
  'stdio 2025-11-25',
  'stdio 2026-07-28',
  'http 2025-06-18',
  'http 2025-11-25',
  'http 2026-07-28',
] as const
export const urlTransports = ['http 2025-11-25', 'http 2026-07-28'] as const
export type Transport = (typeof transports)[number]

interface Served {
  /** Over HTTP. */
  readonly server: BeckonServer
  /** What a process of its own offers on standard input and output. */
  readonly document: DocumentName
  /** Undefined for a client that cannot ask. */
  readonly said: Said | undefined
}

interface Connected {
  readonly client: Client
  /** What the person behind it says now. */
  person: Said | undefined
  readonly isReady: Promise<void>
}

/** A process takes its time to start: the stories of a file share those of a document. */
const processes = new Map<string, Connected>()
afterEveryFile(async () => {
  for (const { client } of processes.values()) await client.close()
  processes.clear()
})

/** The official client, which connects with its first call. */
export function officialClient(transport: Transport, served: Served): Caller & { close(): Promise<void> } {
  const [over, version] = transport.split(' ') as ['stdio' | 'http', string]
  let connected: Connected | undefined
  return {
    async callTool(name, args = {}) {
      connected ??= over === 'http' ? connect(version, served, await http(served)) : processFor(version, served)
      connected.person = served.said
      await connected.isReady
      return (await connected.client.callTool({ name, arguments: args })) as ToolCallResult
    },
    async close() {
      if (over === 'http') await connected?.client.close()
    },
  }
}

function processFor(version: string, served: Served): Connected {
  const key = JSON.stringify([version, served.document, served.said === undefined])
  const known = processes.get(key) ?? connect(version, served, stdio(served))
  processes.set(key, known)
  return known
}

function connect(version: string, { said }: Served, transport: ClientTransport): Connected {
  const isModern = version === '2026-07-28'
  const modes = { form: {}, ...(version !== '2025-06-18' && { url: {} }) }
  const client = new Client(
    { name: 'official', version: '1' },
    {
      capabilities: said === undefined ? {} : { elicitation: modes },
      versionNegotiation: { mode: isModern ? { pin: version } : 'legacy' },
      ...(!isModern && { supportedProtocolVersions: [version] }),
    },
  )
  const connected: Connected = { client, person: said, isReady: client.connect(transport) }
  if (said !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const { answers = [], open } = connected.person ?? {}
      if (params.mode !== 'url' || answers.length > 0) return resultOf(answers.shift())
      await open?.(params.url)
      return { action: 'accept' }
    })
  return connected
}

function resultOf(answer: Said['answers'][number] | undefined): ElicitResult {
  if (answer === undefined) throw new Error('There is no answer left.')
  if (answer === 'decline' || answer === 'cancel') return { action: answer as 'decline' | 'cancel' }
  if (answer === 'accept' || answer === true) return { action: 'accept', content: {} }
  return { action: 'accept', content: typeof answer === 'object' ? (answer as never) : { value: answer } }
}

const listening = new WeakMap<BeckonServer, Promise<{ url: string }>>()

async function http({ server }: Served): Promise<StreamableHTTPClientTransport> {
  const known = listening.get(server) ?? server.listen({ port: 0 })
  listening.set(server, known)
  return new StreamableHTTPClientTransport(new URL((await known).url))
}

const program = await programOf(new URL('./main.ts', import.meta.url))

function stdio({ document }: Served): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [program, document],
  })
}
