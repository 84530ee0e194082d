// A server to serve in tests, with an answerer of a few lines where the engine would be.
import type { Incoming } from '../src/call/incoming.js'
import { ClientConnection } from '../src/connections/client-connection.js'
import type { Method, Methods } from '../src/connections/methods.js'
import { parameterHeadersOf } from '../src/http/parameter-headers.js'
import type { Served } from '../src/http/served.js'
import type { Link } from '../src/protocol/link.js'

type Result = Record<string, unknown>

const form = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const routedSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }

const text = (value: string): Result => ({ content: [{ type: 'text', text: value }] })

/** What a test can look at, and wait for. */
export interface LittleServed extends Served {
  readonly seen: Incoming[]
  readonly links: Link[]
  readonly errors: unknown[]
  /** Resolves when the next call of a tool has begun, or was aborted. */
  began(tool: string): Promise<Incoming>
  aborted(tool: string): Promise<Incoming>
  /** Lets `hold` finish. */
  release(): void
}

export function littleServed(more: Partial<Served> = {}): LittleServed {
  const seen: Incoming[] = []
  const links: Link[] = []
  const errors: unknown[] = []
  const waiting = new Map<string, ((incoming: Incoming) => void)[]>()
  let release = (): void => {}

  function wait(event: string): Promise<Incoming> {
    return new Promise(resolve => {
      waiting.set(event, [...(waiting.get(event) ?? []), resolve])
    })
  }

  function happened(event: string, incoming: Incoming): void {
    for (const resolve of waiting.get(event) ?? []) resolve(incoming)
    waiting.delete(event)
  }

  const tools: Record<string, (incoming: Incoming) => Promise<Result> | Result> = {
    hello: () => text('hello'),
    ask,
    async work(incoming) {
      incoming.notify('notifications/progress', { progressToken: incoming.progressToken, progress: 1 })
      incoming.log('debug', 'too quiet', undefined)
      incoming.log('warning', { loud: true }, 'little')
      return text('worked')
    },
    log(incoming) {
      incoming.log('debug', 'too quiet', undefined)
      return text('logged')
    },
    hold: () =>
      new Promise(resolve => {
        release = () => resolve(text('held'))
      }),
    wait: ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    missing() {
      throw { code: -32021, message: 'No', data: { requiredCapabilities: { elicitation: { form: {} } } } }
    },
    refused() {
      throw { code: -32602, message: 'Not like this' }
    },
    broken() {
      throw new Error('a secret')
    },
    odd: () => ({ content: [], structuredContent: { number: 1n } }),
    own: () => ({ ...text('own'), resultType: 'task', _meta: { mine: 1 } }),
    routed: () => text('routed'),
    async flood(incoming) {
      for (let sent = 0; sent < 200; sent += 1) incoming.log('error', 'x'.repeat(100_000), undefined)
      return text('flooded')
    },
  }

  async function answer(incoming: Incoming): Promise<Result> {
    seen.push(incoming)
    const { method, params } = incoming
    if (method === 'prompts/get') return { messages: [{ role: 'user', content: { type: 'text', text: 'prompted' } }] }
    if (method === 'resources/read') return { contents: [{ uri: params.uri, text: 'read' }] }
    const name = String(params.name)
    incoming.signal.addEventListener('abort', () => happened(`aborted ${name}`, incoming))
    happened(`began ${name}`, incoming)
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
    if (tool === undefined) throw { code: -32602, message: `Unknown tool ${name}` }
    if (Array.isArray(params.arguments)) throw { code: -32602, message: 'The arguments of a tool are an object.' }
    return tool(incoming)
  }

  const served: LittleServed = {
    seen,
    links,
    errors,
    began: tool => wait(`began ${tool}`),
    aborted: tool => wait(`aborted ${tool}`),
    release: () => release(),
    info: { name: 'little', version: '1.2.3' },
    answer,
    isKnown: (method, name) =>
      method === 'tools/call' ? Object.hasOwn(tools, name) : name === 'p' || name === 'note://a',
    parameterHeaders: tool => (tool === 'routed' ? parameterHeadersOf(routedSchema) : undefined),
    onError: error => errors.push(error),
    connection(link) {
      links.push(link)
      return new ClientConnection({
        info: served.info,
        capabilities,
        link,
        methods: methodsOf(served, link),
        onError: served.onError,
      })
    },
    methods(link) {
      links.push(link)
      return methodsOf(served, link)
    },
    ...more,
  }
  return served
}

async function ask(incoming: Incoming): Promise<Result> {
  if (incoming.capabilities.elicitation === undefined) return text('cannot ask')
  const params = { message: 'Your name?', requestedSchema: form }
  if (incoming.send) return text(`hello ${JSON.stringify(await pushed(incoming, params))}`)
  const name = incoming.inputResponses?.name
  if (name !== undefined) return text(`hello ${JSON.stringify(name)} ${incoming.requestState}`)
  const inputRequests = { name: { method: 'elicitation/create', params: { mode: 'form', ...params } } }
  return { resultType: 'input_required', inputRequests, requestState: 'the state' }
}

/** Asks over push, and withdraws that when the call is cancelled. */
function pushed(incoming: Incoming, params: Result): Promise<unknown> {
  return new Promise((answered, failed) => {
    const listener = { answered, failed }
    const withdraw = incoming.send?.('elicitation/create', params, { timeoutMs: 2 ** 40, listener })
    incoming.onCancel?.(() => {
      withdraw?.()
      failed(incoming.signal.reason)
    })
  })
}

const listChanged = true
const capabilities = {
  tools: { listChanged },
  prompts: { listChanged },
  resources: { listChanged, subscribe: true },
  logging: {},
}

function methodsOf(served: Served, link: Link): Methods {
  const ask: Method = request => served.answer(request as Incoming)
  return new Map<string, Method>([
    ['tools/call', ask],
    ['prompts/get', ask],
    ['resources/read', ask],
    ['tools/list', () => ({ tools: [{ name: 'ask', inputSchema: { type: 'object' } }] })],
    [
      'resources/subscribe',
      ({ params }) => {
        link.subscriptions.add(String(params.uri))
        return {}
      },
    ],
    ['server/discover', () => ({ supportedVersions: ['2026-07-28'], capabilities })],
  ])
}
