import { expect, it } from 'vitest'
import { countedStore } from '../../test/counted-store.js'
import { FakeClock } from '../../test/fake-clock.js'
import { singleUseHandles } from './single-use-handles.js'

const expiresAt = Date.now() + 60_000

it('holds no more bytes than it may, and what strangers leave pushes out nobody who is known', async () => {
  const store = countedStore()
  const handles = singleUseHandles<{ args: string }>('app', 18, {
    store,
    maxHandles: 1_000,
    maxBytes: 100_000,
    retainMs: 0,
  })
  const args = 'x'.repeat(30_000)
  const ofAnn = await handles.issue({ args }, { principal: 'ann', expiresAt })
  const first = await handles.issue({ args }, { principal: undefined, expiresAt })
  for (let n = 0; n < 20; n++) await handles.issue({ args }, { principal: undefined, expiresAt })
  expect(store.keys.size).toBe(4)
  expect(await handles.redeem(first)).toBeUndefined()
  expect(await handles.redeem(ofAnn)).toEqual({ args })
})

it('gives what a handle stands for once, also to two who come at once', async () => {
  const handles = singleUseHandles<{ n: number }>('app', 18, {
    store: countedStore(),
    maxHandles: 10,
    maxBytes: 1e6,
    retainMs: 0,
  })
  const handle = await handles.issue({ n: 1 }, { principal: undefined, expiresAt })
  const both = await Promise.all([handles.redeem(handle), handles.redeem(handle)])
  expect(both.filter(ticket => ticket !== undefined)).toEqual([{ n: 1 }])
  for (const other of [handle, undefined, '__proto__']) expect(await handles.redeem(other)).toBeUndefined()
})

it('is good for as long after its ask expired as the state behind it can be opened', async () => {
  const clock = new FakeClock()
  const limits = { store: countedStore(clock), maxHandles: 10, maxBytes: 1e6, retainMs: 60_000 }
  const handles = singleUseHandles<{ n: number }>('app', 18, limits)
  const issue = () => handles.issue({ n: 1 }, { principal: undefined, expiresAt: clock.now() + 500 })
  const late = await issue()
  clock.advance(60_499)
  expect(await handles.redeem(late)).toEqual({ n: 1 })
  const tooLate = await issue()
  clock.advance(60_500)
  expect(await handles.redeem(tooLate)).toBeUndefined()
})
