import { describe, expect, it } from 'vitest'
import { isNestedTooDeeply } from './nesting.js'

describe('nesting', () => {
  it('is counted by what is open at once, not by how many brackets there are', () => {
    expect(isNestedTooDeeply(`[${'[],'.repeat(10_000)}{}]`)).toBe(false)
    expect(isNestedTooDeeply('['.repeat(64))).toBe(false)
    expect(isNestedTooDeeply('['.repeat(65))).toBe(true)
    expect(isNestedTooDeeply('{"a":'.repeat(65))).toBe(true)
  })

  it('does not count what is inside a string', () => {
    expect(isNestedTooDeeply(JSON.stringify({ text: '[{'.repeat(100) }))).toBe(false)
    expect(isNestedTooDeeply(JSON.stringify('"\\'.repeat(10) + '['.repeat(100)))).toBe(false)
    expect(isNestedTooDeeply(`"\\\\"${'['.repeat(65)}`)).toBe(true)
  })
})
