import { endpoint as createEndpoint, type Endpoint } from './endpoint.js'
import { fetchFace } from './fetch.js'
import { type Guard, loopbackHosts } from './guard.js'
import type { Listening, ListenOptions } from './listen.js'
import { type NodeListener, nodeFace } from './node.js'
import type { HttpOptions } from './options.js'
import type { Notifier, Served } from './served.js'

/** A server over HTTP: one set of sessions, behind as many faces as are wanted. */
export interface HttpServing {
  /** For any runtime with web standards; also for Hono: `app.all('/mcp', c => server.fetch(c.req.raw))`. */
  readonly fetch: (request: Request) => Promise<Response>
  /** For any server of `node:http`; also for Express, before or after `express.json()`. */
  readonly node: NodeListener
  /** Starts a server of its own, at `/mcp`. */
  listen(options?: ListenOptions): Promise<Listening>
  /** Starts a server for our own pages alone, on this machine; it lets the process end. */
  listenForPages(): Promise<Listening>
  readonly notify: Notifier
  /** Closes every session and stream, and every server that `listen` started. */
  close(): Promise<void>
}

/** Serves every revision over HTTP. */
export function serveHttp(served: Served, options: HttpOptions = {}): HttpServing {
  const endpoint = createEndpoint(served, options)
  const guard: Guard = { allowedHosts: options.allowedHosts, allowedOrigins: options.allowedOrigins ?? [] }
  const listening = new Set<Listening>()

  async function start(what: Endpoint | undefined, where: ListenOptions & Guard): Promise<Listening> {
    // Node's own server is loaded when it is needed, so that other runtimes can do without.
    const { listen } = await import('./listen.js')
    const server = await listen(what, served, where)
    const close = (): Promise<void> => {
      listening.delete(entry)
      return server.close()
    }
    const entry = { url: server.url, close }
    listening.add(entry)
    return entry
  }

  return {
    fetch: fetchFace(endpoint, served, guard),
    node: nodeFace(endpoint, served, guard),
    listen: (where = {}) => start(endpoint, { ...where, ...guard }),
    listenForPages: () => start(undefined, { isBackground: true, allowedHosts: loopbackHosts, allowedOrigins: [] }),
    notify: endpoint.notify,
    async close() {
      const servers = [...listening].map(server => server.close())
      await endpoint.close()
      await Promise.all(servers)
    },
  }
}
