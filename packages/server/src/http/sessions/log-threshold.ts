import { isRecord } from '@beckon/core/json-rpc'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import type { LogLevel } from '../../call/incoming.js'
import { isLogLevel, isWanted } from '../lean/log-level.js'
import type { RequestId } from '../reply-with.js'
import { wireRequest } from './messages.js'

/** From which level on a session wants log messages, as its client set it with a request that the SDK answered. */
export class LogThreshold {
  /** What requests ask for that are not answered yet. */
  readonly #asked = new Map<RequestId, LogLevel>()
  #level: LogLevel | undefined

  /** Before a client has said anything, it gets everything. */
  isWanted(level: LogLevel): boolean {
    return this.#level === undefined || isWanted(level, this.#level)
  }

  received(message: JSONRPCMessage): void {
    const request = wireRequest(message)
    if (request?.method !== 'logging/setLevel' || !isRecord(request.params)) return
    const { level } = request.params
    if (isLogLevel(level)) this.#asked.set(request.id, level)
  }

  /** A request has its answer, or gets none. */
  answered(id: RequestId, isResult: boolean): void {
    if (this.#asked.size === 0) return
    if (isResult) this.#level = this.#asked.get(id) ?? this.#level
    this.#asked.delete(id)
  }
}
