import { expect, it } from 'vitest'
import { describePauses, Pauses } from './pauses.mjs'

it('finds the longest time without an answer between the loss and the end, on each wire', () => {
  const pauses = new Pauses()
  for (const at of [10, 100, 150, 900, 1_100]) pauses.taken('rounds', at)
  pauses.taken('desk', 400)
  pauses.close(100, 1_000)
  expect(pauses.longest).toEqual({ rounds: [750], tasks: [900], desk: [600] })
})

it('begins anew with the next failover', () => {
  const pauses = new Pauses()
  pauses.taken('tasks', 1_500)
  pauses.close(0, 1_000)
  pauses.close(1_000, 2_000)
  expect(pauses.longest.tasks).toEqual([1_000, 500])
})

it('knows whether every wire has gone on since', () => {
  const pauses = new Pauses()
  pauses.taken('rounds', 20)
  pauses.taken('tasks', 20)
  pauses.taken('desk', 10)
  expect(pauses.hasGoneOn(10)).toBe(false)
  pauses.taken('desk', 11)
  expect(pauses.hasGoneOn(10)).toBe(true)
})

it('says the median and the longest', () => {
  expect(describePauses({ rounds: [1_000, 3_000, 2_000], tasks: [], desk: [500] })).toBe(
    'rounds 2.0 s (longest 3.0 s), tasks 0.0 s (longest 0.0 s), desk 0.5 s (longest 0.5 s)',
  )
})
