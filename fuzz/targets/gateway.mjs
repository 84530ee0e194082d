// The wire between the gateway and running applications: one that says hello in every wrong way, and one that was claimed and then
// answers, asks and reports in every wrong way.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway } from '@beckon/gateway'
import { WebSocket } from 'ws'
import { callerOf } from '../in-process.mjs'
import { judgeMessage, judgeRpc } from '../judge.mjs'
import { mutated, mutatedText } from '../mutate.mjs'

/** @typedef {import('../driver.mjs').Target} Target */
/** @typedef {{ id?: string | number, method?: string, params?: Record<string, any>, result?: Record<string, any>, error?: object }} Frame */

/** @type {Target} */
export const gateway = {
  share: 1,
  atOnce: 6,
  honestEvery: 100,
  async open() {
    const home = await mkdtemp(join(tmpdir(), 'beckon-fuzz-'))
    const opened = createGateway({
      home,
      log: () => {},
      server: { person: 'unchecked', identify: request => request.headers.get('x-user') ?? undefined },
    })
    const { url } = await opened.listen({ port: 0 })
    const address = `${new URL('/beckon/app', url).href.replace(/^http/, 'ws')}`
    const serving = /** @type {import('beckon').BeckonServer} */ (/** @type {unknown} */ (opened))
    let apps = 0

    /** An application of somebody, claimed by them. @param {string} user @param {(frame: Frame, app: AppSocket) => void} invoked */
    async function claimed(user, invoked) {
      const app = await AppSocket.dial(address, invoked)
      const id = `app${++apps}`
      const { result } = await app.request('tesseron/hello', helloParams(id))
      const caller = callerOf(serving, user, url)
      const told = await caller.result('tools/call', {
        name: 'tesseron__claim_session',
        arguments: { code: result?.claimCode },
      })
      if (told.isError) throw new Error(JSON.stringify(told))
      return { app, caller, tool: `${id}__act` }
    }

    return {
      async attack(random) {
        if (random.next() < 0.75) {
          const app = await AppSocket.dial(address, () => {})
          const id = `x${random.between(0, 1e6)}`
          const hellos = [
            { jsonrpc: '2.0', id: 1, method: 'tesseron/hello', params: helloParams(id) },
            {
              jsonrpc: '2.0',
              id: 1,
              method: 'tesseron/resume',
              params: { ...helloParams(id), sessionId: 's', resumeToken: 't' },
            },
            ...appMessages('i'),
          ]
          const sent = []
          for (let times = 0; times < 4; times++) sent.push(mutatedText(random, random.pick(hellos), hellos))
          for (const reply of await app.replies(sent)) judgeMessage(reply, sent)
          return app.close()
        }
        // What a claimed application does instead of what it was asked to.
        const { app, caller, tool } = await claimed('mallory', ({ id, params }, socket) => {
          const valid = [
            { jsonrpc: '2.0', id, result: { invocationId: params?.invocationId, output: { ok: true } } },
            ...appMessages(params?.invocationId),
          ]
          for (let times = random.between(1, 4); times > 0; times--)
            socket.send(mutatedText(random, random.pick(valid), valid))
          socket.send(JSON.stringify(random.next() < 0.5 ? valid[0] : mutated(random, valid[0])))
          socket.send(
            JSON.stringify({ jsonrpc: '2.0', id, result: { invocationId: params?.invocationId, output: 'end' } }),
          )
        })
        const reply = await caller.send('tools/call', { name: tool, arguments: { n: 1 } })
        app.close()
        judgeRpc(reply, tool)
      },
      async honest(nth) {
        const { app, caller, tool } = await claimed('honest', ({ id, params }, socket) =>
          socket.send(
            JSON.stringify({
              jsonrpc: '2.0',
              id,
              result: { invocationId: params?.invocationId, output: `done ${params?.input.n}` },
            }),
          ),
        )
        const { content } = await caller.result('tools/call', { name: tool, arguments: { n: nth } })
        app.close()
        if (!String(content?.[0]?.text).includes(`done ${nth}`)) throw new Error(JSON.stringify(content))
      },
      async close() {
        await opened.close()
        await rm(home, { recursive: true })
      },
    }
  },
}

/** One application, which speaks the protocol frame by frame. */
class AppSocket {
  /** @type {string[]} */
  #got = []
  /** @type {() => void} */
  #notify = () => {}
  #requests = 0

  /** @param {WebSocket} socket @param {(frame: Frame, app: AppSocket) => void} invoked */
  constructor(socket, invoked) {
    this.socket = socket
    socket.on('message', data => {
      const text = String(data)
      this.#got.push(text)
      const frame = JSON.parse(text)
      if (frame.method === 'actions/invoke') invoked(frame, this)
      this.#notify()
    })
    socket.on('close', () => this.#notify())
    socket.on('error', () => {})
  }

  /** @param {string} address @param {(frame: Frame, app: AppSocket) => void} invoked */
  static async dial(address, invoked) {
    const socket = new WebSocket(address, ['tesseron-app'], { perMessageDeflate: false })
    const app = new AppSocket(socket, invoked)
    await once(socket, 'open')
    return app
  }

  close() {
    this.socket.terminate()
  }

  /** @param {string} text */
  send(text) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text)
  }

  /** @param {string} method @param {object} params @returns {Promise<Frame>} */
  async request(method, params) {
    const id = `own-${++this.#requests}`
    const isReply = (/** @type {string} */ text) => text.includes(`"id":"${id}"`)
    this.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    await this.#until(() => this.#got.some(isReply))
    return JSON.parse(this.#got.find(isReply) ?? '{}')
  }

  /** @param {readonly string[]} texts @returns {Promise<string[]>} what came until something sent after them was answered */
  async replies(texts) {
    for (const text of texts) this.send(text)
    await this.request('nothing/that/there/is', {})
    return this.#got.filter(text => text.includes('"error"') || text.includes('"result"'))
  }

  /** @param {() => boolean} holds @returns {Promise<void>} */
  #until(holds) {
    return new Promise(resolve => {
      this.#notify = () => {
        if (this.socket.readyState === WebSocket.OPEN && !holds()) return
        this.#notify = () => {}
        resolve()
      }
      this.#notify()
    })
  }
}

/** @param {string} id */
function helloParams(id) {
  const action = {
    name: 'act',
    description: 'Acts',
    inputSchema: { type: 'object', properties: { n: { type: 'number' }, s: { type: 'string', pattern: '^a+$' } } },
    outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } } },
    annotations: { destructive: false, readOnly: true },
    timeoutMs: 2_000,
  }
  return {
    protocolVersion: '1.2.0',
    app: { id, name: 'App', origin: 'raw:test' },
    actions: [{ ...action, outputSchema: undefined }],
    resources: [{ name: 'state', description: 'State', subscribable: true, outputSchema: action.outputSchema }],
    capabilities: { streaming: true, subscriptions: true, sampling: true, elicitation: true },
  }
}

/** @param {unknown} invocationId */
function appMessages(invocationId) {
  const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
  return [
    { jsonrpc: '2.0', method: 'actions/progress', params: { invocationId, message: 'half', percent: 50, data: {} } },
    { jsonrpc: '2.0', method: 'log', params: { invocationId, level: 'info', message: 'hi', meta: { a: 1 } } },
    { jsonrpc: '2.0', method: 'actions/list_changed', params: { actions: helloParams('x').actions } },
    { jsonrpc: '2.0', method: 'resources/list_changed', params: { resources: helloParams('x').resources } },
    { jsonrpc: '2.0', method: 'resources/updated', params: { subscriptionId: 's', name: 'state', value: 1 } },
    { jsonrpc: '2.0', id: 90, method: 'elicitation/request', params: { invocationId, question: 'Which?', schema } },
    { jsonrpc: '2.0', id: 91, method: 'sampling/request', params: { invocationId, prompt: 'x', maxTokens: 10 } },
    { jsonrpc: '2.0', id: 92, error: { code: -32000, message: 'no', data: {} } },
  ]
}
