// A server written on the official SDK by hand, with something of everything, of one era alone: `2025` or `2026` as its
// argument. On stdio, as the proxy finds most servers.
import { Server, type ServerContext, type StandardSchemaV1 } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'

type Params = Record<string, unknown>

let goOn = () => {}

const era = process.argv[2]
const anything: StandardSchemaV1<Params> = {
  '~standard': { version: 1, vendor: 'test', validate: value => ({ value: (value ?? {}) as Params }) },
}
const form = {
  message: 'Which colour?',
  requestedSchema: {
    type: 'object',
    properties: { colour: { type: 'string', enum: ['red', 'blue'] } },
    required: ['colour'],
  },
}
const list = {
  message: 'Which toppings?',
  requestedSchema: {
    type: 'object',
    properties: {
      toppings: {
        type: 'array',
        items: {
          anyOf: [
            { const: 'h', title: 'Ham' },
            { const: 'o', title: 'Olives' },
          ],
        },
      },
      size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }], default: 's' },
    },
    required: ['toppings'],
  },
}
const page = { mode: 'url', message: 'Sign in.', url: 'https://raw.example/in' }
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { n: { type: 'integer', 'x-own': 1 } },
}

function create(): Server {
  const server = new Server(
    { name: 'raw', version: '3.2.1', title: 'A raw server', websiteUrl: 'https://raw.example' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: {},
        resources: { subscribe: true },
        completions: {},
        logging: {},
        experimental: { own: { thing: true } },
      },
      instructions: 'Be kind.',
      inputRequired: { legacyShim: false },
    },
  )
  const handle = (method: string, handler: (params: Params, ctx: ServerContext) => Params | Promise<Params>) =>
    server.setRequestHandler(method, { params: anything }, handler)
  handle('tools/list', ({ cursor }) =>
    cursor === undefined
      ? {
          tools: [
            {
              name: 'ask',
              description: 'Asks',
              inputSchema: schema,
              annotations: { destructiveHint: true, ownHint: 'x' },
            },
            {
              name: 'add',
              inputSchema: schema,
              outputSchema: schema,
              icons: [{ src: 'https://raw.example/i.png' }],
              _meta: { own: [1] },
            },
          ],
          nextCursor: 'page two',
          _meta: { own: 'list' },
        }
      : { tools: [{ name: 'more', title: String(cursor), inputSchema: { type: 'object' } }] },
  )
  handle('tools/call', (params, ctx) => call(server, params, ctx))
  handle('prompts/list', () => ({ prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }] }] }))
  handle('prompts/get', ({ arguments: args }) => ({
    description: 'x',
    messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(args) } }],
  }))
  handle('resources/list', () => ({ resources: [{ uri: 'raw://one', name: 'one', size: 3, _meta: { own: 2 } }] }))
  handle('resources/templates/list', () => ({ resourceTemplates: [{ uriTemplate: 'raw://{x}', name: 'any' }] }))
  handle('resources/read', ({ uri }) => ({ contents: [{ uri, text: `read ${uri}`, _meta: { own: 3 } }] }))
  handle('resources/subscribe', ({ uri }) => {
    setImmediate(() => server.sendResourceUpdated({ uri: String(uri) }).catch(() => {}))
    return {}
  })
  handle('completion/complete', ({ argument }) => ({
    completion: { values: [JSON.stringify(argument)], hasMore: true },
  }))
  handle('own/method', params => ({ echoed: params }))
  handle('own/go-on', () => {
    goOn()
    return {}
  })
  return server
}

async function call(
  server: Server,
  { name, arguments: args = {}, _meta }: Params,
  ctx: ServerContext,
): Promise<Params> {
  switch (name) {
    case 'ask': {
      const outcome = era === '2025' ? await push(ctx) : ctx.mcpReq.inputResponses?.colour
      if (outcome === undefined) {
        return {
          resultType: 'input_required',
          inputRequests: { colour: { method: 'elicitation/create', params: { mode: 'form', ...form } } },
          requestState: 'raw-state',
        }
      }
      const state = era === '2025' ? 'raw-state' : ctx.mcpReq.requestState<string>()
      return { content: [{ type: 'text', text: `${JSON.stringify(outcome)} ${state}` }], _meta: { own: 'result' } }
    }
    case 'pick': {
      const picked = era === '2025' ? await push(ctx, list) : ctx.mcpReq.inputResponses?.list
      if (picked !== undefined) return { content: [{ type: 'text', text: JSON.stringify(picked) }] }
      return {
        resultType: 'input_required',
        inputRequests: { list: { method: 'elicitation/create', params: { mode: 'form', ...list } } },
        requestState: 'raw-state',
      }
    }
    case 'visit': {
      const visited =
        era === '2025' ? await push(ctx, { ...page, elicitationId: 'in' }) : ctx.mcpReq.inputResponses?.page
      if (visited !== undefined) return { content: [{ type: 'text', text: JSON.stringify(visited) }] }
      return {
        resultType: 'input_required',
        inputRequests: { page: { method: 'elicitation/create', params: page } },
        requestState: 'raw-state',
      }
    }
    case 'add':
      return {
        content: [],
        structuredContent: {
          n: 1,
          args,
          meta: Object.keys((_meta ?? {}) as object).filter(key => key !== 'progressToken'),
        },
        own: { unknown: true },
      }
    case 'sample':
      return { content: [{ type: 'text', text: JSON.stringify(await ctx.mcpReq.send({ method: 'roots/list' })) }] }
    case 'change':
      await server.sendToolListChanged()
      return { content: [] }
    case 'progress': {
      const progressToken = ctx.mcpReq._meta?.progressToken
      if (progressToken !== undefined) {
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress: 1, total: 3, message: 'a' },
        })
      }
      await ctx.mcpReq.log('warning', { careful: true }, 'raw')
      // The official client forgets whom to tell of progress as soon as the result is there.
      await new Promise<void>(resolve => {
        goOn = resolve
      })
      return { content: [{ type: 'text', text: 'done' }] }
    }
    case 'die':
      process.exit(1)
      break
    case 'hang':
      return new Promise((_, reject) => {
        ctx.mcpReq.signal.addEventListener('abort', () => {
          process.stderr.write('the call was cancelled\n')
          reject(new Error('cancelled'))
        })
      })
    default:
      throw Object.assign(new Error('No such thing'), { code: -32602, data: { own: name } })
  }
}

async function push(ctx: ServerContext, params: Params = form): Promise<unknown> {
  return ctx.mcpReq.send({ method: 'elicitation/create', params }, anything, { timeout: 110_000 })
}

if (era === '2025') await create().connect(new StdioServerTransport())
else serveStdio(create, { legacy: 'reject' })
