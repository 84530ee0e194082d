// The client's half of JSON-RPC, over a connection in memory. It knows no method but `notifications/cancelled`.
import { isJSONRPCErrorResponse, isJSONRPCResultResponse, type JSONRPCMessage } from '@modelcontextprotocol/server'
import { RequestError } from '../protocol/request-error.js'
import { MemoryTransport } from './memory-transport.js'

type Params = Readonly<Record<string, unknown>>
type Id = string | number

/** One message on the connection. */
export interface Transmitted {
  readonly from: 'client' | 'server'
  readonly message: JSONRPCMessage
}

/** A request of the server to the client. */
export interface ServerRequest {
  readonly method: string
  readonly params: Params
  /** The client's own request that it belongs to. */
  readonly relatedTo: Id | undefined
  /** Aborts when the server takes it back. */
  readonly withdrawn: AbortSignal
}

/** Answers a request of the server. Undefined sends no reply; what it throws goes back as an error. */
export type RequestHandler = (request: ServerRequest) => Promise<Params | undefined>

export interface SendOptions {
  /** Cancels the request; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Told the request's id before anything is sent. */
  readonly onId?: (id: Id) => void
}

interface Pending {
  resolve(result: Record<string, unknown>): void
  reject(error: unknown): void
}

export class Connection {
  readonly messages: Transmitted[]
  readonly transport: MemoryTransport
  readonly #onRequest: RequestHandler
  readonly #pending = new Map<Id, Pending>()
  readonly #open = new Map<Id, AbortController>()
  #lastId = 0
  #isClosed = false

  /** @param messages where everything is written down that is sent, in both directions */
  constructor(onRequest: RequestHandler, messages: Transmitted[] = []) {
    this.#onRequest = onRequest
    this.messages = messages
    this.transport = new MemoryTransport({
      receive: (message, relatedTo) => this.#receive(message, relatedTo),
      closed: () => this.#close(),
    })
  }

  /** Resolves with the result; rejects with a `RequestError` for a JSON-RPC error. */
  async request(method: string, params: Params, { signal, onId }: SendOptions = {}): Promise<Record<string, unknown>> {
    signal?.throwIfAborted()
    if (this.#isClosed) throw closed()
    const id = ++this.#lastId
    onId?.(id)
    const cancel = () => {
      this.notify('notifications/cancelled', { requestId: id, reason: 'The test cancelled the request.' })
      this.#pending.get(id)?.reject(signal?.reason)
    }
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      return await new Promise((resolve, reject) => {
        this.#pending.set(id, { resolve, reject })
        this.#send({ jsonrpc: '2.0', id, method, params })
      })
    } finally {
      this.#pending.delete(id)
      signal?.removeEventListener('abort', cancel)
    }
  }

  notify(method: string, params: Params): void {
    this.#send({ jsonrpc: '2.0', method, params })
  }

  #send(message: JSONRPCMessage): void {
    if (this.#isClosed) return
    this.messages.push({ from: 'client', message })
    this.transport.deliver(message)
  }

  #receive(message: JSONRPCMessage, relatedTo: Id | undefined): void {
    this.messages.push({ from: 'server', message })
    if (isJSONRPCResultResponse(message)) this.#pending.get(message.id)?.resolve(message.result)
    else if (isJSONRPCErrorResponse(message)) {
      const { code, message: text, data } = message.error
      if (message.id !== undefined) this.#pending.get(message.id)?.reject(new RequestError(code, text, data))
    } else if ('id' in message) {
      const { id, method, params = {} } = message
      this.#reply(id, { method, params, relatedTo })
    } else if (message.method === 'notifications/cancelled') {
      // By the protocol, the id of a request that the server made.
      this.#open.get(message.params?.requestId as Id)?.abort()
    }
  }

  #close(): void {
    this.#isClosed = true
    for (const { reject } of this.#pending.values()) reject(closed())
  }

  async #reply(id: Id, request: Omit<ServerRequest, 'withdrawn'>): Promise<void> {
    const withdrawal = new AbortController()
    this.#open.set(id, withdrawal)
    try {
      const result = await this.#onRequest({ ...request, withdrawn: withdrawal.signal })
      if (result !== undefined && !withdrawal.signal.aborted) this.#send({ jsonrpc: '2.0', id, result: { ...result } })
    } catch (error) {
      const code = error instanceof RequestError ? error.code : -32603
      const message = error instanceof Error ? error.message : String(error)
      if (!withdrawal.signal.aborted) this.#send({ jsonrpc: '2.0', id, error: { code, message } })
    } finally {
      this.#open.delete(id)
    }
  }
}

function closed(): Error {
  return new Error('The test client is closed.')
}
