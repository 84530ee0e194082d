// By which address strangers are told apart, where they are counted. Threat: someone who looks like many. Of IPv6 a network
// counts as one, since anyone who has one address there has the others as well; and what a request says of itself counts for
// nothing. Behind a proxy that is near, everybody has its address, and none counts.
import type { IncomingMessage } from 'node:http'
import { isForwarded, withoutMapping } from './from-this-machine.js'

const near = /^(127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|::1$|f[cd]|fe[89ab])/i

/** Where a request came from; undefined where that cannot be seen. */
export function clientAddress({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string | undefined {
  if (socket.remoteAddress === undefined) return undefined
  const address = withoutMapping(socket.remoteAddress)
  if (near.test(address) && isForwarded(name => headers[name] !== undefined)) return undefined
  return address.includes(':') ? networkOf(address) : address
}

/** The first 64 bits of an IPv6 address. */
function networkOf(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}
