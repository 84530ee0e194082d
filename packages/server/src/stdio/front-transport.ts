// What stands between one connection and the SDK.
//
// Threat: a message that is nested so deeply that checking it runs out of stack. It is refused as over HTTP.
//
// Who asks by `subscriptions/listen` to be told of tasks is told of them here. The SDK serves the request and knows nothing of tasks:
// what it acknowledges gets the tasks added on its way out. Such a request is open until it is cancelled, and its id is its own for as
// long; the SDK would let a second request have it, and take the place of the first.
import { isRecord } from '@beckon/core/json-rpc'
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server'
import { excessOf, maxDepth } from '../http/json-size.js'
import { isId } from '../http/lean/regular-request.js'
import type { RequestId } from '../http/reply-with.js'
import type { Served } from '../http/served.js'
import {
  maxTaskIds,
  notificationOf,
  type WantedTasks,
  type WatchedTasks,
  wantedTasksIn,
  watchTasks,
} from '../http/watched-tasks.js'

/** As many as the SDK takes. */
const maxListening = 1_024

export class FrontTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void
  readonly #inner: Transport
  readonly #served: Served
  readonly #principal: string | undefined
  /** Requests that are open, whatever they ask to be told of. */
  readonly #listening = new Set<RequestId>()
  /** Those of them with tasks that were not acknowledged yet. */
  readonly #wanted = new Map<RequestId, WantedTasks>()
  readonly #watched = new Map<RequestId, WatchedTasks>()

  constructor(inner: Transport, served: Served, principal: string | undefined) {
    this.#inner = inner
    this.#served = served
    this.#principal = principal
    inner.onmessage = (message, extra) => this.#receive(message, extra)
    inner.onerror = error => this.onerror?.(error)
    inner.onclose = () => {
      for (const tasks of this.#watched.values()) tasks.stop()
      this.#watched.clear()
      this.#wanted.clear()
      this.#listening.clear()
      this.onclose?.()
    }
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId
  }

  start(): Promise<void> {
    return this.#inner.start()
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const id = acknowledgedIn(message)
    const wanted = id === undefined ? undefined : this.#wanted.get(id)
    if (wanted !== undefined) return this.#acknowledge(message, wanted)
    // What is answered is over; one that listens was refused.
    if (!('method' in message) && 'id' in message) this.#end(message.id)
    return this.#inner.send(message, options)
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    const wanted = wantedTasksIn(message)
    const refusal = this.#refusalOf(message, wanted)
    if (refusal !== undefined) {
      if (isRequest(message)) this.#inner.send({ jsonrpc: '2.0', id: message.id, error: refusal }).catch(() => {})
      else this.onerror?.(new Error(refusal.message))
      return
    }
    // Beyond that the SDK refuses.
    if (isRequest(message) && message.method === 'subscriptions/listen' && this.#listening.size <= maxListening) {
      this.#listening.add(message.id)
      if (wanted !== undefined) this.#wanted.set(wanted.id, wanted)
    }
    if ('method' in message && message.method === 'notifications/cancelled') this.#end(message.params?.requestId)
    this.onmessage?.(message, extra)
  }

  #refusalOf(
    message: JSONRPCMessage,
    wanted: WantedTasks | undefined,
  ): { readonly code: number; readonly message: string } | undefined {
    if (excessOf(message, { depth: maxDepth, values: Number.POSITIVE_INFINITY }) !== undefined)
      return { code: -32600, message: 'Invalid Request: the message is nested too deeply' }
    if (isRequest(message) && this.#listening.has(message.id))
      return { code: -32600, message: 'Invalid Request: this id is in use' }
    if (wanted !== undefined && wanted.taskIds.length > maxTaskIds)
      return { code: -32602, message: `A request names at most ${maxTaskIds} tasks.` }
    return undefined
  }

  #end(id: unknown): void {
    if (!isId(id)) return
    this.#listening.delete(id)
    this.#wanted.delete(id)
    this.#watched.get(id)?.stop()
    this.#watched.delete(id)
  }

  async #acknowledge(message: JSONRPCMessage, wanted: WantedTasks): Promise<void> {
    const { id, filter } = wanted
    const send = (method: string, params: Record<string, unknown>) =>
      void this.#inner.send(notificationOf(id, method, params)).catch(() => {})
    const tasks = await watchTasks(this.#served, { wanted, principal: this.#principal, send })
    // It was cancelled, or the connection closed, while its tasks were looked for.
    if (this.#wanted.get(id) !== wanted) return tasks.stop()
    this.#wanted.delete(id)
    this.#watched.set(id, tasks)
    const honored = 'params' in message && isRecord(message.params) ? message.params.notifications : filter
    const notifications = { ...(isRecord(honored) && honored), taskIds: tasks.taskIds }
    await this.#inner.send(notificationOf(id, 'notifications/subscriptions/acknowledged', { notifications }))
    tasks.acknowledged()
  }
}

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message
}

/** The request that a message acknowledges. */
function acknowledgedIn(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/subscriptions/acknowledged') return undefined
  const id = message.params?._meta?.[SUBSCRIPTION_ID_META_KEY]
  return isId(id) ? id : undefined
}
