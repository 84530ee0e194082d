import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalJson } from './index.js'

// From RFC 8785, section 3.2.2 and its sorting example in 3.2.3.
it('writes the examples of RFC 8785 as that does', () => {
  const values = {
    numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"/',
    literals: [null, true, false],
  }
  expect(canonicalJson(values)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
  const keys = {
    '\u20ac': 'Euro',
    '\r': 'Return',
    '\ufb33': 'Dalet',
    1: 'One',
    '\ud83d\ude00': 'Smile',
    '\u0080': 'Control',
    '\u00f6': 'O',
  }
  expect(Object.values(JSON.parse(canonicalJson(keys) ?? '') as object)).toEqual([
    'One',
    'Return',
    'Control',
    'O',
    'Euro',
    'Smile',
    'Dalet',
  ])
})

it('is the same whatever the order of keys, and reads back as what it was', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), value => {
      const text = canonicalJson(value) ?? ''
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(canonicalJson(turned(value))).toBe(text)
    }),
  )
})

it('leaves out what JSON leaves out, and has no word for what JSON has none for', () => {
  expect(canonicalJson({ b: undefined, a: [undefined, () => 1], c: Number.NaN, d: Symbol('d'), e: -0 })).toBe(
    '{"a":[null,null],"c":null,"e":0}',
  )
  expect(canonicalJson({ at: new Date(0), toJSON: 'a text' })).toBe(
    '{"at":"1970-01-01T00:00:00.000Z","toJSON":"a text"}',
  )
  expect(canonicalJson({ a: { toJSON: () => undefined } })).toBe('{"a":null}')
  expect(canonicalJson(Object.assign(Object.create(null), { b: 1, a: '\ud800' }))).toBe('{"a":"\\ud800","b":1}')
  expect(canonicalJson(undefined)).toBeUndefined()
})

/** The same value, with the keys of its objects the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, turned(member)]),
  )
}
