import { expect, it } from 'vitest'
import { pxatOf } from './expiry.js'

it('gives Redis the last millisecond in which something is still there', () => {
  expect(pxatOf(1_000)).toBe(999)
  expect(pxatOf(1_000.5)).toBe(1_000)
})

it('gives a moment that has passed for one that Redis would not take', () => {
  for (const early of [0, 1, -1, -1e300]) expect(pxatOf(early)).toBe(1)
})

it('gives a moment that Redis can count to for one that is further away', () => {
  expect(pxatOf(8.64e15)).toBe(8.64e15 - 1)
  expect(pxatOf(1e300)).toBe(Number.MAX_SAFE_INTEGER)
})
