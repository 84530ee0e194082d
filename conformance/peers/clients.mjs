// Published clients, each opened as its own documentation has it. They live here to find their packages.

/** @typedef {{ url: string } | { command: string, args: string[] }} Target */
/** @typedef {{ mode?: string, message: string, url?: string }} Asked */
/** @typedef {(asked: Asked) => { action: 'accept', content?: Record<string, unknown> }} Answer */
/** @typedef {{ call: (tool: string, input?: object) => Promise<string>, close: () => Promise<void> }} Opened */
/**
 * @typedef {object} Client
 * @property {string} name
 * @property {string} from the package, as it is installed here
 * @property {{ http: '2025' | '2026', stdio: '2025' | '2026' }} era
 * @property {readonly ('confirm' | 'form' | 'url')[]} asks what it can put to a person
 * @property {(target: Target, answer: Answer) => Promise<Opened>} open
 */

const info = { name: 'published-client', version: '1.0.0' }
const always2025 = { http: '2025', stdio: '2025' }
const always2026 = { http: '2026', stdio: '2026' }
const both = { elicitation: { form: {}, url: {} } }

/** @type {Client[]} */
export const clients = [
  official('legacy', always2025, 'legacy'),
  official('auto', always2026, 'auto'),
  official('pinned', always2026, { pin: '2026-07-28' }),
  {
    name: 'MCP SDK 1.32',
    from: '@modelcontextprotocol/sdk',
    era: always2025,
    asks: ['confirm', 'form', 'url'],
    open: async (target, answer) =>
      openSdk1(target, answer, {
        capabilities: both,
        sdk: await import('@modelcontextprotocol/sdk/client/index.js'),
        http: await import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
        stdio: await import('@modelcontextprotocol/sdk/client/stdio.js'),
        types: await import('@modelcontextprotocol/sdk/types.js'),
      }),
  },
  {
    name: 'MCP SDK 1.17',
    from: 'mcp-sdk-1.17',
    era: always2025,
    asks: ['confirm', 'form'],
    open: async (target, answer) =>
      openSdk1(target, answer, {
        capabilities: { elicitation: {} },
        sdk: await import('mcp-sdk-1.17/client/index.js'),
        http: await import('mcp-sdk-1.17/client/streamableHttp.js'),
        stdio: await import('mcp-sdk-1.17/client/stdio.js'),
        types: await import('mcp-sdk-1.17/types.js'),
      }),
  },
  {
    name: 'AI SDK 2 (`@ai-sdk/mcp`)',
    from: '@ai-sdk/mcp',
    era: { http: '2026', stdio: '2025' },
    asks: ['confirm', 'form'],
    open: async (target, answer) =>
      openAiSdk(target, answer, await import('@ai-sdk/mcp'), await import('@ai-sdk/mcp/mcp-stdio')),
  },
  {
    name: 'AI SDK 1 (`@ai-sdk/mcp`)',
    from: 'ai-sdk-mcp-1',
    era: always2025,
    asks: ['confirm', 'form'],
    open: async (target, answer) =>
      openAiSdk(target, answer, await import('ai-sdk-mcp-1'), await import('ai-sdk-mcp-1/mcp-stdio')),
  },
  { name: 'mcp-use', from: 'mcp-use', era: always2025, asks: ['confirm', 'form', 'url'], open: openMcpUse },
  { name: 'LangChain MCP adapters', from: '@langchain/mcp-adapters', era: always2025, asks: [], open: openLangChain },
]

function official(name, era, mode) {
  return {
    name: `official client, ${name}`,
    from: '@modelcontextprotocol/client',
    era,
    asks: ['confirm', 'form', 'url'],
    async open(target, answer) {
      const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
      const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
      const client = new Client(info, { capabilities: both, versionNegotiation: { mode } })
      client.setRequestHandler('elicitation/create', async ({ params }) => answer(params))
      const transport =
        'url' in target ? new StreamableHTTPClientTransport(new URL(target.url)) : new StdioClientTransport(target)
      await client.connect(transport)
      const spoken = client.getProtocolEra() === 'modern' ? always2026 : always2025
      if (spoken !== era) throw new Error(`It speaks ${client.getNegotiatedProtocolVersion()}.`)
      return {
        call: async (name, input = {}) => textOf(await client.callTool({ name, arguments: input })),
        close: () => client.close(),
      }
    },
  }
}

async function openSdk1(target, answer, { capabilities, sdk, http, stdio, types }) {
  const client = new sdk.Client(info, { capabilities })
  client.setRequestHandler(types.ElicitRequestSchema, async ({ params }) => answer(params))
  const transport =
    'url' in target
      ? new http.StreamableHTTPClientTransport(new URL(target.url))
      : new stdio.StdioClientTransport(target)
  await client.connect(transport)
  return {
    call: async (name, input = {}) => textOf(await client.callTool({ name, arguments: input })),
    close: () => client.close(),
  }
}

async function openAiSdk(
  target,
  answer,
  { createMCPClient, ElicitationRequestSchema },
  { Experimental_StdioMCPTransport },
) {
  const client = await createMCPClient({
    transport: 'url' in target ? { type: 'http', url: target.url } : new Experimental_StdioMCPTransport(target),
    capabilities: { elicitation: {} },
  })
  client.onElicitationRequest(ElicitationRequestSchema, async ({ params }) => answer(params))
  const tools = await client.tools()
  return {
    call: async (name, input = {}) => textOf(await tools[name].execute(input, { toolCallId: '1', messages: [] })),
    close: () => client.close(),
  }
}

async function openMcpUse(target, answer) {
  // It reports its use to its makers otherwise.
  process.env.MCP_USE_ANONYMIZED_TELEMETRY = 'false'
  const { MCPClient } = await import('mcp-use/client')
  const client = new MCPClient({ mcpServers: { asking: target } }, { onElicitation: async asked => answer(asked) })
  const session = await client.createSession('asking')
  return {
    call: async (name, input = {}) => textOf(await session.connector.callTool(name, input)),
    close: () => client.closeAllSessions(),
  }
}

async function openLangChain(target) {
  const { MultiServerMCPClient } = await import('@langchain/mcp-adapters')
  const connection = 'url' in target ? { transport: 'http', ...target } : { transport: 'stdio', ...target }
  const client = new MultiServerMCPClient({ mcpServers: { asking: connection } })
  const tools = await client.getTools()
  return {
    call: async (name, input = {}) => String(await tools.find(tool => tool.name === name).invoke(input)),
    close: () => client.close(),
  }
}

function textOf({ content, isError }) {
  const text = content?.[0]?.text ?? ''
  if (isError) throw new Error(text)
  return text
}
