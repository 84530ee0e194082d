import type { ClientCapabilities, Incoming, LogLevel, SendOptions } from '../call/incoming.js'
import type { RequestPeer } from '../protocol/codec.js'
import { inputResponsesOf } from '../protocol/input-responses.js'
import type { Link } from '../protocol/link.js'
import { isWanted } from '../protocol/log-level.js'
import { isId, type RequestId, type RpcRequest } from '../protocol/messages.js'
import { RequestError } from '../protocol/request-error.js'
import { type TraceContext, traceContextIn } from '../telemetry/telemetry.js'
import type { MethodRequest } from './methods.js'

/** What a request needs of its connection. */
export interface RequestOwner {
  readonly link: Link
  /** Sends a notification that belongs to a request. */
  notify(method: string, params: Record<string, unknown>, related: RequestId): void
  /** Sends a request to the client that belongs to one of its own. Undefined where clients take none. */
  readonly ask:
    | ((method: string, params: Record<string, unknown>, options: SendOptions & { related: RequestId }) => () => void)
    | undefined
}

/** One request on a connection, as a method sees it. */
export class ConnectionRequest implements MethodRequest {
  readonly id: RequestId
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly inputResponses: Incoming['inputResponses']
  readonly requestState: string | undefined
  readonly progressToken: RequestId | undefined
  readonly trace: TraceContext | undefined
  readonly header: Incoming['header']
  readonly send: Incoming['send']
  readonly #peer: RequestPeer
  readonly #link: Link
  /** Let go of with the reply: what happens from then on is no business of this request. */
  #owner: RequestOwner | undefined
  #listeners: (() => void)[] | undefined
  #aborter: AbortController | undefined
  #cancelled: { readonly reason: unknown } | undefined

  constructor({ id, method, params = {} }: RpcRequest, owner: RequestOwner, peer: RequestPeer) {
    const { _meta, inputResponses, requestState, ...own } = params
    if (requestState !== undefined && typeof requestState !== 'string')
      throw new RequestError(-32602, 'requestState must be a string')
    const meta = (_meta ?? {}) as Readonly<Record<string, unknown>>
    this.id = id
    this.method = method
    this.params = own
    this.inputResponses = inputResponsesOf(inputResponses)
    this.requestState = requestState
    this.progressToken = isId(meta.progressToken) ? meta.progressToken : undefined
    this.trace = traceContextIn(_meta)
    this.header = owner.link.header && (name => this.#owner?.link.header?.(id, name))
    this.send = owner.ask && ((...request) => this.#ask(...request))
    this.#owner = owner
    this.#link = owner.link
    this.#peer = peer
  }

  get revision(): Incoming['revision'] {
    return this.#peer.revision
  }

  get capabilities(): ClientCapabilities {
    return this.#peer.capabilities
  }

  get client(): Incoming['client'] {
    return this.#peer.client
  }

  get principal(): string | undefined {
    return this.#link.principal
  }

  get sessionId(): string | undefined {
    return this.#link.sessionId
  }

  get isLocal(): boolean | undefined {
    return this.#link.isLocal
  }

  get address(): string | undefined {
    return this.#owner?.link.address?.(this.id)
  }

  get signal(): AbortSignal {
    if (this.#aborter === undefined) {
      this.#aborter = new AbortController()
      if (this.#cancelled !== undefined) this.#aborter.abort(this.#cancelled.reason)
    }
    return this.#aborter.signal
  }

  onCancel(listener: () => void): void {
    if (this.#cancelled !== undefined) listener()
    else if (this.#listeners === undefined) this.#listeners = [listener]
    else this.#listeners.push(listener)
  }

  /** Its client wants no answer any more, or is gone. */
  cancel(reason: unknown): void {
    if (this.#owner === undefined || this.#cancelled !== undefined) return
    this.#cancelled = { reason }
    this.#aborter?.abort(reason)
    for (const listener of this.#listeners ?? []) listener()
  }

  /** The answer is made. False when nobody wants it. */
  end(): boolean {
    this.#owner = undefined
    this.#listeners = undefined
    return this.#cancelled === undefined
  }

  notify(method: string, params: Record<string, unknown>): void {
    this.#owner?.notify(method, params, this.id)
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): void {
    const { logLevel } = this.#peer
    if (logLevel === 'all' || isWanted(level, logLevel)) this.notify('notifications/message', { level, data, logger })
  }

  #ask(...[method, params, options]: Parameters<NonNullable<Incoming['send']>>): () => void {
    if (this.#owner?.ask === undefined) throw new Error('The request was answered already.')
    return this.#owner.ask(method, params, { ...options, related: this.id })
  }
}
