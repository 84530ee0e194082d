// What calls on the lean path ask the client of a session, as the SDK would: by a request that belongs to the call, which the
// client is told of when it is withdrawn.
import { isRecord } from '@beckon/core/json-rpc'
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  ProtocolError,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/server'
import type { ReplyListener, SendOptions } from '../../call/incoming.js'
import type { JsonObject } from '../json-object.js'
import type { RequestId } from '../reply-with.js'
import { encodeRequestId } from './request-ids.js'

/** As the SDK says it. */
const withdrawn = 'AbortError: This operation was aborted'

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
  readonly #open = new Map<number, Question>()
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
    this.#next += 2
    this.#open.set(number, { listener, related, expiresAt: Date.now() + timeoutMs })
    this.#tell({ jsonrpc: '2.0', id: encodeRequestId(number, this.#node), method, params }, related)
    return () => this.#withdraw(number, withdrawn)
  }

  /** Withdraws what was asked for too long ago. Calls end their asks themselves before that: so it need not be at once. */
  expire(now: number): void {
    for (const [number, { listener, expiresAt }] of this.#open) {
      if (expiresAt > now) continue
      const error = new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out')
      this.#withdraw(number, String(error))
      listener.failed(error)
    }
  }

  /** Takes the client's response. One to what is not open, or of no shape that the protocol has, is passed over. */
  answer(number: number, message: JSONRPCMessage): void {
    const question = this.#open.get(number)
    if (question === undefined) return
    if (isPlainResult(message) || isJSONRPCResultResponse(message)) {
      this.#open.delete(number)
      question.listener.answered(withoutType(message.result))
    } else if (isJSONRPCErrorResponse(message)) {
      this.#open.delete(number)
      const { code, message: said, data } = message.error
      question.listener.failed(ProtocolError.fromError(code, said, data))
    }
  }

  /** The session is closed: its client is told nothing any more. */
  close(): void {
    this.#isClosed = true
  }

  /** Ends whatever is still open. */
  failAll(error: Error): void {
    for (const [number, { listener }] of this.#open) {
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

/** Whether a response is one beyond doubt, which spares it the SDK's slower look. */
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
