import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Visitor } from './asks/gate.js'
import type { DeskParts } from './desk-parts.js'
import { openAsksPage } from './open-asks-page.js'

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Answers the requests of someone who has been let in. */
export function serveHttp({
  order,
}: DeskParts): (incoming: IncomingMessage, outgoing: ServerResponse, visitor: Visitor) => void {
  return (incoming, outgoing, visitor) => {
    if (incoming.method === 'GET' && incoming.url?.split('?')[0] === '/') {
      outgoing.writeHead(200, pageHeaders).end(openAsksPage(order.state, visitor))
    } else outgoing.writeHead(404).end()
  }
}
