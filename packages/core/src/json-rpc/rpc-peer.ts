// One end of a conversation in JSON-RPC, over any channel that keeps order. Requests go both ways; a response that nobody
// waits for, or a second one, is dropped.
import {
  decodeMessage,
  encodeError,
  encodeNotification,
  encodeRequest,
  encodeResult,
  type Message,
  type Params,
  type RequestId,
  type RpcResponse,
} from './message.js'
import { isNestedTooDeeply } from './nesting.js'
import { errorCodes, RpcError } from './rpc-error.js'

export interface RpcPeerOptions {
  readonly send: (text: string) => void
  /** Answers by calling `reply` once, or by throwing. Without it there are no methods. */
  readonly onRequest?: (
    method: string,
    params: Params,
    reply: (result: unknown) => void,
    id: RequestId,
  ) => void | Promise<void>
  readonly onNotification?: (method: string, params: Params) => void
  /** What came in was not a message; its sender has been told. */
  readonly onInvalid?: () => void
  /** What the other side is told of an error that `onRequest` threw. */
  readonly toRpcError?: (error: unknown) => RpcError
  /** The longest message that is taken or sent, in bytes. */
  readonly maxBytes?: number
  /** How deep a message that is taken or sent may be nested. Default: 100. */
  readonly maxDepth?: number
  /** Ids of requests come after this one, so that those of one connection are not those of another. Default: 0. */
  readonly idsAfter?: number
}

export interface RequestOptions {
  /** Rejects the request with the signal's reason; a response that still comes is dropped. */
  readonly signal?: AbortSignal | undefined
}

interface Pending {
  resolve(result: unknown): void
  reject(error: unknown): void
}

export class RpcPeer {
  readonly #options: RpcPeerOptions
  readonly #pending = new Map<RequestId | null, Pending>()
  #lastId = 0
  #closedWith: Error | undefined

  constructor(options: RpcPeerOptions) {
    this.#options = options
  }

  get isOpen(): boolean {
    return this.#closedWith === undefined
  }

  /**
   * Rejects with an `RpcError` where one came back, with what the peer was closed with, or with the signal's reason. What
   * came back is read at once: before the message behind it is.
   */
  request<T>(method: string, params: object, options: RequestOptions & { read(result: unknown): T }): Promise<T>
  request(method: string, params: object, options?: RequestOptions): Promise<unknown>
  async request(
    method: string,
    params: object,
    { signal, read }: RequestOptions & { read?(result: unknown): unknown } = {},
  ): Promise<unknown> {
    if (this.#closedWith !== undefined) throw this.#closedWith
    signal?.throwIfAborted()
    const id = ++this.#lastId + (this.#options.idsAfter ?? 0)
    const text = encodeRequest(id, method, params)
    this.#check(text, `The request "${method}"`)
    const abandon = (): void => this.#take(id)?.reject(signal?.reason)
    signal?.addEventListener('abort', abandon, { once: true })
    try {
      return await new Promise((resolve, reject) => {
        this.#pending.set(id, { resolve: result => resolve(read === undefined ? result : read(result)), reject })
        this.#options.send(text)
      })
    } finally {
      this.#take(id)
      signal?.removeEventListener('abort', abandon)
    }
  }

  /** One that is too long or nested too deeply is not sent. */
  notify(method: string, params: object): void {
    const text = encodeNotification(method, params)
    if (this.isOpen && !this.#isTooLong(text) && !this.#isTooDeep(text)) this.#options.send(text)
  }

  /** Takes what came in. */
  receive(text: string): void {
    if (!this.isOpen) return
    const message = this.#isTooLong(text) ? tooLong : decodeMessage(text, this.#options.maxDepth)
    switch (message.kind) {
      case 'request':
        void this.#answer(message)
        return
      case 'notification':
        this.#options.onNotification?.(message.method, message.params)
        return
      case 'response':
        this.#settle(message)
        return
      case 'invalid':
        this.#options.send(encodeError(message.id, message.error))
        this.#options.onInvalid?.()
    }
  }

  /** Nothing is taken or sent any more, and what waits for a response is rejected. */
  close(error: Error): void {
    if (!this.isOpen) return
    this.#closedWith = error
    for (const { reject } of this.#pending.values()) reject(error)
    this.#pending.clear()
  }

  #take(id: RequestId | null): Pending | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    return pending
  }

  #settle(response: RpcResponse): void {
    const pending = this.#take(response.id)
    try {
      if (response.error === undefined) pending?.resolve(response.result)
      else pending?.reject(response.error)
    } catch (error) {
      pending?.reject(error)
    }
  }

  async #answer({ id, method, params }: Extract<Message, { kind: 'request' }>): Promise<void> {
    const { onRequest = noMethods, toRpcError = internalError } = this.#options
    let isAnswered = false
    const send = (text: string): void => {
      if (isAnswered || !this.isOpen) return
      isAnswered = true
      this.#options.send(text)
    }
    const reply = (result: unknown): void => {
      const text = encodeResult(id, JSON.stringify(result) ?? 'null')
      this.#check(text, 'The result')
      send(text)
    }
    try {
      await onRequest(method, params, reply, id)
    } catch (error) {
      send(encodeError(id, toRpcError(error)))
    }
  }

  #isTooLong(text: string): boolean {
    const { maxBytes = Number.POSITIVE_INFINITY } = this.#options
    // A UTF-16 unit is at most three bytes of UTF-8: most texts need no counting.
    if (text.length * 3 <= maxBytes) return false
    return text.length > maxBytes || encoder.encode(text).length > maxBytes
  }

  #isTooDeep(text: string): boolean {
    return isNestedTooDeeply(text, this.#options.maxDepth)
  }

  /** Throws for what the other side would not take: nobody may wait for an answer to that. */
  #check(text: string, what: string): void {
    if (this.#isTooLong(text))
      throw new RangeError(`${what} is longer than a message may be, ${this.#options.maxBytes} bytes.`)
    if (this.#isTooDeep(text)) throw new RangeError(`${what} is nested too deeply.`)
  }
}

const encoder = new TextEncoder()
const tooLong: Message = {
  kind: 'invalid',
  id: null,
  error: new RpcError(errorCodes.invalidRequest, 'The message is too long.'),
}

function noMethods(method: string): never {
  throw new RpcError(errorCodes.methodNotFound, `There is no method "${method}".`)
}

function internalError(error: unknown): RpcError {
  return error instanceof RpcError ? error : new RpcError(errorCodes.internalError, 'The request failed.')
}
