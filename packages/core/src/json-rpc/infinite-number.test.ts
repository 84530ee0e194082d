import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasInfiniteNumber } from './index.js'

const isFound = (text: string) => hasInfiniteNumber(text, JSON.parse(text))

it.each([
  '1e400',
  '[-1E+999]',
  '{"a":[{"b":1e309}]}',
  `[${'9'.repeat(309)}]`,
  `${'1'.repeat(250)}e99`,
  `0.${'0'.repeat(40)}1e400`,
])('finds what is read as infinity in %s', text => {
  expect(isFound(text)).toBe(true)
})

it.each(['null', '"1e400"', '[1e300]', '-0', '1e-400', `"${'9'.repeat(400)}"`, `1.${'9'.repeat(400)}`])(
  'finds nothing in %s',
  text => {
    expect(isFound(text)).toBe(false)
  },
)

it('finds nothing in what JSON was made of', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), value => {
      expect(isFound(JSON.stringify(value))).toBe(false)
    }),
  )
})
