// One connection to a desk, made again for as long as it is wanted. What is to be said at the start of each is its
// owner's: see `onOpen`.
import { type SignedOut, signedOutAt } from './signed-out.js'

/** Whether the desk can be reached, and lets this person in. */
export type LinkStatus = 'connecting' | 'online' | 'offline' | 'signed-out'

/** A request that the desk would not do. */
export class RequestError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export interface LinkOptions {
  readonly url: string
  /** A connection is open: says hello. When it fails, the connection is made again. */
  readonly onOpen: () => Promise<void>
  readonly onNotification: (method: string, params: unknown) => void
  /** With what the desk says of it, where it lets nobody in. */
  readonly onStatus: (status: LinkStatus, signedOut?: SignedOut) => void
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

/** How a desk closes a socket whose person is signed out. */
const policyViolation = 1008
const firstPauseMs = 500
const longestPauseMs = 30_000

export class Link {
  readonly #options: LinkOptions
  readonly #waiting = new Map<number, Waiting>()
  #socket: WebSocket | undefined
  #nextId = 1
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor(options: LinkOptions) {
    this.#options = options
    addEventListener('online', this.retry)
    addEventListener('visibilitychange', this.#onSight)
    this.#connect()
  }

  /** Tries again at once. */
  readonly retry = (): void => {
    if (this.#isClosed || this.#socket !== undefined) return
    clearTimeout(this.#timer)
    this.#connect()
  }

  request(method: string, params: object): Promise<unknown> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      if (!this.#send({ jsonrpc: '2.0', id, method, params })) return reject(new Error('There is no connection.'))
      this.#waiting.set(id, { resolve, reject })
    })
  }

  /** Whether it was sent. */
  notify(method: string, params: object): boolean {
    return this.#send({ jsonrpc: '2.0', method, params })
  }

  close(): void {
    this.#isClosed = true
    removeEventListener('online', this.retry)
    removeEventListener('visibilitychange', this.#onSight)
    clearTimeout(this.#timer)
    this.#socket?.close()
  }

  #send(message: object): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false
    this.#socket.send(JSON.stringify(message))
    return true
  }

  #connect(): void {
    const { url, onOpen } = this.#options
    if (this.#failures === 0) this.#tell('connecting')
    const socket = new WebSocket(url)
    let isOpened = false
    this.#socket = socket
    socket.onopen = () => {
      isOpened = true
      onOpen().then(
        () => {
          this.#failures = 0
          this.#tell('online')
        },
        () => socket.close(),
      )
    }
    socket.onmessage = ({ data }) => this.#receive(String(data))
    socket.onclose = ({ code }) => {
      if (isOpened) this.#tell('offline')
      this.#lost()
      // A socket that is not opened, or closed for who is on it, may be one of someone who is signed out.
      if (!isOpened || code === policyViolation) void this.#askWhy()
    }
  }

  #lost(): void {
    this.#socket = undefined
    for (const { reject } of this.#waiting.values()) reject(new Error('The connection was lost.'))
    this.#waiting.clear()
    if (this.#isClosed) return
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** this.#failures++)
    // Not everyone at once, when a desk comes back.
    this.#timer = setTimeout(() => this.#connect(), pauseMs * (0.5 + Math.random() / 2))
  }

  async #askWhy(): Promise<void> {
    const signedOut = await signedOutAt(this.#options.url)
    // It may be online again by now.
    if (this.#failures > 0) this.#tell(signedOut === undefined ? 'offline' : 'signed-out', signedOut)
  }

  #tell(status: LinkStatus, signedOut?: SignedOut): void {
    if (!this.#isClosed) this.#options.onStatus(status, signedOut)
  }

  /** Whoever comes back to the page may have signed in elsewhere. */
  readonly #onSight = (): void => {
    if (!document.hidden) this.retry()
  }

  #receive(text: string): void {
    const message = JSON.parse(text)
    if (typeof message.method === 'string') {
      this.#options.onNotification(message.method, message.params)
      return
    }
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.error) waiting?.reject(new RequestError(message.error.code, message.error.message))
    else waiting?.resolve(message.result)
  }
}
