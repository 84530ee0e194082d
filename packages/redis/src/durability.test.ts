import { expect, it } from 'vitest'
import { describeProblems } from './durability.js'

const right = { aofEnabled: '1', appendfsync: 'always', maxmemoryPolicy: 'noeviction' }

it('finds nothing wrong with settings that keep everything, nor with those it does not know', () => {
  expect(describeProblems(right)).toEqual([])
  expect(describeProblems({ aofEnabled: '', appendfsync: '', maxmemoryPolicy: '' })).toEqual([])
})

it('says what to set', () => {
  const problemsWith = (wrong: Partial<typeof right>): string => describeProblems({ ...right, ...wrong }).join('\n')
  expect(problemsWith({ aofEnabled: '0' })).toContain('appendonly yes')
  expect(problemsWith({ appendfsync: 'everysec' })).toContain('appendfsync always')
  expect(problemsWith({ maxmemoryPolicy: 'allkeys-lru' })).toContain('maxmemory-policy noeviction')
})
