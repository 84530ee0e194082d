// `subscriptions/listen` with task ids: the SDK's event bus has no tasks, so such a stream is served here, with everything
// else that it asks for.
//
// Threat: someone who listens for the tasks of others. Only ids of the caller's own are acknowledged; another's is as one
// that is not there. A stream names so many tasks, and there are so many streams.
import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server'
import type { ClientCapabilities } from '../call/incoming.js'
import type { Exchange, HttpResponse } from './exchange/exchange.js'
import { isJsonObject } from './json-object.js'
import { isId } from './lean/regular-request.js'
import type { Listeners } from './listeners.js'
import { eventOf, eventStreamHeaders, type RequestId, refuse } from './reply-with.js'
import type { Link, Served } from './served.js'
import type { SharedInterval } from './shared-interval.js'
import { internalError, wireErrorOf } from './wire-error.js'

const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'
const maxTaskIds = 100
const maxStreams = 1_000

/** A request to be told of tasks. */
interface Wanted {
  readonly id: RequestId
  readonly taskIds: readonly string[]
  readonly filter: Readonly<Record<string, unknown>>
  readonly capabilities: ClientCapabilities
}

export class TaskListeners {
  readonly #served: Served
  readonly #listeners: Listeners
  readonly #keepAlive: SharedInterval<HttpResponse>
  readonly #open = new Set<() => void>()

  constructor(served: Served, listeners: Listeners, keepAlive: SharedInterval<HttpResponse>) {
    this.#served = served
    this.#listeners = listeners
    this.#keepAlive = keepAlive
  }

  /** Serves a request that names tasks. False for any other, which is the SDK's. */
  serve(exchange: Exchange, message: unknown, link: Link): boolean {
    const wanted = this.#served.watchTask === undefined ? undefined : wantedIn(message)
    if (wanted === undefined) return false
    void this.#listen(exchange, wanted, link).catch(error => {
      const known = wireErrorOf(error)
      if (known === undefined) this.#served.onError?.(error)
      refuse(exchange, known === undefined ? 500 : 400, { id: wanted.id, ...(known ?? internalError) })
    })
    return true
  }

  close(): void {
    for (const end of this.#open) end()
  }

  async #listen(exchange: Exchange, { id, taskIds, filter, capabilities }: Wanted, link: Link): Promise<void> {
    const { served, open } = { served: this.#served, open: this.#open }
    const stops: (() => void)[] = []
    const send = (method: string, params: Record<string, unknown>) =>
      exchange.write(
        eventOf(
          JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, _meta: { [SUBSCRIPTION_ID_META_KEY]: id } } }),
        ),
      )
    if (open.size >= maxStreams || taskIds.length > maxTaskIds)
      throw Object.assign(new Error(`A server has ${maxStreams} such streams, each with ${maxTaskIds} tasks.`), {
        code: -32602,
      })
    // What happens before the stream is acknowledged is told after that.
    const early: Record<string, unknown>[] = []
    let isOpen = false
    const tell = (task: Record<string, unknown>) => {
      if (isOpen) send('notifications/tasks', task)
      else early.push(task)
    }
    const honored: string[] = []
    for (const taskId of taskIds) {
      const stop = await served.watchTask?.({ taskId, principal: link.principal, capabilities }, tell)
      if (stop === undefined) continue
      honored.push(taskId)
      stops.push(stop)
    }
    const end = () => {
      for (const stop of stops.splice(0)) stop()
      open.delete(end)
      this.#keepAlive.delete(exchange)
      exchange.end()
    }
    open.add(end)
    exchange.onGone(end)
    exchange.open(eventStreamHeaders)
    this.#keepAlive.add(exchange)
    stops.push(this.#listeners.listen(link, filter, send))
    send('notifications/subscriptions/acknowledged', { notifications: { ...filter, taskIds: honored } })
    isOpen = true
    for (const task of early) tell(task)
  }
}

function wantedIn(message: unknown): Wanted | undefined {
  if (!isJsonObject(message) || message.method !== 'subscriptions/listen' || !isId(message.id)) return undefined
  const { params } = message
  if (!isJsonObject(params) || !isJsonObject(params.notifications) || !isJsonObject(params._meta)) return undefined
  const { taskIds, ...filter } = params.notifications
  if (!Array.isArray(taskIds) || !taskIds.every(taskId => typeof taskId === 'string')) return undefined
  const capabilities = params._meta[capabilitiesKey]
  return { id: message.id, taskIds, filter, capabilities: isJsonObject(capabilities) ? capabilities : {} }
}
