import { expect, it } from 'vitest'
import { TokenBucket } from './token-bucket.js'

function take(bucket: TokenBucket, count: number, now: number): number {
  return Array.from({ length: count }, () => bucket.take(now)).filter(Boolean).length
}

it('lets a burst through, then so many a second, and never saves up more than a burst', () => {
  const bucket = new TokenBucket({ perSecond: 10, burst: 20 }, 0)
  expect(take(bucket, 50, 0)).toBe(20)
  expect(take(bucket, 50, 500)).toBe(5)
  expect(take(bucket, 50, 500)).toBe(0)
  expect(take(bucket, 50, 600_000)).toBe(20)
})

it('is not confused by a clock that was set back', () => {
  const bucket = new TokenBucket({ perSecond: 10, burst: 20 }, 1_000)
  expect(take(bucket, 5, 0)).toBe(5)
  expect(take(bucket, 50, 100)).toBe(16)
})
