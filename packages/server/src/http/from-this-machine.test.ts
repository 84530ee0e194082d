import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { isFromThisMachine } from './from-this-machine.js'

function request(remoteAddress: string | undefined, headers: Record<string, string>, httpVersion = '1.1') {
  return { socket: { remoteAddress }, headers, httpVersion } as unknown as IncomingMessage
}

it.each([
  ['127.0.0.1', 'localhost:3000'],
  ['127.0.0.2', '127.0.0.1'],
  ['::1', '[::1]:3000'],
  ['::ffff:127.0.0.1', 'LOCALHOST'],
])('takes %s, for %s, to be this machine', (address, host) => {
  expect(isFromThisMachine(request(address, { host }))).toBe(true)
})

it.each([
  ['another machine', '192.168.1.5', { host: 'localhost' }],
  ['a container', '172.17.0.1', { host: 'localhost' }],
  ['a socket without an address', undefined, { host: 'localhost' }],
  ['a name that may be a proxy’s', '127.0.0.1', { host: 'tools.example' }],
  ['no name', '127.0.0.1', {}],
  ['a proxy that says so', '127.0.0.1', { host: 'localhost', via: '1.1 proxy' }],
  ['a proxy that says for whom', '127.0.0.1', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }],
  ['a proxy of today', '127.0.0.1', { host: 'localhost', forwarded: 'for=127.0.0.1' }],
  ['a proxy that names an address', '127.0.0.1', { host: 'localhost', 'x-real-ip': '127.0.0.1' }],
])('does not take %s to be this machine', (_what, address, headers) => {
  expect(isFromThisMachine(request(address, headers as Record<string, string>))).toBe(false)
})

it('does not take what only proxies speak to be this machine', () => {
  expect(isFromThisMachine(request('127.0.0.1', { host: 'localhost' }, '1.0'))).toBe(false)
})
