// Threat: someone elsewhere who is taken for the person at this machine. Their connection ends at a proxy on this machine, so
// its address proves nothing by itself: what a proxy adds to a request, or leaves of it, counts as well.
// Not defended: a proxy here that hides itself entirely, before a server that was not told its `publicUrl`; and other people
// with a login on this machine.
import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../runtime/loopback.js'

const addedByProxies = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** Whether a program on this machine sent a request, and no proxy handed it on. */
export function isFromThisMachine({ socket, headers, httpVersion }: IncomingMessage): boolean {
  const { remoteAddress = '' } = socket
  const hostname = headers.host?.replace(/:\d+$/, '') ?? ''
  return (
    isLoopback(remoteAddress.replace(/^::ffff:/, '')) &&
    isLoopback(hostname) &&
    // No client speaks this any more, and some proxies do.
    httpVersion !== '1.0' &&
    !addedByProxies.some(name => headers[name] !== undefined)
  )
}
