import { createMcpHandler } from '@modelcontextprotocol/server'
import { withAllowedResources } from './allowed-resources.js'
import type { Exchange, HttpResponse } from './exchange/exchange.js'
import { TaskListeners } from './listen-tasks.js'
import { Listeners } from './listeners.js'
import { refuse } from './reply-with.js'
import type { Link, Notifier, Served } from './served.js'
import type { SharedInterval } from './shared-interval.js'
import { internalError } from './wire-error.js'

/** Everything of 2026-07-28 that the lean path does not take, served by the SDK. */
export interface Modern {
  serve(
    exchange: Exchange,
    request: Request,
    call: { readonly message: unknown; readonly principal: string | undefined },
  ): void
  readonly notify: Notifier
  close(): Promise<void>
}

export function modern(served: Served, keepAliveMs: number, keepAlive: SharedInterval<HttpResponse>): Modern {
  const links = new WeakMap<Request, Link>()
  const listeners = new Listeners()
  const taskListeners = new TaskListeners(served, listeners, keepAlive)
  const handler = createMcpHandler(
    ({ requestInfo }) => served.createServer((requestInfo && links.get(requestInfo)) ?? linkFor(undefined)),
    { legacy: 'reject', keepAliveMs, bus: listeners },
  )

  async function serve(
    ...[exchange, request, { message: sent, principal }]: Parameters<Modern['serve']>
  ): Promise<void> {
    const link = {
      ...linkFor(principal),
      isLocal: !served.isPublic && exchange.isLocal,
      address: () => exchange.address,
    }
    const message = await withAllowedResources(sent, uri =>
      served.maySubscribe === undefined
        ? true
        : served.maySubscribe(uri, { link, header: name => exchange.header(name) }),
    )
    if (taskListeners.serve(exchange, message, link)) return
    links.set(request, link)
    const response = await listeners.serve(link, () => handler.fetch(request, { parsedBody: message }))
    await exchange.forward(response)
  }

  return {
    serve: (...call) =>
      void serve(...call).catch(error => {
        served.onError?.(error)
        refuse(call[0], 500, internalError)
      }),
    notify: listeners.notify,
    close() {
      taskListeners.close()
      return handler.close()
    },
  }
}

function linkFor(principal: string | undefined): Link {
  return { era: '2026', transport: 'http', principal, sessionId: undefined, subscriptions: new Set() }
}
