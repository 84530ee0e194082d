// A server that breaks every rule of elicitation that can be seen from outside, on stdio, in both eras.
import { Server, type ServerContext, type StandardSchemaV1 } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const anything: StandardSchemaV1<Record<string, unknown>> = {
  '~standard': { version: 1, vendor: 'test', validate: value => ({ value: (value ?? {}) as Record<string, unknown> }) },
}
const form = {
  mode: 'form',
  message: 'Tell us.',
  requestedSchema: {
    type: 'object',
    properties: {
      home: { type: 'object', properties: { street: { type: 'string' } } },
      pin: { type: 'string', format: 'ipv4' },
      password: { type: 'string' },
    },
  },
}
const wordless = { mode: 'form', message: '', requestedSchema: { type: 'object', properties: {}, anyOf: [{}] } }
const page = {
  mode: 'url',
  message: 'Go there.',
  url: 'http://shop.example/pay?email=ada@example.com&access_token=abc',
}

class Careless extends Server {
  protected override _wrapHandler(_method: string, handler: Parameters<Server['_wrapHandler']>[1]): typeof handler {
    return handler
  }
}

serveStdio(({ era }) => {
  const server = new Careless(
    { name: 'bad', version: '0.0.1' },
    { capabilities: { tools: {} }, inputRequired: { legacyShim: false } },
  )
  server.setRequestHandler('tools/list', { params: anything }, () => ({
    tools: [{ name: 'ask me anything!', inputSchema: { type: 'object' } }],
  }))
  server.setRequestHandler('tools/call', { params: anything }, async (_params, ctx) =>
    era === 'legacy' ? await push(ctx) : round(ctx),
  )
  return server
})

async function push(ctx: ServerContext) {
  for (const params of [form, wordless, page]) {
    await ctx.mcpReq.send({ method: 'elicitation/create', params }, anything).catch(() => {})
  }
  return { content: [] }
}

function round(ctx: ServerContext) {
  const { inputResponses } = ctx.mcpReq
  if (inputResponses !== undefined && 'beckon-doctor' in inputResponses) throw new Error('What is this?')
  if (inputResponses !== undefined) return { content: [] }
  const inputRequests = {
    wordless: { method: 'elicitation/create', params: wordless },
    form: { method: 'elicitation/create', params: form },
    page: { method: 'elicitation/create', params: { ...page, elicitationId: 'x' } },
  }
  return { resultType: 'input_required', inputRequests, requestState: 'step=1' }
}
