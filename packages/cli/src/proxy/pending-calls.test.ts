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
    scope: undefined,
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

it('lets go of the oldest of whoever has most, and of nobody else', () => {
  const pending = new PendingCalls<undefined>(1_000)
  const cancelled: string[] = []
  const begin = (scope: string, index: number) =>
    void pending.answer({
      key: `${scope} ${index}`,
      scope,
      request: undefined,
      tool: 'order',
      url: 'https://desk.example',
      signal: new AbortController().signal,
      isAsking: () => false,
      begin: ({ signal }) => {
        signal.addEventListener('abort', () => cancelled.push(`${scope} ${index}`))
        return new Promise(() => {})
      },
    })
  begin('ann', 0)
  for (let index = 0; index < 1_002; index++) begin('eve', index)
  expect(cancelled).toEqual(['eve 0', 'eve 1', 'eve 2'])
  expect(pending.has('ann 0')).toBe(true)
})
