import { expect, it } from 'vitest'
import { ownHost } from './own-host.js'

it.each(['127.0.0.1', '127.0.0.2', 'localhost', '::1'])('listens on %s', host => {
  expect(ownHost(host)).toBe(host)
})

it.each(['0.0.0.0', '::', '192.168.1.5', 'example.com', '127.0.0.1.example', 'localhost.example', ''])(
  'does not listen on "%s", where others could reach it',
  host => {
    expect(() => ownHost(host)).toThrow('reached from elsewhere')
  },
)
