// JSON-RPC with one application. Requests go both ways; an answer that nobody waits for, or a second one, is dropped.
import type { Channel } from './channel.js'
import { codes } from './codes.js'
import {
  decodeMessage,
  encodeError,
  encodeNotification,
  encodeRequest,
  encodeResult,
  type Params,
  type RequestId,
} from './messages.js'
import { asRpcError, RpcError } from './rpc-error.js'

export interface PeerHandlers {
  /** Answers by calling `reply` once, or by throwing. */
  request(method: string, params: Params, reply: (result: unknown) => void): void | Promise<void>
  notification(method: string, params: Params): void
  closed(why: string): void
}

export interface PendingRequest {
  readonly answer: Promise<unknown>
  abandon(): void
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

/** How many requests of an application may be open at once. */
const maxOpenRequests = 1_000

/** How many frames that are no message a connection survives. */
const maxGarbage = 16
const policyViolation = 1008

/** The application went away before it answered. */
export class AppGoneError extends Error {
  constructor(why: string) {
    super(`The application went away (${why}).`)
    this.name = 'AppGoneError'
  }
}

export class Peer {
  readonly #channel: Channel
  readonly #handlers: PeerHandlers
  readonly #waiting = new Map<RequestId, Waiting>()
  #lastId = 0
  #open = 0
  #garbage = 0
  #gone: string | undefined

  constructor(channel: Channel, handlers: PeerHandlers) {
    this.#channel = channel
    this.#handlers = handlers
  }

  /** Begins to take what comes in. */
  start(): void {
    this.#channel.open({ message: text => this.#receive(text), closed: why => this.#close(why) })
  }

  get isOpen(): boolean {
    return this.#gone === undefined
  }

  request(method: string, params: Params): Promise<unknown> {
    return this.begin(method, params).answer
  }

  /** A request that may be given up: what is answered then goes nowhere, and nothing waits for it. */
  begin(method: string, params: Params): PendingRequest {
    if (this.#gone !== undefined) return { answer: Promise.reject(new AppGoneError(this.#gone)), abandon() {} }
    const id = ++this.#lastId
    const answer = new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#channel.send(encodeRequest(id, method, params))
    })
    return { answer, abandon: () => void this.#waiting.delete(id) }
  }

  notify(method: string, params: Params): void {
    if (this.#gone === undefined) this.#channel.send(encodeNotification(method, params))
  }

  /** Ends the connection: nothing that still comes in counts. */
  close(code: number, reason: string): void {
    this.#channel.close(code, reason)
    this.#close(reason)
  }

  afterDelivery(fn: () => void): void {
    this.#channel.afterDelivery(fn)
  }

  #receive(text: string): void {
    if (this.#gone !== undefined) return
    const message = decodeMessage(text)
    switch (message.kind) {
      case 'result':
        this.#take(message.id)?.resolve(message.result)
        break
      case 'error':
        this.#take(message.id)?.reject(message.error)
        break
      case 'notification':
        this.#handlers.notification(message.method, message.params)
        break
      case 'request':
        this.#answer(message.id, message.method, message.params)
        break
      case 'garbage':
        this.#channel.send(encodeError(message.id, message.error))
        if (++this.#garbage > maxGarbage) this.close(policyViolation, 'too much that is no message')
    }
  }

  #take(id: RequestId): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    return waiting
  }

  async #answer(id: RequestId, method: string, params: Params): Promise<void> {
    let isAnswered = false
    const reply = (text: string) => {
      if (isAnswered || this.#gone !== undefined) return
      isAnswered = true
      this.#channel.send(text)
    }
    this.#open++
    try {
      if (this.#open > maxOpenRequests) throw new RpcError(codes.unauthorized, 'Too many requests are open.')
      await this.#handlers.request(method, params, result => reply(encodeResult(id, result)))
    } catch (error) {
      reply(encodeError(id, asRpcError(error)))
    } finally {
      this.#open--
    }
  }

  #close(why: string): void {
    if (this.#gone !== undefined) return
    this.#gone = why
    for (const { reject } of this.#waiting.values()) reject(new AppGoneError(why))
    this.#waiting.clear()
    this.#handlers.closed(why)
  }
}
