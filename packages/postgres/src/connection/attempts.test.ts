import { expect, it } from 'vitest'
import { createAttempts } from './attempts.js'
import { backOff } from './back-off.js'

it('waits longer after each failure, up to a limit, and never the same for all', () => {
  for (const random of [() => 0, () => 0.999]) {
    const waits = [0, 1, 2, 3, 30].map(failures => backOff(failures, random))
    expect(waits.toSorted((a, b) => a - b)).toEqual(waits)
    expect(waits.at(-1)).toBeLessThanOrEqual(5_000)
  }
  expect(backOff(3, () => 0)).toBeLessThan(backOff(3, () => 1))
})

it('tries again only after a while, and gives the reason until then', async () => {
  let now = 0
  let tried = 0
  const attempts = createAttempts(() => now)
  const fail = async () => {
    tried++
    throw new Error('away')
  }
  await expect(attempts.try(fail)).rejects.toThrow('away')
  await expect(attempts.try(fail)).rejects.toThrow('away')
  expect(tried).toBe(1)
  now += 1_000
  await expect(attempts.try(fail)).rejects.toThrow('away')
  expect(tried).toBe(2)
  now += 1_000
  expect(await attempts.try(async () => 'back')).toBe('back')
  expect(await attempts.try(async () => 'still')).toBe('still')
})
