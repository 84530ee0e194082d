import { expect, it } from 'vitest'
import { clientAddress } from './client-address.js'

function from(remoteAddress: string | undefined, headers: Record<string, string> = {}): string | undefined {
  return clientAddress({ socket: { remoteAddress } as never, headers })
}

it('is the address of the other end', () => {
  expect(from('203.0.113.7')).toBe('203.0.113.7')
  expect(from('::ffff:203.0.113.7')).toBe('203.0.113.7')
  expect(from('10.0.0.8')).toBe('10.0.0.8')
  expect(from(undefined)).toBe(undefined)
})

it('is one for a network of IPv6, however it is written', () => {
  expect(from('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(from('2001:db8:1:2::9')).toBe('2001:db8:1:2::/64')
  expect(from('2001:db8::9')).toBe('2001:db8:0:0::/64')
  expect(from('::1')).toBe('0:0:0:0::/64')
  expect(from('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
})

it('is nobody’s behind a proxy that is near, and cannot be hidden by a header from afar', () => {
  const forwarded = { 'x-forwarded-for': '198.51.100.1' }
  expect(from('127.0.0.1', forwarded)).toBe(undefined)
  expect(from('10.0.0.8', forwarded)).toBe(undefined)
  expect(from('203.0.113.7', forwarded)).toBe('203.0.113.7')
})
