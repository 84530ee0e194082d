// What calls ask the client of a connection, on 2025: by a request that belongs to the call, which the client is told of when it is
// withdrawn.

import { isRecord } from '@beckon/core/json-rpc'
import type { ReplyListener, SendOptions } from '../call/incoming.js'
import { isRpcError, isRpcResult, type RequestId } from '../protocol/messages.js'
import { RequestError } from '../protocol/request-error.js'
import { HeldMap } from '../runtime/held-map.js'
import { answeredNumber, encodeRequestId } from './request-ids.js'

type JsonObject = Readonly<Record<string, unknown>>

const withdrawn = 'The call does not need this any more.'

/** Sends a message that belongs to a request of the client. */
type Tell = (message: object, related: RequestId) => void

interface Question {
  readonly listener: ReplyListener
  readonly related: RequestId
  readonly expiresAt: number
}

export class Questions {
  readonly #node: string | undefined
  readonly #tell: Tell
  readonly #open = new HeldMap<number, Question>()
  #next = 0
  #isClosed = false

  constructor(node: string | undefined, tell: Tell) {
    this.#node = node
    this.#tell = tell
  }

  /** Sends a request for a call; the result withdraws it. */
  ask(method: string, params: JsonObject, { related, timeoutMs, listener }: AskOptions): () => void {
    if (this.#isClosed) throw new Error('Not connected')
    const number = this.#next
    this.#next += 1
    this.#open.set(number, { listener, related, expiresAt: Date.now() + timeoutMs })
    this.#tell({ jsonrpc: '2.0', id: encodeRequestId(number, this.#node), method, params }, related)
    return () => this.#withdraw(number, withdrawn)
  }

  /** Withdraws what was asked for too long ago. Calls end their asks themselves before that: so it need not be at once. */
  expire(now: number): void {
    for (const [number, { listener, expiresAt }] of this.#open.entries()) {
      if (expiresAt > now) continue
      const error = new Error('Request timed out')
      this.#withdraw(number, error.message)
      listener.failed(error)
    }
  }

  /** Takes the client's response. One to what is not open, or of no shape that the protocol has, is passed over. */
  answer(message: { readonly id?: unknown }): void {
    const number = answeredNumber(message.id)
    const question = this.#open.get(number)
    if (question === undefined) return
    if (isPlainResult(message) || isRpcResult(message)) {
      this.#open.delete(number)
      question.listener.answered(withoutType(message.result))
    } else if (isRpcError(message)) {
      this.#open.delete(number)
      const { code, message: said, data } = message.error
      question.listener.failed(new RequestError(code, said, data))
    }
  }

  /** Nobody is asked anything any more, and what is open has failed. The client is not told. */
  close(error: Error): void {
    this.#isClosed = true
    for (const [number, { listener }] of this.#open.entries()) {
      this.#open.delete(number)
      listener.failed(error)
    }
  }

  #withdraw(number: number, reason: string): void {
    const question = this.#open.get(number)
    if (question === undefined) return
    this.#open.delete(number)
    if (this.#isClosed) return
    const params = { requestId: encodeRequestId(number, this.#node), reason }
    this.#tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, question.related)
  }
}

interface AskOptions extends SendOptions {
  /** The request of the client that it belongs to. */
  readonly related: RequestId
}

/** Whether a response is one beyond doubt, which spares it a slower look. */
function isPlainResult(message: object): message is { readonly result: JsonObject } {
  if (Object.keys(message).length !== 3 || !('result' in message)) return false
  return isRecord(message.result) && message.result._meta === undefined
}

/** A result as 2025 has it: some clients send what 2026-07-28 has besides. */
function withoutType(result: JsonObject): JsonObject {
  if (!('resultType' in result)) return result
  const { resultType: _, ...rest } = result
  return rest
}
