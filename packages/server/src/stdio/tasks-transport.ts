// Who asks on one connection, by `subscriptions/listen`, to be told of tasks, is told of them there. The SDK serves the request and
// knows nothing of tasks: what it acknowledges gets the tasks added on its way out.
import { isRecord } from '@beckon/core/json-rpc'
import {
  type JSONRPCMessage,
  type MessageExtraInfo,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server'
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

export class TasksTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void
  readonly #inner: Transport
  readonly #served: Served
  readonly #principal: string | undefined
  /** Requests that were not acknowledged yet. */
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
    // It was refused.
    if ('id' in message && isId(message.id)) this.#wanted.delete(message.id)
    return this.#inner.send(message, options)
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    const wanted = wantedTasksIn(message)
    if (wanted !== undefined && wanted.taskIds.length > maxTaskIds) {
      const error = { code: -32602, message: `A request names at most ${maxTaskIds} tasks.` }
      this.#inner.send({ jsonrpc: '2.0', id: wanted.id, error }).catch(() => {})
      return
    }
    if (wanted !== undefined && this.#wanted.size < maxListening) this.#wanted.set(wanted.id, wanted)
    if ('method' in message && message.method === 'notifications/cancelled') this.#cancel(message.params?.requestId)
    this.onmessage?.(message, extra)
  }

  #cancel(id: unknown): void {
    if (!isId(id)) return
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
    if (!this.#wanted.delete(id)) return tasks.stop()
    this.#watched.set(id, tasks)
    const honored = 'params' in message && isRecord(message.params) ? message.params.notifications : filter
    const notifications = { ...(isRecord(honored) && honored), taskIds: tasks.taskIds }
    await this.#inner.send(notificationOf(id, 'notifications/subscriptions/acknowledged', { notifications }))
    tasks.acknowledged()
  }
}

/** The request that a message acknowledges. */
function acknowledgedIn(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/subscriptions/acknowledged') return undefined
  const id = message.params?._meta?.[SUBSCRIPTION_ID_META_KEY]
  return isId(id) ? id : undefined
}
