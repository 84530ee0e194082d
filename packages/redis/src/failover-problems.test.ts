import { expect, it } from 'vitest'
import { describeFailover } from './failover-problems.js'

it('finds nothing wrong where every replica has to have a write, nor where there is none', () => {
  expect(describeFailover({ has: 2, replicas: 2 })).toEqual([])
  expect(describeFailover({ has: 0, replicas: undefined })).toEqual([])
  expect(describeFailover({ has: 0, replicas: 1 })).toEqual([])
})

it('says how many have to have a write where it is fewer than there are', () => {
  expect(describeFailover({ has: 2, replicas: 1 })).toEqual([
    'A failover can lose what was acknowledged: a write counts once 1 of 2 replicas have it, and any of them may take over. Set `replicas` to 2.',
  ])
  expect(describeFailover({ has: 2, replicas: undefined }).join()).toContain('without waiting for a replica')
})

it('leaves alone whoever said that none has to', () => {
  expect(describeFailover({ has: 2, replicas: 0 })).toEqual([])
})
