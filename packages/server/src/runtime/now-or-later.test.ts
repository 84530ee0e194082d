import { expect, it } from 'vitest'
import { lastly, nowOrLater } from './now-or-later.js'

const fails = () => {
  throw new Error('no')
}

it('goes on at once with what is there, and later with what is not', async () => {
  expect(nowOrLater(1, one => one + 1)).toBe(2)
  const later = nowOrLater(Promise.resolve(1), one => one + 1)
  expect(later).toBeInstanceOf(Promise)
  expect(await later).toBe(2)
})

it('tells of what never was there', async () => {
  const failed = (error: unknown) => {
    throw new Error('never', { cause: error })
  }
  await expect(nowOrLater(Promise.reject(new Error('no')), () => 1, failed)).rejects.toThrow('never')
})

it('does the last thing once, however it ended', async () => {
  let count = 0
  const last = () => void count++
  expect(lastly(() => 1, last)).toBe(1)
  expect(count).toBe(1)
  expect(() => lastly(fails, last)).toThrow('no')
  expect(count).toBe(2)
  const later = lastly(async () => 1, last)
  expect(count).toBe(2)
  expect(await later).toBe(1)
  expect(count).toBe(3)
  await expect(lastly(async () => fails(), last)).rejects.toThrow('no')
  expect(count).toBe(4)
})
