// The live protocol of a desk, over WebSockets, in its oldest and its newest dialect.
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { fuzzedDesk, tokens } from '../fuzzed-desk.mjs'
import { judgeMessage } from '../judge.mjs'
import { garbledBytes, mutatedText } from '../mutate.mjs'

/** @typedef {import('../driver.mjs').Target} Target */

const root = 'ahp-root://'

/** @type {Target} */
export const live = {
  share: 5,
  atOnce: 8,
  honestEvery: 250,
  async open(findings) {
    const { desk, url, hurry, ask } = await fuzzedDesk(findings)
    const address = `${url.replace(/^http/, 'ws')}live`
    let asked = await ask('mallory')
    /** @type {LiveSocket[]} */
    const idle = []
    let dialled = 0

    /** @param {keyof typeof tokens} who @param {string} version */
    async function dial(who, version) {
      const socket = await LiveSocket.dial(address, tokens[who], version)
      await socket.request('initialize', {
        channel: root,
        protocolVersions: [version],
        clientId: `c${++dialled}`,
        initialSubscriptions: [],
      })
      return socket
    }

    return {
      async attack(random) {
        hurry()
        const socket = idle.pop() ?? (await dial('mallory', random.pick(['0.3.0', '1.0.0'])))
        const valid = messagesOf(socket.version, asked)
        const text = mutatedText(random, random.pick(valid), valid)
        const isBinary = random.next() < 0.02
        const replies = await socket.replies(isBinary ? garbledBytes(random, Buffer.from(text)) : text)
        for (const reply of replies) judgeMessage(reply, text)
        if (socket.isOpen) idle.push(socket)
      },
      async honest() {
        const { session, id, asked: own } = await ask('honest')
        const version = dialled % 2 === 0 ? '0.3.0' : '1.0.0'
        const socket = await dial('honest', version)
        const { channel, prefix } = placeOf(version, session)
        await socket.request('subscribe', { channel })
        const answers = {
          name: answer('text', 'Ada'),
          age: answer('number', 36),
          plan: answer('selected', 'pro'),
          isNew: answer('boolean', true),
        }
        const action = { type: `${prefix}/inputCompleted`, requestId: id, response: 'accept', answers }
        await socket.request('dispatchAction', { channel, clientSeq: 1, action })
        const outcome = await own.outcome()
        socket.close()
        const content = outcome.action === 'accept' && JSON.stringify(sorted(outcome.content))
        if (content !== '{"age":36,"isNew":true,"name":"Ada","plan":"pro"}') throw new Error(JSON.stringify(outcome))
        // What the attacker may act on.
        await asked.asked.withdraw()
        asked = await ask('mallory')
      },
      async close() {
        for (const socket of idle) socket.close()
        await desk.close()
      },
    }
  },
}

/** One connection, which answers in order. */
class LiveSocket {
  /** @type {string[]} */
  #got = []
  #pings = 0
  /** @type {() => void} */
  #notify = () => {}

  /** @param {WebSocket} socket @param {string} version */
  constructor(socket, version) {
    this.socket = socket
    this.version = version
    socket.on('message', data => {
      this.#got.push(String(data))
      this.#notify()
    })
    socket.on('close', () => this.#notify())
    socket.on('error', () => {})
  }

  /** @param {string} address @param {string} token @param {string} version */
  static async dial(address, token, version) {
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` }, perMessageDeflate: false })
    const dialled = new LiveSocket(socket, version)
    await once(socket, 'open')
    return dialled
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN
  }

  close() {
    this.socket.terminate()
  }

  /** @param {string | Uint8Array} message @returns {Promise<string[]>} everything that came until what was sent after it was answered */
  async replies(message) {
    const id = `ping-${++this.#pings}`
    this.#got = []
    if (this.isOpen) this.socket.send(message)
    if (this.isOpen) this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', params: { channel: root } }))
    await this.#until(() => this.#got.some(text => text.includes(`"id":"${id}"`)))
    return this.#got
  }

  /** @param {string} method @param {object} params */
  async request(method, params) {
    const id = `r-${++this.#pings}`
    const replies = await this.replies(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    const reply = replies.map(text => JSON.parse(text)).find(each => each.id === id)
    if (reply?.error !== undefined || reply === undefined) throw new Error(`${method}: ${JSON.stringify(reply)}`)
    return reply.result
  }

  /** @param {() => boolean} holds @returns {Promise<void>} */
  #until(holds) {
    return new Promise(resolve => {
      this.#notify = () => {
        if (this.isOpen && !holds()) return
        this.#notify = () => {}
        resolve()
      }
      this.#notify()
    })
  }
}

/** @param {string} version @param {string} session */
function placeOf(version, session) {
  const prefix = version === '0.3.0' ? 'session' : 'chat'
  return { channel: `ahp-${prefix}:/${session}`, prefix }
}

/** @param {string} kind @param {unknown} value */
function answer(kind, value) {
  return { state: 'submitted', value: { kind, value } }
}

/** @param {object} value */
function sorted(value) {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** @param {string} version @param {{ session: string, id: string }} ask */
function messagesOf(version, { session, id: requestId }) {
  const { channel, prefix } = placeOf(version, session)
  const text = { state: 'draft', value: { kind: 'text', value: 'Ada' } }
  /** @param {string} method @param {object} params */
  const request = (method, params) => ({ jsonrpc: '2.0', id: 1, method, params })
  /** @param {object} action */
  const dispatch = action => request('dispatchAction', { channel, clientSeq: 1, action })
  return [
    request('initialize', {
      channel: root,
      protocolVersions: [version],
      clientId: 'c1',
      locale: 'de',
      initialSubscriptions: [channel],
    }),
    request('reconnect', { channel: root, clientId: 'c1', lastSeenServerSeq: 1, subscriptions: [channel] }),
    request('reconnect', { channel: root, clientId: 'c1', subscriptions: [{ channel, lastSeenServerSeq: 1 }] }),
    request('subscribe', { channel, view: { turns: 3 } }),
    request('subscribe', { channel: 'beckon-asks://' }),
    { jsonrpc: '2.0', method: 'unsubscribe', params: { channel } },
    request('fetchTurns', { channel, before: 't', limit: 5, cursor: 'x' }),
    request('createSession', { channel: 'ahp-session:/mine', provider: 'desk', title: 'Mine' }),
    request('disposeSession', { channel: 'ahp-session:/mine' }),
    request('listSessions', { channel: root, limit: 10, cursor: 'x' }),
    request('beckon/asks', {
      channel: root,
      limit: 10,
      search: 'x',
      mine: true,
      order: 'due',
      destructive: false,
      server: 'shop',
      tool: 'order',
    }),
    dispatch({ type: `${prefix}/inputAnswerChanged`, requestId, questionId: 'name', answer: text }),
    dispatch({
      type: `${prefix}/inputCompleted`,
      requestId,
      response: 'accept',
      answers: { name: { ...text, state: 'submitted' } },
    }),
    dispatch({ type: `${prefix}/inputCompleted`, requestId, response: 'decline', reason: 'no' }),
    dispatch({ type: 'beckon/commented', requestId, text: 'hm' }),
    dispatch({ type: 'beckon/delegated', requestId, to: { principals: ['honest'] } }),
    dispatch({ type: `${prefix}/turnStarted`, turnId: 't', message: { text: 'hi' } }),
    dispatch({ type: `${prefix}/truncated`, turnId: 't' }),
    dispatch({ type: 'session/titleChanged', title: 'x' }),
    dispatch({ type: `${prefix}/isReadChanged`, isRead: true }),
    {
      jsonrpc: '2.0',
      method: 'dispatchAction',
      params: { channel, clientSeq: 2, action: { type: `${prefix}/turnCancelled`, turnId: 't' } },
    },
  ]
}
