import type { WebSocket } from 'ws'
import { type Channel, maxBacklogBytes, type Receiver } from './channel.js'

/** How long a broken connection has to take its close. */
const terminateMs = 1_000

/** A WebSocket as a channel: a message a frame, and binary frames read as text. */
export class WebSocketChannel implements Channel {
  readonly #socket: WebSocket
  /** What came before anyone listened. */
  #early: string[] = []
  #receiver: Receiver | undefined
  #closedWith: string | undefined

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', data => {
      const text = String(data)
      if (this.#receiver === undefined) this.#early.push(text)
      else this.#receiver.message(text)
    })
    // A frame that is too large, say: the close is on its way, and nobody has to wait for the rest of that frame.
    socket.on('error', error => {
      this.#close(error.message)
      setTimeout(() => socket.terminate(), terminateMs).unref()
    })
    socket.on('close', (code, reason) => this.#close(`${code}${reason.length > 0 ? ` ${reason}` : ''}`))
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
    for (const text of this.#early.splice(0)) receiver.message(text)
    if (this.#closedWith !== undefined) receiver.closed(this.#closedWith)
  }

  send(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > maxBacklogBytes) this.#socket.terminate()
    else this.#socket.send(text)
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  afterDelivery(fn: () => void): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    this.#socket.once('pong', fn)
    this.#socket.ping()
  }

  #close(why: string): void {
    if (this.#closedWith !== undefined) return
    this.#closedWith = why
    this.#receiver?.closed(why)
  }
}
