// One socket, and what keeps it from hurting the desk.
//
// In: messages are worked on one after the other, in the order they came, so that a client may send `createSession` and
// `subscribe` in one breath. While too many wait, or while too much waits to be read by the client, nothing more is
// read from the socket: its sender is held up, and the desk's memory does not grow.
//
// Out: what is told to subscribers is told once. A client that does not keep up gets no more: its subscriptions end, and
// so does the connection, behind what is still in the socket. The protocol has no way to push a snapshot, but it has
// `reconnect`, and with that a client gets what it missed, or a snapshot when that is shorter. A socket that is not read
// at all is destroyed by `ws` 30 seconds later. An answer to a request may be longer than what may wait (a snapshot of a
// large session is); until it has gone out it does not count.
import { decodeMessage, encodeError, type Message, RpcError } from '@beckon/core/json-rpc'
import { type Dialect, liveErrorCodes as errorCodes } from '@beckon/core/live'
import type { RawData, WebSocket } from 'ws'
import { TokenBucket } from '../limits/token-bucket.js'
import type { Viewer } from '../policy/audience.js'
import { refusals } from '../policy/refusals.js'
import { closeCodes, type LiveLimits } from './limits.js'
import { type Corked, inOneWrite } from './one-write.js'

/** Who a client says it is, once it has. */
export interface Client {
  readonly id: string
  readonly dialect: Dialect
  /** The language of what people are told: a tag such as `de-AT`. */
  readonly locale?: string
}

/** One channel that a client listens to. */
export interface Subscription {
  /** The number since which it has the channel's state from this node. */
  readonly from: number
  /** Whether the client began with its last turns alone: which it has by now, only the client knows. */
  readonly isPartial?: boolean
  /** Ends what goes on for it. */
  stop(): void
}

type Handled = Exclude<Message, { kind: 'invalid' | 'response' }>

export type Handler = (connection: Connection, message: Handled, isTooMuch: boolean) => void | Promise<void>

export interface ConnectionOptions {
  readonly socket: WebSocket
  /** What carries the socket, where that is known. */
  readonly transport?: Corked | undefined
  readonly viewer: Viewer
  /** Whether the proof of who is on it still holds. */
  readonly stillValid?: (() => Promise<boolean>) | undefined
  readonly limits: LiveLimits
  readonly now: () => number
  /** Whether so many bytes more of this person are within the rate. */
  readonly takeBytes: (bytes: number, at: number) => boolean
  readonly handle: Handler
  /** Called once, as soon as nothing more is to be sent. */
  readonly onEnd: (connection: Connection) => void
  /** Told about the desk's own faults. */
  readonly onError: (error: unknown) => void
}

/** What a client does is not done on a proof that was looked at longer ago. */
const recheckMs = 1_000

const textFrame = { binary: false, compress: false } as const

interface Waiting {
  readonly message: Message
  readonly isTooMuch: boolean
}

export class Connection {
  readonly viewer: Viewer
  /** By channel. */
  readonly subscriptions: Map<string, Subscription> = new Map()
  /** Absent before the handshake. */
  client: Client | undefined
  readonly #socket: WebSocket
  readonly #options: ConnectionOptions
  readonly #messages: TokenBucket
  readonly #refusals: TokenBucket
  readonly #garbage: TokenBucket
  #waiting: Waiting[] = []
  #isWorking = false
  #isOver = false
  #isAlive = true
  #seq = 0
  /** When it was last looked whether the person on it is still known. */
  #checkedAt: number
  /** Bytes of answers that may be in the socket beside what may wait anyway. */
  #allowance = 0

  constructor(options: ConnectionOptions) {
    const { socket, viewer, limits, now } = options
    this.viewer = viewer
    this.#checkedAt = now()
    this.#socket = socket
    this.#options = options
    this.#messages = new TokenBucket(limits.messages, now())
    this.#refusals = new TokenBucket(limits.refusals, now())
    this.#garbage = new TokenBucket(limits.garbage, now())
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    socket.on('pong', () => {
      this.#isAlive = true
    })
    // What goes wrong with a socket ends it, and `close` follows.
    socket.on('error', () => {})
    socket.on('close', () => this.#over())
  }

  /** Whether nothing more is to be sent. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** The last number that this client was told: what it knows of is as of this line. */
  get seq(): number {
    return this.#seq
  }

  /** A number was told. */
  heard(seq: number): void {
    this.#seq = Math.max(this.#seq, seq)
  }

  /** Sends what subscribers are told, with the number of its line where it has one. The same buffer may go to all of them. */
  tell(frame: Buffer | string, seq = 0): void {
    if (this.#isOver) return
    this.heard(seq)
    const { bufferedAmount } = this.#socket
    const { maxBufferedBytes } = this.#options.limits
    if (bufferedAmount <= maxBufferedBytes) this.#allowance = 0
    if (bufferedAmount > maxBufferedBytes + this.#allowance) {
      this.end(closeCodes.tooSlow, 'Too slow. Reconnect to get what was missed.')
      return
    }
    this.#hold()
    this.#socket.send(frame, textFrame)
  }

  /** Sends the answer to a request. */
  answer(text: string): void {
    if (this.#isOver) return
    this.#hold()
    this.#socket.send(text, textFrame, () => this.#readOn())
    const { bufferedAmount } = this.#socket
    if (bufferedAmount <= this.#options.limits.maxBufferedBytes) return
    this.#allowance = bufferedAmount
    this.#socket.pause()
  }

  /** Nobody vouches any more for who is on it: what it asked for and was not begun is not done, nor what it sends from now on. */
  signOut(): void {
    const error = new RpcError(refusals['sign-in-required'].rpc, 'Sign in again.', { resources: [] })
    for (const { message } of this.#waiting) if (message.kind === 'request') this.answer(encodeError(message.id, error))
    this.end(closeCodes.signedOut, error.message)
  }

  end(code: number, reason: string): void {
    if (this.#isOver) return
    this.#over()
    // Its own close has to be read.
    this.#socket.resume()
    this.#socket.close(code, reason)
  }

  /** Ends a socket that has not been heard of since the last time, and asks it for a sign of life. */
  sendHeartbeat(): void {
    if (!this.#isAlive) {
      this.#over()
      this.#socket.terminate()
      return
    }
    this.#isAlive = false
    this.#socket.ping()
  }

  #hold(): void {
    const { transport } = this.#options
    if (transport !== undefined) inOneWrite(transport)
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#waiting = []
    this.#options.onEnd(this)
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isOver) return
    this.#isAlive = true
    // A message comes as one buffer, unless someone set the socket to something else.
    const bytes = data as Buffer
    const { limits, now, takeBytes } = this.#options
    if (bytes.length > limits.maxFrameBytes) {
      this.end(closeCodes.tooLong, 'The message is too long.')
      return
    }
    const at = now()
    const isTooMuch = !this.#messages.take(at) || !takeBytes(bytes.length, at)
    const message: Message = isBinary
      ? { kind: 'invalid', id: null, error: new RpcError(errorCodes.parseError, 'Send text frames.') }
      : decodeMessage(bytes.toString())
    if ((isTooMuch && !this.#refusals.take(at)) || (message.kind === 'invalid' && !this.#garbage.take(at))) {
      this.end(closeCodes.abusive, 'Too much of what the desk cannot take.')
      return
    }
    this.#waiting.push({ message, isTooMuch })
    if (this.#waiting.length > limits.maxWaiting) this.#socket.pause()
    if (!this.#isWorking) void this.#work()
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { message, isTooMuch } = next
      if (this.#isDoubtful && !(await this.#isStillKnown())) {
        this.#waiting.unshift(next)
        this.signOut()
      } else if (message.kind === 'invalid') this.answer(encodeError(message.id, message.error))
      else if (message.kind !== 'response') await this.#handle(message, isTooMuch)
    }
    this.#isWorking = false
    this.#readOn()
  }

  get #isDoubtful(): boolean {
    const { now, stillValid } = this.#options
    return stillValid !== undefined && now() - this.#checkedAt >= recheckMs
  }

  /** A proof that was withdrawn does nothing more. One that cannot be checked now is checked with the next message. */
  async #isStillKnown(): Promise<boolean> {
    const { now, stillValid = async () => true } = this.#options
    const checkedAt = now()
    try {
      if (!(await stillValid())) return false
      this.#checkedAt = checkedAt
    } catch {
      // The person on it stays while nobody can say.
    }
    return true
  }

  async #handle(message: Handled, isTooMuch: boolean): Promise<void> {
    try {
      await this.#options.handle(this, message, isTooMuch)
    } catch (error) {
      // A fault of the desk's own costs this connection, and no other.
      this.#options.onError(error)
      this.end(closeCodes.failed, 'The desk failed.')
    }
  }

  /** Reads again, once nothing speaks against it. */
  #readOn(): void {
    const { limits } = this.#options
    const isBusy = this.#waiting.length > limits.maxWaiting / 2 || this.#socket.bufferedAmount > limits.maxBufferedBytes
    if (this.#socket.isPaused && !isBusy) this.#socket.resume()
  }
}
