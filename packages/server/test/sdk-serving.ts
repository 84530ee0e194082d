// Servers of the official SDK, served as its users serve them, and its client, in both eras.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import {
  Client,
  type ClientCapabilities,
  type ElicitRequest,
  type ElicitResult,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

export type Factory = () => McpServer
export type Over = 'memory' | 'http'
export type Answer = (params: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>

interface Serving {
  /** Over HTTP. */
  readonly url?: string
  /** Resolves to a transport for a client. */
  connect(): Promise<InMemoryTransport | StreamableHTTPClientTransport>
  close(): Promise<void>
}

const closers: (() => Promise<unknown>)[] = []

/** Closes all that was opened here. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close()
}

export async function serve(factory: Factory, over: Over): Promise<Serving> {
  const serving = over === 'memory' ? serveInMemory(factory) : await serveHttp(factory)
  closers.push(serving.close)
  return serving
}

/** The official client of a version, which answers what it is asked. */
export async function connect(
  serving: Serving,
  version: string,
  { answer, capabilities }: { answer?: Answer; capabilities?: ClientCapabilities } = {},
): Promise<Client> {
  const isModern = version === '2026-07-28'
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: capabilities ?? { elicitation: { form: {} } },
      versionNegotiation: { mode: isModern ? { pin: version } : 'legacy' },
      ...(!isModern && { supportedProtocolVersions: [version] }),
    },
  )
  closers.push(() => client.close())
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', async (request): Promise<ElicitResult> => answer(request.params))
  await client.connect(await serving.connect())
  return client
}

function serveInMemory(factory: Factory): Serving {
  const handles: { close(): Promise<void> }[] = []
  return {
    async connect() {
      const [here, there] = InMemoryTransport.createLinkedPair()
      handles.push(serveStdio(factory, { transport: there }))
      return here
    },
    close: async () => void (await Promise.all(handles.map(handle => handle.close()))),
  }
}

/** A server for every request on 2026-07-28, and one for every session on 2025. */
async function serveHttp(factory: Factory): Promise<Serving> {
  const modern = createMcpHandler(factory, { legacy: 'reject' })
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()

  async function answer(request: Request): Promise<Response> {
    if (!(await isLegacyRequest(request))) return modern.fetch(request)
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
    if (known !== undefined) return known.handleRequest(request)
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => void sessions.set(id, transport),
    })
    await factory().connect(transport)
    return transport.handleRequest(request)
  }

  const server = createServer(async (request, response) => {
    const answered = await answer(webRequest(request))
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    if (answered.body === null) response.end()
    else Readable.fromWeb(answered.body as never).pipe(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/mcp`
  return {
    url,
    connect: async () => new StreamableHTTPClientTransport(new URL(url)),
    async close() {
      await Promise.all(Array.from(sessions.values(), session => session.close()))
      await modern.close()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function webRequest(request: IncomingMessage): Request {
  const { method = 'GET', url = '/', headers } = request
  const hasBody = method !== 'GET' && method !== 'DELETE'
  return new Request(new URL(url, 'http://127.0.0.1'), {
    method,
    headers: headers as Record<string, string>,
    ...(hasBody && { body: Readable.toWeb(request) as never, duplex: 'half' }),
  } as RequestInit)
}
