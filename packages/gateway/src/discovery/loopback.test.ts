import { expect, it } from 'vitest'
import { isLoopbackAddress, isLoopbackSocket } from './loopback.js'

it.each(['ws://127.0.0.1:80/', 'ws://localhost/x', 'ws://[::1]:9/', 'ws://127.9.9.9/', 'ws://LOCALHOST:1'])(
  'takes %s for this machine',
  url => expect(isLoopbackSocket(url)).toBe(true),
)

it.each([
  'ws://127.0.0.1.evil.example/',
  'ws://evil.example/?127.0.0.1',
  'ws://127.0.0.1@evil.example/',
  'ws://user@127.0.0.1/',
  'ws://0.0.0.0/',
  'ws://[::ffff:192.0.2.1]/',
  'wss://127.0.0.1/',
  'http://127.0.0.1/',
  'ws:',
  '',
])('does not take %j for it', url => expect(isLoopbackSocket(url)).toBe(false))

it('knows the addresses of this machine', () => {
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(isLoopbackAddress(address)).toBe(true)
  for (const address of [undefined, '', '10.0.0.1', '::ffff:10.0.0.1', '::1234'])
    expect(isLoopbackAddress(address)).toBe(false)
})
