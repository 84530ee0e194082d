import { expect, it } from 'vitest'
import { isLoopbackSocket } from './loopback.js'

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
