import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Exchange } from './exchange/exchange.js'
import { refuse } from './reply-with.js'
import type { Link, Notifier, Served } from './served.js'
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

export function modern(served: Served, keepAliveMs: number): Modern {
  const principals = new WeakMap<Request, string>()
  const handler = createMcpHandler(
    ({ requestInfo }) => served.createServer(linkFor(requestInfo && principals.get(requestInfo))),
    { legacy: 'reject', keepAliveMs },
  )

  async function serve(...[exchange, request, { message, principal }]: Parameters<Modern['serve']>): Promise<void> {
    if (principal !== undefined) principals.set(request, principal)
    await exchange.forward(await handler.fetch(request, { parsedBody: message }))
  }

  return {
    serve: (...call) =>
      void serve(...call).catch(error => {
        served.onError?.(error)
        refuse(call[0], 500, internalError)
      }),
    notify: handler.notify,
    close: () => handler.close(),
  }
}

function linkFor(principal: string | undefined): Link {
  return { era: '2026', transport: 'http', principal, sessionId: undefined, subscriptions: new Set() }
}
