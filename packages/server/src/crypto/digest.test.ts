import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { digest } from './digest.js'

it('is the same for the same members in another order, and another for anything else', () => {
  expect(digest({ a: 1, b: { c: 2, d: 3 } })).toBe(digest({ b: { d: 3, c: 2 }, a: 1 }))
  const others = [{}, [], null, undefined, { a: [1] }, { a: '1' }, { a: { a: 1 } }, '{"a":1}']
  expect(new Set([...others, { a: 1 }].map(digest)).size).toBe(others.length + 1)
})

it('takes a date for what JSON makes of it', () => {
  expect(digest({ at: new Date(0) })).toBe(digest({ at: '1970-01-01T00:00:00.000Z' }))
})

it('takes whatever names a client gives to members', () => {
  const texts = [
    '{"toJSON":1}',
    '{"toJSON":{"toJSON":null}}',
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":1}}',
  ]
  expect(new Set([...texts, '{}'].map(text => digest(JSON.parse(text)))).size).toBe(texts.length + 1)
})

it('is that of the JSON with its keys in order, however a value is made up', () => {
  const sorted = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(sorted).join()}]`
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${sorted(member)}`).join()}}`
  }
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), value => {
      const text = sorted(JSON.parse(JSON.stringify(value)))
      expect(digest(value)).toBe(createHash('sha256').update(text).digest('base64url'))
    }),
  )
})

it('leaves out what JSON leaves out', () => {
  expect(digest({ b: undefined, a: [undefined, () => 1], c: Number.NaN, d: Symbol('d') })).toBe(
    digest({ a: [null, null], c: null }),
  )
  expect(digest({ a: { z: undefined, b: new Date(0) } })).toBe(digest({ a: { b: '1970-01-01T00:00:00.000Z' } }))
})
