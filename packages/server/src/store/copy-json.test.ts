import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyCharacter } from '../../../../test/any-character.js'
import { copyJson } from './copy-json.js'
import type { JsonValue } from './json.js'

it('makes what JSON makes, of every JSON value', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: anyCharacter }), generated => {
      // The same type under another name.
      const value = generated as JsonValue
      const copy = copyJson(value)
      expect(JSON.stringify(copy)).toBe(JSON.stringify(value))
      expect(copy).toStrictEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

it('makes what JSON makes, of everything else that has JSON', () => {
  const anything = fc.anything({ withDate: true, withMap: true, withSet: true, withNullPrototype: true })
  fc.assert(
    fc.property(anything, generated => {
      // Not JSON by its type, but a caller in JavaScript can pass it.
      const value = generated as JsonValue
      const text: string | undefined = JSON.stringify(value)
      if (text === undefined) expect(() => copyJson(value)).toThrow(TypeError)
      else expect(JSON.stringify(copyJson(value))).toBe(text)
    }),
  )
})

it('shares nothing with what it copied', () => {
  const value = { list: [{ a: 1 }], deep: nested(300) }
  const copy = copyJson(value)
  const text = JSON.stringify(copy)
  value.list[0] = { a: 2 }
  value.list.push({ a: 3 })
  nestedAt(value.deep, 250).push('changed')
  expect(JSON.stringify(copy)).toBe(text)
})

it('keeps a property named __proto__ a property', () => {
  const copy = copyJson(JSON.parse('{"__proto__":{"polluted":true},"a":1}'))
  expect(Object.keys(copy ?? {})).toEqual(['__proto__', 'a'])
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
})

it('refuses a cycle with a TypeError', () => {
  const cycle: JsonValue[] = []
  cycle.push([cycle])
  expect(() => copyJson(cycle)).toThrow(TypeError)
})

function nested(levels: number): JsonValue[] {
  return levels === 0 ? [] : [nested(levels - 1)]
}

function nestedAt(value: JsonValue[], levels: number): JsonValue[] {
  const inner = value[0]
  return levels === 0 || !Array.isArray(inner) ? value : nestedAt(inner, levels - 1)
}
