import type { Endpoint } from './endpoint.js'
import { FetchExchange } from './exchange/fetch-exchange.js'
import type { Guard } from './guard.js'
import { serveOwn } from './page.js'
import type { Served } from './served.js'

/** The face for runtimes with web standards. */
export function fetchFace(endpoint: Endpoint, served: Served, guard: Guard): (request: Request) => Promise<Response> {
  return async function fetch(request) {
    const exchange = new FetchExchange(request)
    if (!serveOwn(exchange, served, guard)) endpoint.handle(exchange, guard)
    return exchange.response
  }
}
