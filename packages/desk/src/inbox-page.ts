// The inbox, served as it was built. Its page may run its own script and talk to its own desk, and nothing else: what a
// tool sends is shown as text, and were it ever taken for markup, the browser would still run none of it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type PageFile, readPageFiles } from '@beckon/inbox/page'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  // The pages of widgets, which have an origin of their own; and wherever such a page tries to go, it does not get there.
  "frame-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html beckon-worker',
].join('; ')

const headers = {
  'content-security-policy': policy,
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Answers a request for a file of the inbox; false when it is for something else. */
export async function serveInbox(path: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<boolean> {
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return false
  const files = await readPageFiles()
  const file = files.get(isPage(path) ? '/' : path)
  if (file !== undefined) {
    send(file, incoming, outgoing)
    return true
  }
  if (!isPage(path)) return false
  outgoing.writeHead(503, { ...headers, 'content-type': 'text/plain; charset=utf-8' })
  outgoing.end('The inbox is not built. Run "npm run build", and start the desk again.\n')
  return true
}

/** A link to an ask is to the page, which finds it by the address. */
function isPage(path: string): boolean {
  return path === '/' || path.startsWith('/asks/')
}

function send(
  { body, brotli, type, etag, isImmutable }: PageFile,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) {
  const caching = isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache'
  const known = { ...headers, 'content-type': type, 'cache-control': caching, etag, vary: 'accept-encoding' }
  if (incoming.headers['if-none-match'] === etag) {
    outgoing.writeHead(304, known).end()
    return
  }
  const isSmaller = /\bbr\b/.test(String(incoming.headers['accept-encoding']))
  outgoing.writeHead(200, { ...known, ...(isSmaller && { 'content-encoding': 'br' }) })
  outgoing.end(isSmaller ? brotli : body)
}
