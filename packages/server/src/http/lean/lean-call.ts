import type { Revision } from '@beckon/core'
import type { AskingMethod, ClientCapabilities, Incoming, LogLevel } from '../../call/incoming.js'
import { inputResponsesOf } from '../../protocol/input-responses.js'
import { isWanted } from '../../protocol/log-level.js'
import type { RequestId } from '../../protocol/messages.js'
import { rev20260728 } from '../../protocol/rev2026/rev2026.js'
import type { WireError } from '../../protocol/wire-error.js'
import { type TraceContext, traceContextIn } from '../../telemetry/telemetry.js'
import type { Exchange, HttpResponse } from '../exchange/exchange.js'
import type { JsonObject } from '../json-object.js'
import { eventOf, eventStreamHeaders, jsonHeaders } from '../reply-with.js'
import type { SharedInterval } from '../shared-interval.js'
import type { RegularRequest } from './regular-request.js'

/** A client that does not read gets no more progress and log messages once this much waits for it. */
const maxBacklogBytes = 1024 * 1024

/** One request on the lean path, as the engine sees it, and the reply to it. */
export class LeanCall<M extends string = AskingMethod> implements Omit<Incoming, 'method'> {
  readonly id: RequestId
  readonly method: M
  readonly params: JsonObject
  readonly revision: Revision = rev20260728.revision
  readonly capabilities: ClientCapabilities
  readonly client: { readonly name: string; readonly version: string } | undefined
  readonly principal: string | undefined
  readonly sessionId: undefined = undefined
  readonly inputResponses: JsonObject | undefined
  readonly requestState: string | undefined
  readonly progressToken: RequestId | undefined
  readonly trace: TraceContext | undefined
  readonly send: undefined = undefined
  readonly #logLevel: LogLevel | undefined
  readonly #keepAlive: SharedInterval<HttpResponse>
  readonly #isPublic: boolean
  /** Let go of with the reply, so that a suspended call holds no socket. */
  #exchange: Exchange | undefined
  #streaming = false
  #aborter: AbortController | undefined

  constructor(
    request: Omit<RegularRequest, 'name' | 'method'> & { readonly method: M },
    exchange: Exchange,
    { principal, keepAlive, isPublic }: LeanContext,
  ) {
    const { _meta, inputResponses, requestState } = request.params
    this.method = request.method
    this.params = withoutEnvelope(request.params)
    this.capabilities = request.capabilities
    this.client = request.client
    this.principal = principal
    this.inputResponses = inputResponsesOf(inputResponses)
    this.requestState = typeof requestState === 'string' ? requestState : undefined
    this.progressToken = request.progressToken
    this.trace = traceContextIn(_meta)
    this.id = request.id
    this.#logLevel = request.logLevel
    this.#exchange = exchange
    this.#keepAlive = keepAlive
    this.#isPublic = isPublic
  }

  header(name: string): string | undefined {
    return this.#exchange?.header(name)
  }

  get isLocal(): boolean {
    return !this.#isPublic && this.#exchange !== undefined && this.#exchange.isLocal
  }

  get address(): string | undefined {
    return this.#exchange?.address
  }

  get signal(): AbortSignal {
    if (this.#aborter === undefined) {
      const aborter = new AbortController()
      this.#aborter = aborter
      this.#exchange?.onGone(() => aborter.abort(new Error('The client closed the request.')))
    }
    return this.#aborter.signal
  }

  onCancel(listener: () => void): void {
    this.#exchange?.onGone(listener)
  }

  notify(method: string, params: Record<string, unknown>): void {
    const exchange = this.#exchange
    if (exchange === undefined || exchange.backlog > maxBacklogBytes) return
    if (!this.#streaming) {
      this.#streaming = true
      exchange.open(eventStreamHeaders)
      this.#keepAlive.add(exchange)
      exchange.onGone(() => this.#keepAlive.delete(exchange))
    }
    exchange.write(eventOf(JSON.stringify({ jsonrpc: '2.0', method, params })))
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): void {
    if (!isWanted(level, this.#logLevel)) return
    this.notify('notifications/message', logger === undefined ? { level, data } : { level, data, logger })
  }

  /** @param result as JSON */
  succeed(result: string): void {
    this.#reply(200, `{"jsonrpc":"2.0","id":${JSON.stringify(this.id)},"result":${result}}`)
  }

  fail(error: WireError): void {
    this.#reply(error.code === -32021 ? 400 : 200, JSON.stringify({ jsonrpc: '2.0', id: this.id, error }))
  }

  #reply(status: number, json: string): void {
    const exchange = this.#exchange
    this.#exchange = undefined
    if (exchange === undefined) return
    if (!this.#streaming) {
      exchange.reply(status, jsonHeaders, json)
      return
    }
    this.#keepAlive.delete(exchange)
    exchange.end(eventOf(json))
  }
}

/** What a request says beside what every request has. */
function withoutEnvelope(params: JsonObject): JsonObject {
  const own: Record<string, unknown> = {}
  for (const key in params) {
    // To assign to this one would change what the object is.
    if (key === '__proto__') return rest(params)
    if (key !== '_meta' && key !== 'inputResponses' && key !== 'requestState') own[key] = params[key]
  }
  return own
}

/** The same for anything, at several times the cost. */
function rest({ _meta, inputResponses, requestState, ...params }: JsonObject): JsonObject {
  return params
}

export interface LeanContext {
  readonly principal: string | undefined
  /** Whether the server is reached through a proxy, as `Served` has it. */
  readonly isPublic: boolean
  /** Keeps event streams from being cut by proxies. */
  readonly keepAlive: SharedInterval<HttpResponse>
}
