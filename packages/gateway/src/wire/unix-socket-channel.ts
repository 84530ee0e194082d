import type { Socket } from 'node:net'
import { type Channel, maxBacklogBytes, maxFrameBytes, type Receiver } from './channel.js'

const newline = 10

/** A Unix socket as a channel: a message a line. */
export class UnixSocketChannel implements Channel {
  readonly #socket: Socket
  #parts: Buffer[] = []
  #length = 0

  constructor(socket: Socket) {
    this.#socket = socket
    socket.pause()
  }

  open(receiver: Receiver): void {
    let why = 'closed'
    this.#socket.on('data', chunk => this.#take(chunk, receiver))
    this.#socket.on('error', error => {
      why = error.message
    })
    this.#socket.on('close', () => receiver.closed(why))
    this.#socket.resume()
  }

  send(text: string): void {
    if (this.#socket.writableLength > maxBacklogBytes) this.#socket.destroy(new Error('it does not read'))
    else if (this.#socket.writable) this.#socket.write(`${text}\n`)
  }

  close(): void {
    this.#socket.end(() => this.#socket.destroy())
  }

  afterDelivery(fn: () => void): void {
    this.#socket.write('', error => {
      if (!error) fn()
    })
  }

  /** Collects parts and joins them at a line's end: a large line costs no more than its bytes. */
  #take(chunk: Buffer, receiver: Receiver): void {
    let rest = chunk
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      const line = Buffer.concat([...this.#parts, rest.subarray(0, end)]).toString()
      this.#parts = []
      this.#length = 0
      rest = rest.subarray(end + 1)
      if (line.trim() !== '') receiver.message(line)
    }
    if (rest.length === 0) return
    this.#length += rest.length
    if (this.#length > maxFrameBytes) this.#socket.destroy(new Error('a message is too large'))
    else this.#parts.push(rest)
  }
}
