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
    answer(exchange, page, body.text).catch(error => {
      served.onError?.(error)
      exchange.reply(500, [], '')
    })
  })
}

async function answer(exchange: Exchange, page: NonNullable<Served['page']>, text: string): Promise<void> {
  const { method } = exchange
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
    exchange.reply(405, ['Allow', 'GET, HEAD, POST'], '')
    return
  }
  const response = await page(exchange.request(method === 'POST' ? text : undefined))
  if (response === undefined) notFound(exchange)
  else await exchange.forward(response)
}

export function notFound(exchange: Exchange): void {
  exchange.reply(404, plainText, 'Not found')
}
