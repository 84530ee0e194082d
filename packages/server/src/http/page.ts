import { pagePathOf } from '../pages/index.js'
import type { Body, Exchange } from './exchange/exchange.js'
import { type Guard, hostRefusal } from './guard.js'
import type { Served } from './served.js'

const plainText = ['Content-Type', 'text/plain', 'Cache-Control', 'no-store']

/** What a form of ours may send. */
const maxFormBytes = 64 * 1024

/** Whether a path is that of a page of our own. A server may be mounted anywhere, also below a `/beckon/` of its own. */
export function isPage(path: string, { hasPage }: Served): boolean {
  const wanted = pagePathOf(path)
  return wanted !== undefined && (hasPage === undefined || hasPage(wanted.name))
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
    const text = textOf(body)
    if (text === undefined)
      return exchange.reply(
        body.kind === 'too-large' ? 413 : 400,
        [...plainText, 'Connection', 'close'],
        'This cannot be read.',
      )
    answer(exchange, page, text).catch(error => {
      served.onError?.(error)
      exchange.reply(500, plainText, 'Something went wrong here, and nothing was done. Try again in a moment.')
    })
  })
}

/** The text of a form, also where a framework has read it already. */
function textOf(body: Body): string | undefined {
  if (body.kind === 'text') return body.text
  if (body.kind !== 'value' || typeof body.value !== 'object' || body.value === null) return undefined
  const form = new URLSearchParams()
  // A form has texts; what else a JSON body can say is none of ours, and need not even become a text.
  for (const [name, given] of Object.entries(body.value))
    for (const value of [given].flat()) if (typeof value !== 'object') form.append(name, String(value))
  return form.toString()
}

async function answer(exchange: Exchange, page: NonNullable<Served['page']>, text: string): Promise<void> {
  const { method } = exchange
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
    exchange.reply(405, ['Allow', 'GET, HEAD, POST'], '')
    return
  }
  const response = await page(exchange.request(method === 'POST' ? text : undefined), exchange.address)
  if (response === undefined) notFound(exchange)
  else await exchange.forward(response)
}

export function notFound(exchange: Exchange): void {
  exchange.reply(404, plainText, 'Not found')
}
