// Someone with an inbox open, over the live protocol: hears what is asked of them, and answers.
import { once } from 'node:events'
import { WebSocket } from 'ws'

const asksChannel = 'beckon-asks://'

/** Where an ask is, as the inbox has it. @typedef {{ session: string, request: { id: string }, ending?: unknown }} Ask */

let clients = 0

export class Person {
  #socket
  #nextId = 1
  #clientSeq = 1
  /** @type {Map<number, (result: any) => void>} */
  #replies = new Map()
  /** @type {Map<string, () => void>} */
  #endings = new Map()
  #answersAll = false
  /** What they have answered: a node that looks at a session again says once more what is asked in it. @type {Set<string>} */
  #answered = new Set()
  /** How many asks they have heard of since they came. */
  heard = 0

  /** @param {WebSocket} socket */
  constructor(socket) {
    this.#socket = socket
    socket.on('message', data => this.#receive(JSON.parse(String(data))))
  }

  /**
   * @param {string} url of a node
   * @param {string} name
   */
  static async open(url, name) {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}live`, {
      headers: { authorization: `Bearer ${name}` },
      perMessageDeflate: false,
    })
    await once(socket, 'open')
    const person = new Person(socket)
    const clientId = `${name}-${process.pid}-${clients++}`
    await person.#request('initialize', { channel: 'ahp-root://', protocolVersions: ['1.0.0'], clientId })
    return person
  }

  /**
   * Opens the inbox.
   * @returns {Promise<Ask[]>} what is open on its first page
   */
  async page() {
    const { snapshot } = await this.#request('subscribe', { channel: asksChannel })
    return snapshot.state.asks.filter((/** @type {Ask} */ { ending }) => ending === undefined)
  }

  /**
   * Opens one session, and hears of whatever happens to it.
   * @param {string} session
   */
  async follow(session) {
    await this.#request('subscribe', { channel: `ahp-chat:/${session}` })
  }

  /** From now on everything is accepted as soon as it is heard of. */
  async answerAll() {
    this.#answersAll = true
    await this.page()
  }

  /** @param {Ask} ask */
  answer({ session, request }) {
    const action = { type: 'chat/inputCompleted', requestId: request.id, response: 'accept' }
    const params = { channel: `ahp-chat:/${session}`, clientSeq: this.#clientSeq++, action }
    this.#send({ method: 'dispatchAction', params })
  }

  /**
   * Resolves once they were told that an ask has ended.
   * @param {Ask} ask
   * @returns {Promise<void>}
   */
  ending({ request }) {
    return new Promise(resolve => this.#endings.set(request.id, resolve))
  }

  close() {
    this.#socket.terminate()
  }

  /**
   * @param {string} method
   * @param {object} params
   * @returns {Promise<any>}
   */
  #request(method, params) {
    const id = this.#nextId++
    this.#send({ id, method, params })
    return new Promise(resolve => this.#replies.set(id, resolve))
  }

  /** @param {object} message */
  #send(message) {
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  }

  /** @param {any} message */
  #receive({ id, error, result, method, params }) {
    if (error !== undefined) throw new Error(`Refused: ${JSON.stringify(error)}`)
    if (id !== undefined) {
      this.#replies.get(id)?.(result)
      this.#replies.delete(id)
    }
    if (method !== 'action') return
    const { action, rejectionReason } = params
    if (rejectionReason !== undefined) throw new Error(`Refused: ${rejectionReason} ${JSON.stringify(action)}`)
    if (action.type === 'asks/asked') {
      this.heard++
      const { id: asked } = action.ask.request
      if (this.#answersAll && !this.#answered.has(asked)) {
        this.#answered.add(asked)
        this.answer(action.ask)
      }
    } else if (action.type === 'asks/ended') {
      this.#endings.get(action.requestId)?.()
      this.#endings.delete(action.requestId)
      this.#answered.delete(action.requestId)
    }
  }
}
