import { pagePathOf } from '../pages/index.js'
import type { Body, Exchange } from './exchange/exchange.js'
import { type Guard, hostRefusal } from './guard.js'
import { jsonHeaders } from './reply-with.js'
import type { Served } from './served.js'

const plainText = ['Content-Type', 'text/plain', 'Cache-Control', 'no-store']

/** What a form of ours may send. */
const maxFormBytes = 64 * 1024

/** Whether a path is that of a page of our own. A server may be mounted anywhere, also below a `/beckon/` of its own. */
function isPage(path: string, { hasPage }: Served): boolean {
  const wanted = pagePathOf(path)
  return wanted !== undefined && (hasPage === undefined || hasPage(wanted.name))
}

/** Answers a request for something of the server's own beside the endpoint; false when it is for something else. */
export function serveOwn(exchange: Exchange, served: Served, guard: Guard): boolean {
  const document = served.document?.(exchange.path)
  if (document !== undefined) serveDocument(exchange, document, { served, guard })
  else if (isPage(exchange.path, served)) servePage(exchange, served, guard)
  else return false
  return true
}

// What is for everybody is for pages of everybody: a client may run in a browser.
const documentHeaders = ['Access-Control-Allow-Origin', '*', 'Cache-Control', 'no-cache']
const preflightHeaders = ['Access-Control-Allow-Methods', 'GET', 'Access-Control-Allow-Headers', '*']

function serveDocument(
  exchange: Exchange,
  document: Promise<Record<string, unknown> | undefined>,
  { served, guard }: { readonly served: Served; readonly guard: Guard },
): void {
  document.then(
    found => {
      const refused = hostRefusal(exchange, guard)
      if (refused !== undefined) exchange.reply(403, plainText, refused)
      else if (found === undefined) notFound(exchange)
      else if (exchange.method === 'OPTIONS') exchange.reply(204, [...documentHeaders, ...preflightHeaders], '')
      else if (exchange.method !== 'GET' && exchange.method !== 'HEAD')
        exchange.reply(405, ['Allow', 'GET, HEAD, OPTIONS'], '')
      else exchange.reply(200, [...jsonHeaders, ...documentHeaders], JSON.stringify(found))
    },
    error => {
      served.onError?.(error)
      exchange.reply(500, plainText, 'Something went wrong here. Try again in a moment.')
    },
  )
}

/** Answers with a page of the server's own, or 404. */
function servePage(exchange: Exchange, served: Served, guard: Guard): void {
  const { page } = served
  const refused = hostRefusal(exchange, guard)
  if (page === undefined || refused !== undefined) {
    exchange.reply(refused === undefined ? 404 : 403, plainText, refused ?? 'Not found')
    return
  }
  const takesStreams = served.takesStreams?.(pagePathOf(exchange.path)?.name ?? '') === true
  const reply = (body: string | ReadableStream<Uint8Array>) =>
    answer(exchange, page, { body, takesStreams }).catch(error => {
      served.onError?.(error)
      exchange.reply(500, plainText, 'Something went wrong here, and nothing was done. Try again in a moment.')
    })
  const unreadable = (status: number) =>
    exchange.reply(status, [...plainText, 'Connection', 'close'], 'This cannot be read.')
  if (exchange.method === 'POST' && takesStreams) {
    const body = exchange.stream()
    if (body === undefined) unreadable(400)
    else void reply(body)
    return
  }
  exchange.receive(maxFormBytes, body => {
    const text = textOf(body)
    if (text === undefined) unreadable(body.kind === 'too-large' ? 413 : 400)
    else void reply(text)
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

async function answer(
  exchange: Exchange,
  page: NonNullable<Served['page']>,
  { body, takesStreams }: { readonly body: string | ReadableStream<Uint8Array>; readonly takesStreams: boolean },
): Promise<void> {
  const { method } = exchange
  // What takes streams may take those of other sites' pages, which ask first.
  const methods = ['GET', 'HEAD', 'POST', ...(takesStreams ? ['OPTIONS'] : [])]
  if (!methods.includes(method)) {
    exchange.reply(405, ['Allow', methods.join(', ')], '')
    return
  }
  const response = await page(exchange.request(method === 'POST' ? body : undefined), exchange.address)
  if (response === undefined) notFound(exchange)
  else await exchange.forward(response)
}

export function notFound(exchange: Exchange): void {
  exchange.reply(404, plainText, 'Not found')
}
