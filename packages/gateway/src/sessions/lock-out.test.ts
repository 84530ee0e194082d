import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../server/test/fake-clock.js'
import { LockOut } from './lock-out.js'

function failing(lockOut: LockOut, principal: string | undefined, times: number): void {
  for (let time = 0; time < times; time++) lockOut.failed(principal)
}

describe('the lock-out', () => {
  it('comes with the fifth failure in a minute, and goes with the first of them', () => {
    const clock = new FakeClock()
    const lockOut = new LockOut(clock)
    failing(lockOut, undefined, 1)
    clock.advance(10_000)
    failing(lockOut, undefined, 3)
    expect(lockOut.isLocked(undefined)).toBe(false)
    failing(lockOut, undefined, 1)
    expect(lockOut.isLocked(undefined)).toBe(true)
    clock.advance(50_000)
    expect(lockOut.isLocked(undefined)).toBe(false)
  })

  it('is each principal’s own, until all together have guessed too often', () => {
    const lockOut = new LockOut(new FakeClock())
    for (let account = 0; account < 199; account++) failing(lockOut, `${account}`, 5)
    expect(lockOut.isLocked('198')).toBe(true)
    expect(lockOut.isLocked('z')).toBe(false)
    failing(lockOut, '199', 5)
    expect(lockOut.isLocked('z')).toBe(true)
  })

  it('forgets the failures of who had the right code in the end', () => {
    const lockOut = new LockOut(new FakeClock())
    failing(lockOut, 'a', 4)
    lockOut.succeeded('a')
    failing(lockOut, 'a', 4)
    expect(lockOut.isLocked('a')).toBe(false)
  })
})
