// The load generator's HTTP client: one keep-alive socket, one request at a time, and as little work per request as
// possible, so that what is measured is the server. It reads JSON and event streams alike as JSON-RPC messages.
// Bodies are ASCII, as everything in this benchmark is.

import { connect } from 'node:net'

/** @typedef {any} Message a JSON-RPC message as it came; whoever reads it checks it */
/** @typedef {(message: Message) => void} OnMessage */
/** What came back; `message` is the last one that it carried. @typedef {{ status: number, head: string, message: Message }} Reply */

/**
 * @typedef {object} Reading
 * @property {number} status 0 until the head was read
 * @property {string} head
 * @property {Message} message
 * @property {string} body
 * @property {boolean} isOpening
 * @property {boolean} isChunked
 * @property {boolean} hasEvents
 * @property {OnMessage | undefined} onMessage
 * @property {(reply: Reply) => void} resolve
 * @property {(error: Error) => void} reject
 */

const headEnd = '\r\n\r\n'

export class Connection {
  #socket
  #target
  #text = ''
  /** @type {Reading | undefined} */
  #reading
  #remaining = 0
  #events = ''

  /** @param {string} url */
  constructor(url) {
    const { hostname, port, pathname, host } = new URL(url)
    this.#target = `${pathname} HTTP/1.1\r\nhost: ${host}\r\n`
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true }).setEncoding('latin1')
    this.#socket.on('data', text => this.#read(String(text)))
    this.#socket.on('error', error => this.#fail(error))
    this.#socket.on('close', () => this.#fail(new Error('The server closed the connection')))
  }

  /**
   * Resolves when the response ended.
   * @param {string} headers
   * @param {string} body
   * @param {OnMessage} [onMessage]
   */
  post(headers, body, onMessage) {
    return this.#send(`POST ${this.#target}${headers}content-length: ${body.length}\r\n\r\n${body}`, { onMessage })
  }

  /**
   * Opens an event stream; resolves when the server has opened it too.
   * @param {string} headers
   * @param {OnMessage} onMessage
   */
  open(headers, onMessage) {
    return this.#send(`GET ${this.#target}${headers}\r\n`, { onMessage, isOpening: true })
  }

  close() {
    this.#reading = undefined
    this.#socket.destroy()
  }

  /**
   * @param {string} request
   * @param {{ onMessage: OnMessage | undefined, isOpening?: boolean }} options
   * @returns {Promise<Reply>}
   */
  #send(request, { onMessage, isOpening = false }) {
    return new Promise((resolve, reject) => {
      const empty = { status: 0, head: '', message: undefined, body: '', isChunked: false, hasEvents: false }
      this.#reading = { ...empty, isOpening, onMessage, resolve, reject }
      this.#socket.write(request, 'latin1')
    })
  }

  /** @param {string} text */
  #read(text) {
    this.#text += text
    let goesOn = true
    while (goesOn && this.#reading) {
      if (!this.#reading.status) goesOn = this.#readHead(this.#reading)
      else goesOn = this.#reading.isChunked ? this.#readChunk(this.#reading) : this.#readLength(this.#reading)
    }
  }

  /** @param {Reading} reading */
  #readHead(reading) {
    const end = this.#text.indexOf(headEnd)
    if (end < 0) return false
    const head = this.#text.slice(0, end)
    this.#text = this.#text.slice(end + headEnd.length)
    reading.head = head
    reading.status = Number(head.slice(9, 12))
    reading.hasEvents = /^content-type: *text\/event-stream/im.test(head)
    reading.isChunked = /^transfer-encoding: *chunked/im.test(head)
    if (reading.isOpening) reading.resolve(reading)
    this.#remaining = reading.isChunked ? 0 : Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
    return reading.isChunked || this.#remaining > 0 || this.#end(reading)
  }

  /** @param {Reading} reading */
  #readLength(reading) {
    if (this.#text.length < this.#remaining) return false
    this.#take(reading, this.#text.slice(0, this.#remaining))
    this.#text = this.#text.slice(this.#remaining)
    return this.#end(reading)
  }

  /** @param {Reading} reading */
  #readChunk(reading) {
    const line = this.#text.indexOf('\r\n')
    if (line < 0) return false
    const length = Number.parseInt(this.#text.slice(0, line), 16)
    const end = line + 2 + length
    if (this.#text.length < end + 2) return false
    const piece = this.#text.slice(line + 2, end)
    this.#text = this.#text.slice(end + 2)
    if (length === 0) return this.#end(reading)
    this.#take(reading, piece)
    return true
  }

  /**
   * @param {Reading} reading
   * @param {string} piece
   */
  #take(reading, piece) {
    if (!reading.hasEvents) {
      reading.body += piece
      return
    }
    this.#events += piece
    for (let end = this.#events.indexOf('\n\n'); end >= 0; end = this.#events.indexOf('\n\n')) {
      const event = this.#events.slice(0, end)
      this.#events = this.#events.slice(end + 2)
      const data = event.startsWith('data:') ? 0 : event.indexOf('\ndata:') + 1
      if (event.startsWith('data:', data) && event.length > data + 6) take(reading, event.slice(data + 5))
    }
  }

  /** @param {Reading} reading */
  #end(reading) {
    if (reading.body) take(reading, reading.body)
    this.#reading = undefined
    reading.resolve(reading)
    return false
  }

  /** @param {Error} error */
  #fail(error) {
    this.#reading?.reject(error)
    this.#reading = undefined
  }
}

/**
 * @param {Reading} reading
 * @param {string} json
 */
function take(reading, json) {
  reading.message = JSON.parse(json)
  reading.onMessage?.(reading.message)
}
