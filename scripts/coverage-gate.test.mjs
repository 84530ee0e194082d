import { describe, expect, it } from 'vitest'
import { uncovered } from './coverage-gate.mjs'

/** @param {number[]} hits of an `if` on line 3 and its `else` on line 5 */
const file = (...hits) => ({
  b: { 0: hits },
  branchMap: { 0: { loc: { start: { line: 3 } }, locations: [{ start: { line: 3 } }, { start: { line: 5 } }] } },
})

describe('the coverage gate', () => {
  it('opens when every branch ran', () => {
    expect(uncovered({ 'src/forms/form-of.ts': file(1, 2) }, ['src/forms/'])).toEqual([])
  })

  it('names the line of a branch that never ran', () => {
    expect(uncovered({ 'src/forms/form-of.ts': file(1, 0) }, ['src/forms/'])).toEqual(['src/forms/form-of.ts:5'])
  })

  it('stays shut for an area that matches no file', () => {
    expect(uncovered({ 'src/forms.ts': file(1, 1) }, ['src/forms/'])).toEqual([
      expect.stringMatching('^src/forms/ matches no file'),
    ])
  })

  it('does not look outside its areas', () => {
    expect(uncovered({ 'src/forms/a.ts': file(1, 1), 'src/other.ts': file(0, 0) }, ['src/forms/'])).toEqual([])
  })
})
