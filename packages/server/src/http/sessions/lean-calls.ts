// The calls of a session that do without the SDK: regular ones, of tools that there are. It has to do what the SDK does around a
// handler: a call that was cancelled gets no answer, and when the session is closed, everything in it is cancelled.
import { isRecord } from '@beckon/core/json-rpc'
import { type JSONRPCMessage, SdkError, SdkErrorCode, type Server } from '@modelcontextprotocol/server'
import type { Incoming } from '../../call/incoming.js'
import { connectedPeer } from '../../protocol/rev2025/connected-peer.js'
import { afterTurn } from '../../runtime/after-turn.js'
import type { Exchange } from '../exchange/exchange.js'
import type { RequestId } from '../reply-with.js'
import type { Link, Served } from '../served.js'
import { internalError, wireErrorOf } from '../wire-error.js'
import { LogThreshold } from './log-threshold.js'
import { jsonOf } from './messages.js'
import { Questions } from './questions.js'
import { type RegularCall, regularCall } from './regular-call.js'
import { SessionCall } from './session-call.js'

export interface LeanCallsContext {
  readonly served: Served
  readonly link: Link
  readonly server: Server
  /** This node, where there are others. */
  readonly node: string | undefined
  /** Sends a message that belongs to a request. */
  tell(message: object, related: RequestId): void
  /** Sends the answer to a request. */
  answer(id: RequestId, json: string): void
}

export class LeanCalls {
  readonly link: Link
  readonly server: Server
  readonly questions: Questions
  readonly logThreshold: LogThreshold = new LogThreshold()
  readonly #context: LeanCallsContext
  readonly #calls = new Map<RequestId, SessionCall>()
  #peer: Pick<Incoming, 'revision' | 'capabilities' | 'client'> | undefined

  constructor(context: LeanCallsContext) {
    this.#context = context
    this.link = context.link
    this.server = context.server
    this.questions = new Questions(context.node, (message, related) => context.tell(message, related))
  }

  /** The client, which says only once who it is. */
  get peer(): Pick<Incoming, 'revision' | 'capabilities' | 'client'> {
    this.#peer ??= connectedPeer(this.server)
    return this.#peer
  }

  /** A message as a call that is taken here; undefined when it is for the SDK. */
  callIn(message: JSONRPCMessage): RegularCall | undefined {
    const request = regularCall(message)
    return request && this.#context.served.isKnown('tools/call', request.name) ? request : undefined
  }

  begin(request: RegularCall, exchange: Exchange): void {
    const call = new SessionCall(this, request, exchange)
    this.#calls.set(call.id, call)
    this.#context.served.answer(call).then(
      result => this.#end(call, { jsonrpc: '2.0', id: call.id, result }),
      thrown => this.#fail(call, thrown),
    )
  }

  /** Cancels the call that a client's notification is about; false when there is none here. */
  cancel(id: RequestId, { params }: { readonly params?: unknown }): boolean {
    const reason = isRecord(params) ? params.reason : undefined
    const call = this.#calls.get(id)
    if (call === undefined || (reason !== undefined && typeof reason !== 'string')) return false
    call.cancel(reason)
    return true
  }

  /** Nobody is told anything any more. */
  close(): void {
    const error = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed')
    this.questions.close()
    for (const call of [...this.#calls.values()]) call.cancel(error)
    this.questions.failAll(error)
  }

  #fail(call: SessionCall, thrown: unknown): void {
    const error = wireErrorOf(thrown)
    if (error === undefined) this.#context.served.onError?.(thrown)
    this.#end(call, { jsonrpc: '2.0', id: call.id, error: error ?? internalError })
  }

  #end(call: SessionCall, answer: JSONRPCMessage): void {
    const { id } = call
    // One that was cancelled may have left its id to another.
    if (this.#calls.get(id) === call) this.#calls.delete(id)
    if (!call.end()) return
    const json = jsonOf(answer)
    afterTurn(() => this.#context.answer(id, json))
  }
}
