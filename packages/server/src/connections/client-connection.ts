// One connection of a client that lasts: a session of 2025 over HTTP, or standard input and output in either era. What it gets as
// JSON-RPC it hands to the methods of the server, and sends back what they say. A request that was cancelled gets no answer, and
// when the connection is closed, everything in it is cancelled.

import { isRecord } from '@beckon/core/json-rpc'
import type { RequestPeer } from '../protocol/codec.js'
import type { Link } from '../protocol/link.js'
import { isLogLevel } from '../protocol/log-level.js'
import type { RequestId, RpcMessage, RpcNotification, RpcRequest } from '../protocol/messages.js'
import { RequestError } from '../protocol/request-error.js'
import { legacyPeer } from '../protocol/rev2025/rev2025.js'
import { negotiated } from '../protocol/rev2025/versions.js'
import { areCapabilities, isClient } from '../protocol/rev2026/envelope.js'
import { internalError, methodNotFound, type WireError, wireErrorOf } from '../protocol/wire-error.js'
import { HeldMap } from '../runtime/held-map.js'
import { ConnectionRequest, type RequestOwner } from './connection-request.js'
import type { ConnectionOptions, Method } from './methods.js'
import { Questions } from './questions.js'

/** Sends a message to the client; `related` is the request that it belongs to. */
export type Send = (message: RpcMessage, related?: RequestId) => void

export class ClientConnection implements RequestOwner {
  readonly link: Link
  readonly ask: RequestOwner['ask']
  readonly #options: ConnectionOptions
  readonly #questions: Questions
  readonly #running = new HeldMap<RequestId, ConnectionRequest>()
  #send: Send | undefined
  #isClosed = false
  #version: string | undefined
  /** The client of a connection with a session, which says only once who it is. */
  #peer: RequestPeer

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.link = options.link
    this.#questions = new Questions(this.link.node, (message, related) => this.#tell(message as RpcMessage, related))
    this.#peer = { ...legacyPeer(undefined, {}), client: undefined, logLevel: 'all' }
    this.ask = this.link.codec.takesRequests ? (...question) => this.#questions.ask(...question) : undefined
  }

  /** Begins: from now on its messages go this way. */
  open(send: Send): void {
    this.#send = send
  }

  /** The version that was negotiated, on 2025. */
  get version(): string | undefined {
    return this.#version
  }

  /** Takes a message of the client. */
  receive(message: RpcMessage): void {
    if (!('method' in message)) this.#questions.answer(message)
    else if ('id' in message) this.#take(message)
    else if (message.method === 'notifications/cancelled') this.#cancel(message)
  }

  /** Sends a notification, of no request or of one. */
  notify(method: string, params?: Record<string, unknown>, related?: RequestId): void {
    this.#tell({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) }, related)
  }

  /** Withdraws what the client was asked for too long ago. */
  expireQuestions(now: number): void {
    this.#questions.expire(now)
  }

  /** Nobody is told anything any more. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#send = undefined
    const error = new Error('Connection closed')
    for (const request of [...this.#running.values()]) request.cancel(error)
    this.#questions.close(error)
  }

  #take(message: RpcRequest): void {
    const { codec } = this.link
    try {
      const method = this.#own(message.method) ?? this.#options.methods.get(message.method)
      if (method === undefined || codec.lacks.has(message.method)) throw methodNotFound
      this.#begin(method, new ConnectionRequest(message, this, codec.peerOf(message.params, this.#peer)))
    } catch (thrown) {
      this.#tell({ jsonrpc: '2.0', id: message.id, error: this.#errorOf(thrown) })
    }
  }

  #begin(method: Method, request: ConnectionRequest): void {
    const { info, link } = this.#options
    this.#running.set(request.id, request)
    answerOf(method, request).then(
      result => this.#end(request, { result: link.codec.complete(result, request.method, info) }),
      thrown => this.#end(request, { error: this.#errorOf(thrown) }),
    )
  }

  /** What it answers by itself: who is there, and what they want to hear. */
  #own(method: string): Method | undefined {
    if (method === 'initialize') return ({ params }) => this.#initialize(params)
    if (method === 'ping') return () => ({})
    return method === 'logging/setLevel' ? ({ params }) => this.#setLogLevel(params) : undefined
  }

  #initialize({ protocolVersion, capabilities, clientInfo }: Readonly<Record<string, unknown>>): Result {
    if (typeof protocolVersion !== 'string' || !areCapabilities(capabilities) || !isClient(clientInfo))
      throw new RequestError(-32602, 'Invalid params for initialize.')
    const version = negotiated(protocolVersion)
    this.#version = version
    this.#peer = { ...legacyPeer(version, capabilities), client: clientInfo, logLevel: this.#peer.logLevel }
    const { info: serverInfo, capabilities: own, instructions } = this.#options
    return { protocolVersion: version, capabilities: own, serverInfo, ...(instructions && { instructions }) }
  }

  #setLogLevel({ level }: Readonly<Record<string, unknown>>): Result {
    if (!isLogLevel(level)) throw new RequestError(-32602, 'Invalid params for logging/setLevel.')
    this.#peer = { ...this.#peer, logLevel: level }
    return {}
  }

  #cancel({ params }: RpcNotification): void {
    const { requestId, reason } = isRecord(params) ? params : {}
    this.#running.get(requestId as RequestId)?.cancel(reason)
  }

  #errorOf(thrown: unknown): WireError {
    const error = wireErrorOf(thrown, this.link.codec)
    if (error === undefined) this.#options.onError?.(thrown)
    return error ?? internalError
  }

  #end(request: ConnectionRequest, outcome: { result: Result } | { error: WireError }): void {
    const { id } = request
    // One that was cancelled may have left its id to another.
    if (this.#running.get(id) === request) this.#running.delete(id)
    if (request.end()) this.#tell({ jsonrpc: '2.0', id, ...outcome })
  }

  #tell(message: RpcMessage, related?: RequestId): void {
    this.#send?.(message, related)
  }
}

type Result = Record<string, unknown>

async function answerOf(method: Method, request: ConnectionRequest): Promise<Result> {
  return method(request)
}
