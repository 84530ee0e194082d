import { once } from 'node:events'
import { WebSocket } from 'ws'

/** The session that is watched. */
export const session = 's0'
const channel = `ahp-session:/${session}`

/** A socket that reads as little as it can, and tells when the next frame is there. */
export class Watcher {
  /** @param {WebSocket} socket */
  constructor(socket) {
    this.socket = socket
    this.bytes = 0
    /** @type {() => void} */
    this.onFrame = () => {}
    socket.on('message', data => {
      this.bytes = String(data).length
      this.onFrame()
    })
  }

  /** @param {string} url */
  static async open(url) {
    const headers = { authorization: 'Bearer p0' }
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}live`, { headers, perMessageDeflate: false })
    await once(socket, 'open')
    return new Watcher(socket)
  }

  next() {
    return new Promise(resolve => {
      this.onFrame = () => resolve(undefined)
    })
  }

  /** @param {number} id */
  async subscribe(id) {
    const clientId = `watcher-${id}`
    await this.#request(1, 'initialize', { channel: 'ahp-root://', protocolVersions: ['0.3.0'], clientId })
    await this.#request(2, 'subscribe', { channel })
  }

  /**
   * @param {number} clientSeq
   * @param {string} text
   */
  draft(clientSeq, text) {
    const answer = { state: 'draft', value: { kind: 'text', value: text } }
    const action = { type: 'session/inputAnswerChanged', requestId: 'r0', questionId: 'q', answer }
    this.socket.send(
      JSON.stringify({ jsonrpc: '2.0', method: 'dispatchAction', params: { channel, clientSeq, action } }),
    )
  }

  /**
   * @param {number} id
   * @param {string} method
   * @param {object} params
   */
  async #request(id, method, params) {
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    await this.next()
  }
}
