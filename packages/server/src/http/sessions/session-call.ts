import type { Server } from '@modelcontextprotocol/server'
import type { Incoming, LogLevel, SendOptions } from '../../call/incoming.js'
import { type TraceContext, traceContextIn } from '../../telemetry/telemetry.js'
import type { Exchange } from '../exchange/exchange.js'
import type { JsonObject } from '../json-object.js'
import type { RequestId } from '../reply-with.js'
import type { Link } from '../served.js'
import type { LogThreshold } from './log-threshold.js'
import type { Questions } from './questions.js'
import type { RegularCall } from './regular-call.js'

/** What a session is to its calls. */
export interface CallsSession {
  readonly link: Link
  readonly server: Server
  readonly peer: Pick<Incoming, 'revision' | 'capabilities' | 'client'>
  readonly questions: Questions
  readonly logThreshold: LogThreshold
}

/** One `tools/call` of a 2025 session on the lean path, as the engine sees it. */
export class SessionCall implements Incoming {
  readonly id: RequestId
  readonly method = 'tools/call'
  readonly params: JsonObject
  readonly progressToken: RequestId | undefined
  readonly trace: TraceContext | undefined
  readonly inputResponses: undefined = undefined
  readonly requestState: undefined = undefined
  readonly #session: CallsSession
  /** Let go of with the reply: what happens from then on is no business of this request. */
  #exchange: Exchange | undefined
  #listeners: (() => void)[] | undefined
  #aborter: AbortController | undefined
  #cancelled: { readonly reason: unknown } | undefined

  constructor(session: CallsSession, { id, params, meta, progressToken }: RegularCall, exchange: Exchange) {
    this.id = id
    this.params = meta === undefined ? params : withoutMeta(params)
    this.progressToken = progressToken
    this.trace = traceContextIn(meta)
    this.#session = session
    this.#exchange = exchange
  }

  get revision(): Incoming['revision'] {
    return this.#session.peer.revision
  }

  get capabilities(): Incoming['capabilities'] {
    return this.#session.peer.capabilities
  }

  get client(): Incoming['client'] {
    return this.#session.peer.client
  }

  get principal(): string | undefined {
    return this.#session.link.principal
  }

  get sessionId(): string | undefined {
    return this.#session.link.sessionId
  }

  header(name: string): string | undefined {
    return this.#exchange?.header(name)
  }

  get address(): string | undefined {
    return this.#exchange?.address
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
    if (this.#exchange === undefined || this.#cancelled !== undefined) return
    this.#cancelled = { reason }
    this.#aborter?.abort(reason)
    for (const listener of this.#listeners ?? []) listener()
  }

  /** The answer is made. False when nobody wants it. */
  end(): boolean {
    this.#exchange = undefined
    this.#listeners = undefined
    return this.#cancelled === undefined
  }

  notify(method: string, params: Record<string, unknown>): void {
    if (this.#exchange === undefined) return
    // Rejects when the connection is gone, of which a listener was told.
    this.#session.server.notification({ method, params }, { relatedRequestId: this.id }).catch(() => {})
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): void {
    if (this.#session.logThreshold.isWanted(level)) this.notify('notifications/message', { level, data, logger })
  }

  send(method: string, params: Record<string, unknown>, options: SendOptions): () => void {
    if (this.#exchange === undefined) throw new Error('The request was answered already.')
    return this.#session.questions.ask(method, params, { ...options, related: this.id })
  }
}

function withoutMeta({ _meta, ...params }: JsonObject): JsonObject {
  return params
}
