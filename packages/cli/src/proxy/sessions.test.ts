import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Sessions } from './sessions.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function opened() {
  const session = { close: vi.fn(async () => {}) }
  return { session, open: async () => session }
}

it('ends one that nothing is open for, after a while', async () => {
  const sessions = new Sessions({ idleMs: 1_000 })
  const [idle, busy] = [opened(), opened()]
  await sessions.add('idle', idle.open)
  await sessions.add('busy', busy.open)
  const release = sessions.hold('busy')
  await vi.advanceTimersByTimeAsync(2_000)
  expect([idle.session.close, busy.session.close].map(close => close.mock.calls.length)).toEqual([1, 0])
  expect(sessions.find('idle')).toBe(undefined)
  release()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(busy.session.close).toHaveBeenCalledOnce()
  await sessions.close()
})

it('has so many: one that nothing is open for makes way, and where there is none, there is no room', async () => {
  const sessions = new Sessions({ max: 2 })
  const [first, second, third] = [opened(), opened(), opened()]
  await sessions.add('first', first.open)
  await sessions.add('second', second.open)
  const release = sessions.hold('first')
  expect(await sessions.add('third', third.open)).toBe(third.session)
  expect(second.session.close).toHaveBeenCalledOnce()
  sessions.hold('third')
  expect(await sessions.add('fourth', opened().open)).toBe(undefined)
  release()
  await expect(
    sessions.add('broken', async () => {
      throw new Error('no server')
    }),
  ).rejects.toThrow('no server')
  expect(sessions.find('broken')).toBe(undefined)
  await sessions.close()
})
