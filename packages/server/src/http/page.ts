import type { Exchange } from './exchange/exchange.js'
import { type Guard, hostRefusal } from './guard.js'
import type { Served } from './served.js'

const plainText = ['Content-Type', 'text/plain']

/** What a form of ours may send. */
const maxFormBytes = 64 * 1024

/** Whether a path is one of our own pages; they are all under `/beckon/`, also below a prefix. */
export function isPage(path: string): boolean {
  return path.includes('/beckon/')
}

/** Answers with a page of the server's own, or 404. */
export function servePage(exchange: Exchange, served: Served, guard: Guard): void {
  const { page } = served
  const refused = hostRefusal(exchange, guard)
  if (page === undefined || refused !== undefined) {
    exchange.reply(refused === undefined ? 404 : 403, plainText, refused ?? 'Not found')
    return
  }
  exchange.receive(maxFormBytes, body => {
    if (body.kind !== 'text') return exchange.reply(body.kind === 'too-large' ? 413 : 400, ['Connection', 'close'], '')
    const hasBody = exchange.method !== 'GET' && exchange.method !== 'HEAD'
    Promise.resolve(exchange.request(hasBody ? body.text : undefined))
      .then(page)
      .then(response => (response === undefined ? notFound(exchange) : exchange.forward(response)))
      .catch(error => {
        served.onError?.(error)
        exchange.reply(500, [], '')
      })
  })
}

export function notFound(exchange: Exchange): void {
  exchange.reply(404, plainText, 'Not found')
}
