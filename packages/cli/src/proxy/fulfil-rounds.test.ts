import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Fields } from '../fields.js'
import { fulfilRounds } from './fulfil-rounds.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const asks = { a: { method: 'elicitation/create', params: { message: 'Go on?' } } }

/** A server that wants another round, for as long as `more` says so. */
function server(more: (calls: number) => Fields | undefined) {
  const forward = vi.fn(async (): Promise<Fields> => {
    const wanted = more(forward.mock.calls.length)
    return wanted === undefined ? { content: [] } : { resultType: 'input_required', requestState: 's', ...wanted }
  })
  const ask = vi.fn(async () => ({ action: 'accept' }))
  const { signal } = new AbortController()
  return { forward, ask, options: { ask, signal, onProgress: undefined, upstream: { forward } } }
}

it('answers the rounds that ask at once, and paces those that ask nothing', async () => {
  const asking = server(calls => (calls <= 3 ? { inputRequests: asks } : undefined))
  expect(await fulfilRounds('tools/call', {}, asking.options)).toEqual({ content: [] })
  expect(asking.ask).toHaveBeenCalledTimes(3)

  const silent = server(calls => (calls <= 2 ? {} : undefined))
  const result = fulfilRounds('tools/call', {}, silent.options)
  await vi.advanceTimersByTimeAsync(200)
  expect(silent.forward).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await result).toEqual({ content: [] })
})

it.each([
  ['asks nothing', { inputRequests: undefined }],
  ['always asks', { inputRequests: asks }],
])('gives up a server that is never done and %s', async (_, wanted) => {
  const { forward, ask, options } = server(calls => (calls < 1_000 ? wanted : undefined))
  const result = fulfilRounds('tools/call', {}, options).catch(error => error)
  await vi.advanceTimersByTimeAsync(60 * 60 * 1_000)
  expect(await result).toMatchObject({
    code: -32603,
    message: expect.stringContaining('after 100 rounds of "tools/call"'),
  })
  expect(forward).toHaveBeenCalledTimes(101)
  expect(ask).toHaveBeenCalledTimes(wanted.inputRequests === undefined ? 0 : 100)
})
