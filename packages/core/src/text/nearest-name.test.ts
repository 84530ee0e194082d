import { expect, it } from 'vitest'
import { nearestName } from './nearest-name.js'

const known = ['question', 'schema', 'timeoutMs', 'key', 'show', 'audience', 'quorum']

it.each([
  ['sheme', 'schema'],
  ['qeustion', 'question'],
  ['timeoutms', 'timeoutMs'],
  ['shows', 'show'],
  ['audiance', 'audience'],
  ['quorun', 'quorum'],
  ['keys', 'key'],
])('takes %s for %s', (name, meant) => {
  expect(nearestName(name, known)).toBe(meant)
})

it.each(['colour', 'constructor', '', 'x'.repeat(1_000_000)])('takes %.12s for nothing', name => {
  expect(nearestName(name, known)).toBeUndefined()
})

it('takes nothing for one of none', () => {
  expect(nearestName('question', [])).toBeUndefined()
})
