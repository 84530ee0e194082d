import { expect, it } from 'vitest'
import type { AccessRequest } from '../access.js'
import { deviceCookie, deviceOf } from './device.js'

function request(headers: Record<string, string>, remoteAddress = '10.0.0.1'): AccessRequest {
  return { method: 'GET', path: '/', query: '', remoteAddress, header: name => headers[name] }
}

const host = 'localhost:8080'

it('is what the device says, in a header or in its cookie', () => {
  const cookie = 'beckon-device-8080=cookie-id'
  expect(deviceOf(request({ host, cookie, 'x-beckon-device': 'Phone_1.a-b' }), 'alice')).toBe('Phone_1.a-b')
  expect(deviceOf(request({ host, cookie }), 'alice')).toBe('cookie-id')
})

it.each(['', 'with space', 'a'.repeat(65), '<script>', 'a\nb', 'é'])('is not %j', id => {
  const derived = deviceOf(request({ host }), 'alice')
  expect(derived).toMatch(/^d-[\w-]{16}$/)
  expect(deviceOf(request({ host, 'x-beckon-device': id, cookie: `beckon-device-8080=${id}` }), 'alice')).toBe(derived)
})

it('is the same for the same person, program and address, and for no other', () => {
  const ids = [
    deviceOf(request({ 'user-agent': 'a' }), 'alice'),
    deviceOf(request({ 'user-agent': 'b' }), 'alice'),
    deviceOf(request({ 'user-agent': 'a' }), 'bob'),
    deviceOf(request({ 'user-agent': 'a' }, '10.0.0.2'), 'alice'),
  ]
  expect(new Set(ids).size).toBe(4)
  expect(deviceOf(request({ 'user-agent': 'a' }), 'alice')).toBe(ids[0])
})

it('is given to a browser once', () => {
  const random = (length: number): Uint8Array => new Uint8Array(length)
  const [[, cookie] = ['', '']] = deviceCookie(request({ host }), random, undefined)
  expect(cookie).toMatch(/^beckon-device-8080=A{22}; Path=\//)
  expect(deviceCookie(request({ host, cookie: cookie.split(';')[0] ?? '' }), random, undefined)).toEqual([])
})
