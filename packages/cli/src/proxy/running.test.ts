import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, it, vi } from 'vitest'
import { type Running, RunningRequests } from './running.js'

const running = (): Running => ({ ask: async () => ({}), log() {} })

it('knows its own request, also within one of another connection', async () => {
  const [here, there] = [new RunningRequests(), new RunningRequests()]
  const [first, last, other] = [running(), running(), running()]
  const found: unknown[] = []
  await here.during(first, async () => {
    await here.during(last, async () => {})
    await there.during(other, async () => {
      void here.during(last, () => new Promise(() => {}))
      found.push(here.current, there.current)
    })
  })
  expect(found).toEqual([first, other])
  // Outside of all of them, it is the last that began.
  expect(here.current).toBe(last)
  expect(there.isEmpty).toBe(true)
})

// Each that was ever used is handed to every promise of the process, on Node 20.
it('uses one asynchronous context, however many connections there are', async () => {
  const run = vi.spyOn(AsyncLocalStorage.prototype, 'run')
  for (let index = 0; index < 3; index++) await new RunningRequests().during(running(), async () => {})
  expect(new Set(run.mock.contexts).size).toBe(1)
})
