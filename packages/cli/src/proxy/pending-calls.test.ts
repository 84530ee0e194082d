import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PendingCalls } from './pending-calls.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('looks no more whether a person is asked, once the model was told', async () => {
  const isAsking = vi.fn(() => true)
  const answer = new PendingCalls(1_000).answer({
    key: 'k',
    request: undefined,
    tool: 'order',
    url: 'https://desk.example',
    signal: new AbortController().signal,
    isAsking,
    begin: () => new Promise(() => {}),
  })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(JSON.stringify(await answer)).toContain('A person was asked')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(isAsking).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})
