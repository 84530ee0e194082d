// JSON-RPC with one application, over its channel, and what keeps it from hurting the gateway.
import { randomInt } from 'node:crypto'
import { type Params, type RequestOptions, RpcError, RpcPeer } from '@beckon/core/json-rpc'
import { type Channel, maxFrameBytes } from './channel.js'
import { protocolCodes } from './protocol-codes.js'
import { toRpcError } from './to-rpc-error.js'

export interface AppPeerHandlers {
  /** Answers by calling `reply` once, or by throwing. */
  request(method: string, params: Params, reply: (result: unknown) => void): void | Promise<void>
  notification(method: string, params: Params): void
  closed(why: string): void
}

/** How many requests of an application may be open at once. */
const maxOpenRequests = 1_000

/** How many frames that are not a message a connection survives. */
const maxInvalid = 16
const policyViolation = 1008

/** The application went away before it answered. */
export class AppGoneError extends Error {
  constructor(why: string) {
    super(`The application went away (${why}).`)
    this.name = 'AppGoneError'
  }
}

export class AppPeer {
  readonly #channel: Channel
  readonly #handlers: AppPeerHandlers
  readonly #rpc: RpcPeer
  #open = 0
  #invalid = 0

  constructor(channel: Channel, handlers: AppPeerHandlers) {
    this.#channel = channel
    this.#handlers = handlers
    this.#rpc = new RpcPeer({
      send: text => channel.send(text),
      onRequest: (method, params, reply) => this.#requested(method, params, reply),
      onNotification: (method, params) => handlers.notification(method, params),
      onInvalid: () => {
        if (++this.#invalid > maxInvalid) this.close(policyViolation, 'too much that is not a message')
      },
      toRpcError,
      maxBytes: maxFrameBytes,
      // An application that comes back answers what it left unanswered on the connection before.
      idsAfter: randomInt(2 ** 47),
    })
  }

  /** Begins to take what comes in. */
  start(): void {
    this.#channel.open({ message: text => this.#rpc.receive(text), closed: why => this.#closed(why) })
  }

  get isOpen(): boolean {
    return this.#rpc.isOpen
  }

  request(method: string, params: Params, options?: RequestOptions): Promise<unknown> {
    return this.#rpc.request(method, params, options)
  }

  notify(method: string, params: Params): void {
    this.#rpc.notify(method, params)
  }

  /** Ends the connection: nothing that still comes in counts. */
  close(code: number, reason: string): void {
    this.#channel.close(code, reason)
    this.#closed(reason)
  }

  afterDelivery(fn: () => void): void {
    this.#channel.afterDelivery(fn)
  }

  async #requested(method: string, params: Params, reply: (result: unknown) => void): Promise<void> {
    this.#open++
    try {
      if (this.#open > maxOpenRequests) throw new RpcError(protocolCodes.unauthorized, 'Too many requests are open.')
      await this.#handlers.request(method, params, reply)
    } finally {
      this.#open--
    }
  }

  #closed(why: string): void {
    if (!this.isOpen) return
    this.#rpc.close(new AppGoneError(why))
    this.#handlers.closed(why)
  }
}
