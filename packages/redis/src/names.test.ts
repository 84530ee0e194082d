import { expect, it } from 'vitest'
import { createNames } from './names.js'

const { keyOf, logOf, setOf, channelOf } = createNames('beckon', 0)

it('keeps short names readable', () => {
  expect(keyOf('call/1')).toBe('beckon:key:"call/1"')
  expect(logOf('call/1')).toBe('beckon:log:"call/1"')
  expect(setOf('call/1')).toBe('beckon:set:"call/1"')
  expect(channelOf('call/1')).toBe('beckon:topic:0:"call/1"')
})

it('hashes a name that is long, or that could choose its node of a Cluster', () => {
  for (const name of ['x'.repeat(300), '{a}b']) {
    expect(keyOf(name)).toMatch(/^beckon:key:#[\w-]{43}$/)
    expect(keyOf(name)).not.toBe(keyOf(`${name} `))
  }
})

it('takes no name for the hash of another', () => {
  const hashed = keyOf('{a}').slice('beckon:key:'.length)
  expect(keyOf(hashed)).not.toBe(keyOf('{a}'))
})

it('gives each database channels of its own', () => {
  expect(createNames('beckon', 1).channelOf('topic')).not.toBe(channelOf('topic'))
})
