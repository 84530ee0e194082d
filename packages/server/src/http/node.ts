import type { ServerResponse } from 'node:http'
import type { Endpoint } from './endpoint.js'
import { NodeExchange, type NodeRequest } from './exchange/node-exchange.js'
import type { Guard } from './guard.js'
import { serveOwn } from './page.js'
import type { Served } from './served.js'

/** Takes a request of `node:http`. */
export type NodeListener = (request: NodeRequest, response: ServerResponse) => void

/** The face for servers of `node:http` that someone else runs, under whatever path they like. */
export function nodeFace(endpoint: Endpoint, served: Served, guard: Guard): NodeListener {
  return function node(request, response) {
    const exchange = new NodeExchange(request, response)
    if (!serveOwn(exchange, served, guard)) endpoint.handle(exchange, guard)
  }
}

/**
 * A server as a listener of `node:http`.
 * @example
 * app.all('/mcp', toNode(server))
 */
export function toNode(server: { readonly node: NodeListener }): NodeListener {
  return (request, response) => server.node(request, response)
}
