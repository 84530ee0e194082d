import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isNestedTooDeeply } from './nesting.js'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

it('counts what is open at once, in lists and objects', () => {
  expect(isNestedTooDeeply(nested(100))).toBe(false)
  expect(isNestedTooDeeply(nested(101))).toBe(true)
  expect(isNestedTooDeeply('{"a":'.repeat(101))).toBe(true)
  expect(isNestedTooDeeply(`[${'[],{},'.repeat(1_000)}1]`)).toBe(false)
})

it('does not count what is in texts', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      const json = JSON.stringify({ text: `${'['.repeat(200)}${text}"\\{` })
      expect(isNestedTooDeeply(json)).toBe(false)
      expect(isNestedTooDeeply(`{"a":${json},"b":${nested(101)}}`)).toBe(true)
    }),
  )
})
