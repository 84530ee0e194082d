import { ConnectionClosedError } from '../errors/index.js'
import { isTooLong, maxFrameBytes } from './frame-size.js'
import {
  decodeMessage,
  encodeError,
  encodeNotification,
  encodeRequest,
  encodeResult,
  errorCodes,
  type Message,
  type Params,
  RpcError,
} from './message.js'

/** Where frames go. What comes back is handed to whoever opened it. */
export interface Channel {
  send(text: string): void
  close(code: number, reason: string): void
}

/** What the other side may call: the result is the answer, and what is thrown is an error. */
export interface Methods {
  readonly requests: Readonly<Record<string, (params: Params) => unknown>>
  readonly notifications: Readonly<Record<string, (params: Params) => void>>
}

interface Pending {
  resolve(result: unknown): void
  reject(error: Error): void
}

const tooLong = 1009

/** One end of a conversation in JSON-RPC, over any channel that keeps order. */
export class Peer {
  readonly #channel: Channel
  readonly #methods: Methods
  readonly #pending = new Map<number, Pending>()
  #count = 0
  #isOver = false

  constructor(channel: Channel, methods: Methods) {
    this.#channel = channel
    this.#methods = methods
  }

  /**
   * Rejects with the error that came back, with a `ConnectionClosedError`, or with the signal's own reason. What came
   * back is read at once: before the frame behind it is.
   */
  async request<T>(
    method: string,
    params: object,
    { read, signal }: { read: (result: unknown) => T; signal?: AbortSignal },
  ): Promise<T> {
    if (this.#isOver) throw new ConnectionClosedError()
    signal?.throwIfAborted()
    const id = ++this.#count
    const text = encodeRequest(id, method, params)
    if (isTooLong(text)) throw tooLarge(`The request "${method}"`)
    const leave = (): void => this.#settle(id)?.reject(signal?.reason)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#pending.set(id, { resolve: result => attempt(() => resolve(read(result)), reject), reject })
        this.#channel.send(text)
      })
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  /** A notification that is too long for a frame is not sent. */
  notify(method: string, params: object): void {
    if (this.#isOver) return
    const text = encodeNotification(method, params)
    if (!isTooLong(text)) this.#channel.send(text)
  }

  /** Takes a frame that came in. */
  receive(text: string): void {
    if (this.#isOver) return
    if (isTooLong(text)) this.#channel.close(tooLong, 'The message is too long.')
    else this.#take(decodeMessage(text))
  }

  /** Whatever waits for an answer will get none. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const { reject } of this.#pending.values()) reject(new ConnectionClosedError())
    this.#pending.clear()
  }

  #take(message: Message): void {
    switch (message.kind) {
      case 'request':
        void this.#answer(message)
        return
      case 'notification':
        if (Object.hasOwn(this.#methods.notifications, message.method))
          this.#methods.notifications[message.method]?.(message.params)
        return
      case 'result':
        this.#settle(message.id)?.resolve(message.result)
        return
      case 'error':
        this.#settle(message.id)?.reject(message.error)
        return
      case 'garbage':
        this.#channel.send(encodeError(message.id, message.error))
        return
      case 'stray':
    }
  }

  async #answer({ id, method, params }: Extract<Message, { kind: 'request' }>): Promise<void> {
    let text: string
    try {
      text = encodeResult(id, await this.#call(method, params))
      if (isTooLong(text)) throw tooLarge('The result')
    } catch (error) {
      text = encodeError(id, toRpcError(error))
    }
    if (!this.#isOver) this.#channel.send(text)
  }

  #call(method: string, params: Params): unknown {
    const { requests } = this.#methods
    if (!Object.hasOwn(requests, method))
      throw new RpcError(errorCodes.unknownMethod, `There is no method "${method}".`)
    return requests[method]?.(params)
  }

  #settle(id: string | number): Pending | undefined {
    const pending = typeof id === 'number' ? this.#pending.get(id) : undefined
    if (typeof id === 'number') this.#pending.delete(id)
    return pending
  }
}

function attempt(fn: () => void, onError: (error: Error) => void): void {
  try {
    fn()
  } catch (error) {
    onError(error instanceof Error ? error : new Error(String(error)))
  }
}

function tooLarge(what: string): RpcError {
  return new RpcError(errorCodes.handler, `${what} is longer than a message may be, ${maxFrameBytes} bytes.`)
}

function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error
  return new RpcError(errorCodes.handler, `The result cannot be written as JSON: ${messageOf(error)}`)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
