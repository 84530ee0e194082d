// One device on the live protocol: it keeps what the desk confirmed, and comes back when it is cut off.
import { once } from 'node:events'
import { reduceAsks } from '@beckon/core/asks'
import { reduceChat, reduceSessionSummary } from '@beckon/core/chat'
import { reduceSession } from '@beckon/core/session-0.3'
import { WebSocket } from 'ws'

/** @typedef {Record<string, any>} State */
/** @typedef {{ channel: string, action: State & { type: string }, serverSeq: number, origin?: { clientId: string, clientSeq: number }, rejectionReason?: string, rejectionCode?: string }} Envelope */
/** @typedef {{ resource: string, state: State, fromSeq: number }} Snapshot */

export const asksChannel = 'beckon-asks://'
/** So long a request may take before its connection is given up. */
const patienceMs = 10_000

export class LiveClient {
  /** @type {{ clientId: string, token: string, dialect: '0.3' | '1.0' }} */
  #options
  /** @type {Map<string, State>} */
  states = new Map()
  /** What came again, or after what came later. @type {string[]} */
  outOfOrder = []
  /** @type {Map<string, number>} */
  #seqs = new Map()
  #lastSeen = 0
  #nextId = 1
  #nextSeq = 1
  #isKnown = false
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  #waiting = new Map()
  /** @type {import('ws').WebSocket | undefined} */
  #socket
  /** Told what became of what this client did. @type {(envelope: Envelope) => void} */
  onEcho = () => {}
  onClose = () => {}

  /** @param {{ clientId: string, token: string, dialect: '0.3' | '1.0' }} options */
  constructor(options) {
    this.#options = options
  }

  get isConnected() {
    return this.#socket !== undefined
  }

  /** @param {string} session */
  channelOf(session) {
    return this.#options.dialect === '0.3' ? `ahp-session:/${session}` : `ahp-chat:/${session}`
  }

  /**
   * Connects to a node: the first time anew, later with what it has.
   * @param {string} url
   */
  async connect(url) {
    const socket = await this.#dial(url)
    const { clientId, dialect } = this.#options
    const channels = [...this.states.keys()]
    try {
      if (this.#isKnown) {
        const params = { clientId, lastSeenServerSeq: this.#lastSeen, subscriptions: channels }
        await this.#request(socket, 'reconnect', { channel: 'ahp-root://', ...params }, result => this.#recover(result))
      } else {
        const protocolVersions = dialect === '0.3' ? ['0.3.0'] : ['1.0.0']
        const initialSubscriptions = channels.length > 0 ? channels : [asksChannel]
        const params = { channel: 'ahp-root://', protocolVersions, clientId, initialSubscriptions }
        await this.#request(socket, 'initialize', params, ({ snapshots, serverSeq }) => {
          this.#anew(snapshots)
          this.#lastSeen = serverSeq
        })
        this.#isKnown = true
      }
    } catch (error) {
      // A desk that does not know the client.
      if (error instanceof Error && 'code' in error && error.code === -32008) this.#isKnown = false
      socket.terminate()
      throw error
    }
  }

  /** @param {string} channel */
  async subscribe(channel) {
    await this.request('subscribe', { channel }, ({ snapshot }) => this.#take(snapshot))
  }

  /** @param {string} channel */
  unsubscribe(channel) {
    this.states.delete(channel)
    this.#send(this.#socket, { method: 'unsubscribe', params: { channel } })
  }

  /**
   * @param {string} method
   * @param {object} params
   * @param {(result: any) => void} [take] given what comes back before anything that came after it is looked at
   * @returns {Promise<any>}
   */
  async request(method, params, take = () => {}) {
    if (this.#socket === undefined) throw new Error('not connected')
    return this.#request(this.#socket, method, params, take)
  }

  /**
   * @param {string} session
   * @param {State & { type: string }} action without the prefix of the dialect
   */
  dispatch(session, { type, ...action }) {
    const clientSeq = this.#nextSeq++
    const full = { type: `${this.#options.dialect === '0.3' ? 'session' : 'chat'}/${type}`, ...action }
    const params = { channel: this.channelOf(session), clientSeq, action: full }
    this.#send(this.#socket, { method: 'dispatchAction', params })
    return clientSeq
  }

  /** Loses the connection, without a word. */
  drop() {
    this.#socket?.terminate()
  }

  /** @param {string} url */
  async #dial(url) {
    const { token, clientId } = this.#options
    const headers = { authorization: `Bearer ${token}`, 'x-beckon-device': clientId }
    const socket = new WebSocket(url, { perMessageDeflate: false, headers, handshakeTimeout: patienceMs })
    socket.on('error', () => {})
    socket.on('message', data => {
      if (this.#socket === socket) this.#receive(String(data))
    })
    socket.on('close', () => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      for (const { reject } of this.#waiting.values()) reject(new Error('closed'))
      this.#waiting.clear()
      this.onClose()
    })
    await Promise.race([once(socket, 'open'), once(socket, 'close').then(() => Promise.reject(new Error('closed')))])
    this.#socket = socket
    return socket
  }

  /**
   * @param {import('ws').WebSocket} socket
   * @param {string} method
   * @param {object} params
   * @param {(result: any) => void} take
   */
  #request(socket, method, params, take) {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      // What hangs is cut off, and tried elsewhere.
      const timer = setTimeout(() => socket.terminate(), patienceMs)
      const done = () => {
        clearTimeout(timer)
        this.#waiting.delete(id)
      }
      this.#waiting.set(id, {
        resolve: result => {
          done()
          take(result)
          resolve(result)
        },
        reject: error => {
          done()
          reject(error)
        },
      })
      this.#send(socket, { id, method, params })
    })
  }

  /**
   * @param {import('ws').WebSocket | undefined} socket
   * @param {object} message
   */
  #send(socket, message) {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  }

  /** @param {string} text */
  #receive(text) {
    const { method, params, id, error, result } = JSON.parse(text)
    if (method === 'action') this.#apply(params)
    else if (error) this.#waiting.get(id)?.reject(Object.assign(new Error(error.message), { code: error.code }))
    else this.#waiting.get(id)?.resolve(result)
  }

  /** @param {Envelope} envelope */
  #apply(envelope) {
    const { channel, action, serverSeq, origin, rejectionReason } = envelope
    this.#lastSeen = Math.max(this.#lastSeen, serverSeq)
    const state = this.states.get(channel)
    if (rejectionReason === undefined && state !== undefined) {
      if (serverSeq <= (this.#seqs.get(channel) ?? 0)) this.outOfOrder.push(`${channel} ${action.type} ${serverSeq}`)
      this.#seqs.set(channel, serverSeq)
      this.states.set(channel, this.#reduce(channel, state, action))
    }
    if (origin?.clientId === this.#options.clientId) this.onEcho(envelope)
  }

  /** @param {any} result */
  #recover(result) {
    if (result.type !== 'replay') return this.#anew(result.snapshots)
    for (const channel of result.missing) this.states.delete(channel)
    for (const envelope of result.actions) this.#apply(envelope)
  }

  /** @param {readonly Snapshot[]} snapshots */
  #anew(snapshots) {
    this.states.clear()
    this.#seqs.clear()
    this.#lastSeen = 0
    for (const snapshot of snapshots) this.#take(snapshot)
  }

  /** @param {Snapshot} snapshot */
  #take({ resource, state, fromSeq }) {
    this.states.set(resource, state)
    this.#seqs.set(resource, fromSeq)
    this.#lastSeen = Math.max(this.#lastSeen, fromSeq)
  }

  /**
   * @param {string} channel
   * @param {State} state
   * @param {State} action
   * @returns {State}
   */
  #reduce(channel, state, action) {
    // What comes over the wire is what the reducers take.
    const [known, happened] = [/** @type {any} */ (state), /** @type {any} */ (action)]
    if (channel === asksChannel) return reduceAsks(known, happened)
    if (this.#options.dialect === '0.3') return reduceSession(known, happened, Date.now())
    return channel.startsWith('ahp-chat:') ? reduceChat(known, happened) : reduceSessionSummary(known, happened)
  }
}
