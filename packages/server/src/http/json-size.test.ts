import fc from 'fast-check'
import { expect, it } from 'vitest'
import { excessIn, excessOf } from './json-size.js'

it('says the same of a text and of its value', () => {
  const small = fc.record({ values: fc.nat(12), depth: fc.nat(5) })
  // Texts that look like JSON themselves, among them.
  const text = fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', '{', '}', 'a', '\n') })
  const value = fc.letrec(tie => ({
    value: fc.oneof(
      { maxDepth: 5 },
      text,
      fc.integer(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    ),
  })).value
  fc.assert(
    fc.property(value, small, fc.constantFrom(undefined, 1), (value, limits, space) => {
      const excess = excessOf(value, limits)
      // Where there is too much of both, either is told.
      expect(excessIn(JSON.stringify(value, null, space), limits) === undefined).toBe(excess === undefined)
    }),
    { numRuns: 2_000 },
  )
})

it('counts what is in objects and lists, and an empty one as one', () => {
  const count = (text: string) => {
    let values = 0
    while (excessIn(text, { values, depth: 9 }) !== undefined) values++
    return values
  }
  expect(['5', '"a,b"', '[1,2]', '{"a":1,"b":[2,3]}', '[]', '[{},{}]'].map(count)).toEqual([0, 0, 2, 4, 1, 4])
})

it.each(['"', '"\\', '{"a', ']]]', ',', ''])('ends for %j, which is no JSON', text => {
  expect(excessIn(text, { values: 9, depth: 9 })).toBeUndefined()
})

it('looks at no more of a value than it may have', () => {
  let looked = 0
  const list = new Proxy(Array.from({ length: 1_000 }), {
    get: (target, name) => {
      looked++
      return Reflect.get(target, name)
    },
  })
  expect(excessOf({ list }, { values: 10, depth: 9 })).toBe('values')
  expect(looked).toBeLessThan(20)
})
