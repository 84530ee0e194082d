import type { Endpoint } from './endpoint.js'
import { FetchExchange } from './exchange/fetch-exchange.js'
import type { Guard } from './guard.js'
import { isPage, servePage } from './page.js'
import type { Served } from './served.js'

/** The face for runtimes with web standards. */
export function fetchFace(endpoint: Endpoint, served: Served, guard: Guard): (request: Request) => Promise<Response> {
  return async function fetch(request) {
    const exchange = new FetchExchange(request)
    if (isPage(exchange.path, served)) servePage(exchange, served, guard)
    else endpoint.handle(exchange, guard)
    return exchange.response
  }
}
