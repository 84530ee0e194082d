import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AccessRequest, AccessResponse } from './access.js'

export interface RequestOptions {
  /**
   * Addresses of proxies in front of the desk. Their `X-Forwarded-For` is believed, from the right, up to the first
   * address that is not one of them; nobody else's is.
   */
  readonly proxies?: readonly string[] | undefined
}

/** What access sees of a request or an upgrade of `node:http`. */
export function requestOf(message: IncomingMessage, { proxies = [] }: RequestOptions = {}): AccessRequest {
  const [path = '', ...rest] = (message.url ?? '').split('?')
  const header = (name: string): string | undefined => {
    const value = message.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }
  return {
    method: message.method ?? '',
    path,
    query: rest.join('?'),
    remoteAddress: clientOf(message.socket.remoteAddress ?? '', header('x-forwarded-for'), proxies),
    header,
  }
}

/** Sends an answer of access. */
export function sendResponse(outgoing: ServerResponse, { status, headers, body }: AccessResponse): void {
  outgoing.statusCode = status
  for (const [name, value] of headers) outgoing.appendHeader(name, value)
  outgoing.end(body)
}

/** Sends an answer of access instead of an upgrade. */
export function refuseUpgrade(socket: Duplex, { status, headers, body }: AccessResponse): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  // Nobody listens to this socket any more, and its errors would end the process.
  socket.on('error', () => socket.destroy())
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

function clientOf(peer: string, forwardedFor: string | undefined, proxies: readonly string[]): string {
  const isProxy = (address: string): boolean => proxies.includes(address.replace(/^::ffff:/i, ''))
  const hops = [...(forwardedFor?.split(',').map(hop => hop.trim()) ?? []), peer].reverse()
  return hops.find(hop => !isProxy(hop)) ?? peer
}
