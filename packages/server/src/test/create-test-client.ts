import { elicitationModes } from '../protocol/capabilities.js'
import type { InputRequest } from '../protocol/codec.js'
import { RequestError } from '../protocol/request-error.js'
import type { BeckonServer } from '../server/beckon-server.js'
import { testHookOf } from '../server/test-hook.js'
import { TestAnswerer } from './answerer.js'
import { nameAsk } from './ask.js'
import { TestBrowser } from './browser.js'
import { Connection, type ServerRequest, type Transmitted } from './connection.js'
import { eraOf } from './era.js'
import type { TestClientOptions } from './options.js'
import { TestCall } from './test-call.js'
import type { ListedTool, PromptResult, ResourceResult, TestClient, ToolCallResult } from './test-client.js'
import type { TestProcess } from './test-process.js'

type Params = Readonly<Record<string, unknown>>

const inputMethods = ['elicitation/create', 'sampling/createMessage', 'roots/list']

/**
 * A client in memory for a server's tests: it speaks the protocol itself, over any wire, without a port.
 * @example
 * const client = createTestClient(server, { wire: 'rounds', answer: [true] })
 * const result = await client.callTool('clear_completed')
 * expect(client.asked[0]?.message).toBe('Remove 5 completed todos?')
 * await client.close()
 */
export function createTestClient(server: BeckonServer | TestProcess, options: TestClientOptions = {}): TestClient {
  const era = eraOf(options)
  const answerer = new TestAnswerer(options.answer)
  const calls = new Map<string | number, TestCall>()
  const messages: Transmitted[] = []
  const browser = new TestBrowser(request => line.hook.visit(request, options.principal))
  const stopListening = 'onCrash' in server ? server.onCrash(moveOn) : undefined
  let line = connect()
  let tokens = 0

  /** A connection to the process that lives now. */
  function connect() {
    const hook = testHookOf('onCrash' in server ? server.server : server)
    const connection = new Connection(answerPushed, messages)
    const restoreClock = options.clock && hook.useClock(options.clock)
    const serving = hook.connect({
      transport: connection.transport,
      principal: options.principal,
      replay: options.replay ?? 'always',
      isAttended: !options.answersItself,
    })
    return { hook, connection, restoreClock, serving, opening: undefined as Promise<void> | undefined }
  }

  /** The process is gone, and with it the connection: what comes now goes to the next one. */
  function moveOn(): void {
    const { connection } = line
    line = connect()
    void connection.transport.close()
  }

  function open(): Promise<void> {
    line.opening ??= era.open(line.connection)
    return line.opening
  }

  /** An ask that came by itself, on the stream of the call it belongs to. */
  async function answerPushed({ method, params, relatedTo, withdrawn }: ServerRequest): Promise<Params | undefined> {
    if (method === 'ping') return {}
    const call = relatedTo === undefined ? undefined : calls.get(relatedTo)
    if (call === undefined || !inputMethods.includes(method))
      throw new RequestError(-32601, `Method not found: ${method}`)
    try {
      return await call.answer({ method: method as InputRequest['method'], params }, { withdrawn })
    } catch (error) {
      call.fail(error)
      return undefined
    }
  }

  async function send(call: TestCall, method: string, params: Params): Promise<Record<string, unknown>> {
    await open()
    let id: string | number | undefined
    const onId = (given: string | number) => {
      id = given
      calls.set(given, call)
    }
    try {
      return await line.connection.request(method, era.dress(params), { signal: call.signal, onId })
    } finally {
      if (id !== undefined) calls.delete(id)
    }
  }

  function createCall(name: string, signal?: AbortSignal): TestCall {
    return new TestCall({ name, answerer, send, signal })
  }

  /** Has the server tell progress. */
  function tracked(params: Params): Params {
    return { ...params, _meta: { progressToken: ++tokens } }
  }

  async function listTools(): Promise<ListedTool[]> {
    const { tools } = await createCall('tools/list').send('tools/list', {})
    // Our own server lists them.
    return tools as ListedTool[]
  }

  /** Whether a finished call should have asked, and did not. */
  async function isUnconfirmed(name: string, { asks }: TestCall): Promise<boolean> {
    if (asks.some(ask => ask.kind === 'confirm')) return false
    // A client that cannot show one is not asked: there `ctx.confirm` is false by itself.
    if (!elicitationModes({ capabilities: era.capabilities, client: undefined }, [])?.form) return false
    const tool = (await listTools()).find(listed => listed.name === name)
    return tool?._meta?.['beckon/requiresConfirmation'] === true
  }

  return {
    asked: answerer.asked,
    messages,
    async callTool(name, args = {}, { signal, allowUnconfirmed = false } = {}) {
      const call = createCall(name, signal)
      const result = (await call.run('tools/call', tracked({ name, arguments: args }))) as ToolCallResult
      if (result.isError !== true && !allowUnconfirmed && (await isUnconfirmed(name, call)))
        throw new Error(
          `"${name}" says requiresConfirmation, and finished without asking for one. Have it \`await ctx.confirm(...)\` ` +
            'before it acts. If there was nothing to do in this test, call it with { allowUnconfirmed: true }.',
        )
      return result
    },
    async getPrompt(name, args = {}, { signal } = {}) {
      return (await createCall(name, signal).run('prompts/get', tracked({ name, arguments: args }))) as PromptResult
    },
    async readResource(uri, { signal } = {}) {
      return (await createCall(uri, signal).run('resources/read', tracked({ uri }))) as ResourceResult
    },
    listTools,
    request(method, params = {}) {
      return createCall(String(params.name ?? params.uri ?? method)).send(method, params)
    },
    async notify(method, params = {}) {
      await open()
      line.connection.notify(method, era.dress(params))
    },
    visit(where, values) {
      if (typeof where !== 'string' && where.kind !== 'url')
        throw new TypeError(`${nameAsk(where)}, which leads to no page.`)
      return browser.visit(typeof where === 'string' ? where : where.url, values)
    },
    async close() {
      stopListening?.()
      line.restoreClock?.()
      await line.serving.close()
    },
  }
}
