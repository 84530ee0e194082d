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

/** Calls of scopes that wait for ever, or until they are given a result. */
function holding() {
  const pending = new PendingCalls<undefined>(1_000)
  const cancelled: string[] = []
  const ends = new Map<string, (result: Record<string, unknown>) => void>()
  const begin = (scope: string, key: string) =>
    pending.answer({
      key,
      scope,
      request: undefined,
      tool: 'order',
      url: 'https://desk.example',
      signal: new AbortController().signal,
      isAsking: () => true,
      begin: ({ signal }) => {
        signal.addEventListener('abort', () => cancelled.push(key.slice(0, 6)))
        return new Promise(resolve => ends.set(key, resolve))
      },
    })
  return { pending, cancelled, ends, begin }
}

const megabyte = 1024 * 1024

it('weighs the arguments of calls that wait, and lets go of the oldest of whoever has most', () => {
  const { pending, cancelled, begin } = holding()
  begin('ann', 'ann 00')
  for (let index = 10; index < 76; index++) begin('eve', `eve ${index}${'x'.repeat(megabyte)}`)
  expect(cancelled).toEqual(['eve 10', 'eve 11', 'eve 12'])
  expect(pending.has('ann 00')).toBe(true)
})

it('weighs results that nobody has come back for', async () => {
  const { pending, cancelled, ends, begin } = holding()
  const keys = ['eve 10', 'eve 11', 'eve 12']
  const told = keys.map(key => begin('eve', key))
  begin('ann', 'ann 00')
  await vi.advanceTimersByTimeAsync(1_000)
  await Promise.all(told)
  for (const key of keys) ends.get(key)?.({ content: [{ type: 'text', text: 'x'.repeat(30 * megabyte) }] })
  await vi.advanceTimersByTimeAsync(0)
  expect([...keys, 'ann 00'].map(key => pending.has(key))).toEqual([false, true, true, true])
  expect(cancelled).toEqual(['eve 10'])
  // What was delivered weighs no more.
  expect(JSON.stringify(await begin('eve', 'eve 11'))).toContain('xxx')
  for (let index = 20; index < 50; index++) begin('eve', `eve ${index}${'x'.repeat(megabyte)}`)
  expect(cancelled).toEqual(['eve 10'])
})

it('lets go of no call that is the only one, however much it weighs', () => {
  const { pending, cancelled, begin } = holding()
  const key = 'x'.repeat(70 * megabyte)
  begin('ann', key)
  expect([pending.has(key), cancelled]).toEqual([true, []])
})

it('survives a result that nests too deeply to be written', async () => {
  const rejections: unknown[] = []
  const onRejection = (error: unknown) => rejections.push(error)
  process.on('unhandledRejection', onRejection)
  const pending = new PendingCalls<undefined>(1_000)
  let give = (_: Record<string, unknown>) => {}
  const first = pending.answer({
    key: 'k',
    scope: undefined,
    request: undefined,
    tool: 'order',
    url: 'https://desk.example',
    signal: new AbortController().signal,
    isAsking: () => true,
    begin: () =>
      new Promise(resolve => {
        give = resolve
      }),
  })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(JSON.stringify(await first)).toContain('A person was asked')
  // As it comes from a server: reading takes any depth.
  give(JSON.parse(`{"content":[],"deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`))
  vi.useRealTimers()
  for (let turns = 0; turns < 3; turns++) await new Promise(resolve => setImmediate(resolve))
  process.off('unhandledRejection', onRejection)
  expect(rejections).toEqual([])
})
