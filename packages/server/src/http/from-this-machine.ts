// Threat: someone elsewhere who is taken for the person at this machine. Their connection ends at a proxy on this machine, so
// its address proves nothing by itself: what a proxy adds to a request, or leaves of it, counts as well.
// Whatever asks whether a request is of this machine asks here: the server, and the gateway.
// Not defended: a proxy here that hides itself entirely, before a server that was not told its `publicUrl`; and other people
// with a login on this machine.
import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../runtime/loopback.js'

const addedByProxies = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  'x-client-ip',
  'x-original-host',
  'x-envoy-external-address',
  'cf-connecting-ip',
  'true-client-ip',
]

/** Whether a request says that a proxy handed it on. */
export function isForwarded(hasHeader: (name: string) => boolean): boolean {
  return addedByProxies.some(hasHeader)
}

/** Whether a program on this machine sent a request, for one of its own names or one of these, and no proxy handed it on. */
export function isFromThisMachine(
  { socket, headers, httpVersion }: Pick<IncomingMessage, 'socket' | 'headers' | 'httpVersion'>,
  names: readonly string[] = [],
): boolean {
  const hostname = headers.host?.toLowerCase().replace(/:\d+$/, '') ?? ''
  return (
    isLoopback(withoutMapping(socket.remoteAddress ?? '')) &&
    (isLoopback(hostname) || names.includes(hostname)) &&
    // No client speaks this any more, and some proxies do.
    httpVersion !== '1.0' &&
    !isForwarded(name => headers[name] !== undefined)
  )
}

/** An IPv4 address as such, where a socket has it as one of IPv6. */
export function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
