import type { ServerContext, StandardSchemaV1 } from '@modelcontextprotocol/server'
import type { Incoming, LogLevel, SendOptions } from '../call/incoming.js'
import { codecOf } from '../protocol/codec.js'
import { traceContextIn } from '../telemetry/telemetry.js'

/** Timers overflow above this, and fire at once. */
const maxTimeoutMs = 2 ** 31 - 1

/** The engine checks answers itself, and asks again for one that is wrong; the SDK would throw it away. */
const anything: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'beckon', validate: value => ({ value }) },
}

type Facts = Pick<
  Incoming,
  'header' | 'method' | 'params' | 'revision' | 'capabilities' | 'client' | 'principal' | 'sessionId' | 'requestState'
>

/** One request that came through the SDK, as the engine sees it. */
export class SdkCall implements Incoming {
  readonly method: Incoming['method']
  readonly params: Incoming['params']
  readonly revision: Incoming['revision']
  readonly capabilities: Incoming['capabilities']
  readonly client: Incoming['client']
  readonly principal: Incoming['principal']
  readonly sessionId: Incoming['sessionId']
  readonly requestState: Incoming['requestState']
  readonly inputResponses: Incoming['inputResponses']
  readonly progressToken: Incoming['progressToken']
  readonly trace: Incoming['trace']
  readonly send: Incoming['send']
  readonly header: Incoming['header']
  #ctx: ServerContext | undefined
  #aborter: AbortController | undefined

  constructor(ctx: ServerContext, facts: Facts) {
    this.method = facts.method
    this.params = facts.params
    this.revision = facts.revision
    this.capabilities = facts.capabilities
    this.client = facts.client
    this.principal = facts.principal
    this.sessionId = facts.sessionId
    this.requestState = facts.requestState
    this.inputResponses = ctx.mcpReq.inputResponses
    this.progressToken = ctx.mcpReq._meta?.progressToken
    this.trace = traceContextIn(ctx.mcpReq._meta)
    this.send = codecOf(facts.revision).takesRequests ? (...request) => this.#send(...request) : undefined
    this.header = facts.header
    this.#ctx = ctx
  }

  /** Not the SDK's own: that one also aborts when the reply was sent, over 2026-07-28 HTTP. */
  get signal(): AbortSignal {
    if (this.#aborter === undefined) {
      const aborter = new AbortController()
      this.#aborter = aborter
      const signal = this.#ctx?.mcpReq.signal
      if (signal?.aborted) aborter.abort(signal.reason)
      signal?.addEventListener('abort', () => this.#ctx && aborter.abort(signal.reason), { once: true })
    }
    return this.#aborter.signal
  }

  onCancel(listener: () => void): void {
    const signal = this.#ctx?.mcpReq.signal
    if (signal?.aborted) listener()
    else signal?.addEventListener('abort', () => this.#ctx && listener(), { once: true })
  }

  notify(method: string, params: Record<string, unknown>): void {
    // Rejects when the connection is gone, which the signal tells.
    this.#ctx?.mcpReq.notify({ method, params }).catch(() => {})
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): void {
    this.#ctx?.mcpReq.log(level, data, logger).catch(() => {})
  }

  /** The reply is made: what happens to the connection from now on is no business of this request. */
  close(): void {
    this.#ctx = undefined
  }

  #send(method: string, params: Record<string, unknown>, { timeoutMs, listener }: SendOptions): () => void {
    const withdrawal = new AbortController()
    const timeout = Math.min(timeoutMs, maxTimeoutMs)
    this.#request({ method, params }, { signal: withdrawal.signal, timeout }).then(
      result => listener.answered(result),
      error => listener.failed(error),
    )
    return () => withdrawal.abort()
  }

  async #request(
    request: { method: string; params: Record<string, unknown> },
    options: { signal: AbortSignal; timeout: number },
  ): Promise<unknown> {
    if (this.#ctx === undefined) throw new Error('The request was answered already.')
    return this.#ctx.mcpReq.send(request, anything, options)
  }
}
