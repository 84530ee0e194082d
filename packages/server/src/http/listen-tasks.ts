// `subscriptions/listen` with task ids over HTTP: the SDK's event bus has no tasks, so such a stream is served here, with
// everything else that it asks for. There are so many streams.
import type { Exchange, HttpResponse } from './exchange/exchange.js'
import type { Listeners } from './listeners.js'
import { eventOf, eventStreamHeaders, refuse } from './reply-with.js'
import type { Link, Served } from './served.js'
import type { SharedInterval } from './shared-interval.js'
import {
  maxTaskIds,
  notificationOf,
  type SendNotification,
  type WantedTasks,
  wantedTasksIn,
  watchTasks,
} from './watched-tasks.js'
import { internalError, wireErrorOf } from './wire-error.js'

const maxStreams = 1_000

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
    const wanted = this.#served.watchTask === undefined ? undefined : wantedTasksIn(message)
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

  async #listen(exchange: Exchange, wanted: WantedTasks, link: Link): Promise<void> {
    const { id, taskIds, filter } = wanted
    const open = this.#open
    const send: SendNotification = (method, params) =>
      void exchange.write(eventOf(JSON.stringify(notificationOf(id, method, params))))
    if (open.size >= maxStreams || taskIds.length > maxTaskIds)
      throw Object.assign(
        new Error(`A server takes at most ${maxStreams} such streams, each with at most ${maxTaskIds} tasks.`),
        {
          code: -32602,
        },
      )
    const tasks = await watchTasks(this.#served, { wanted, principal: link.principal, send })
    const stops = [() => tasks.stop()]
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
    send('notifications/subscriptions/acknowledged', { notifications: { ...filter, taskIds: tasks.taskIds } })
    tasks.acknowledged()
  }
}
