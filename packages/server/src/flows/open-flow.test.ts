import { expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { memoryStore } from '../store/index.js'
import { flowRecords } from './flow-records.js'
import type { Flows } from './flows.js'
import { openFlow } from './open-flow.js'

const minuteMs = 60_000

async function begin() {
  const clock = new FakeClock()
  const records = flowRecords(memoryStore({ clock }), clock)
  const record = {
    flow: 'oauth',
    status: 'opened',
    message: 'Sign in.',
    data: null,
    elicitationId: 'e',
    sessionId: 's',
    principal: null,
    did: [],
    expiresAt: clock.now() + 5 * minuteMs,
  } as const
  await records.begin('f', record)
  const flows = {
    records,
    clock,
    waits: { tell: async () => {} },
    session: () => undefined,
    written: async () => {},
    onDone: () => {},
  } as never as Flows
  return { clock, find: async () => openFlow(flows, 'f', (await records.find('f')) ?? record) }
}

it('goes on when its process died before what was granted was kept', async () => {
  const { clock, find } = await begin()
  void (await find()).complete('first', () => new Promise(() => {}))
  await new Promise(resolve => setImmediate(resolve))
  expect((await find()).status).toBe('settling')
  expect(await (await find()).complete('second')).toBe(false)
  clock.advance(minuteMs)
  expect((await find()).status).toBe('opened')
  expect(await (await find()).complete('second')).toBe(true)
  expect((await find()).status).toBe('done')
})

it('stays done when an earlier process that was only slow fails at last', async () => {
  const { clock, find } = await begin()
  let fail = (_error: Error): void => {}
  const slow = (await find()).complete('first', () => new Promise((_, reject) => (fail = reject)))
  await new Promise(resolve => setImmediate(resolve))
  clock.advance(minuteMs)
  await (await find()).complete('second')
  fail(new Error('too late'))
  await expect(slow).rejects.toThrow('too late')
  expect((await find()).status).toBe('done')
})
