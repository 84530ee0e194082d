import { memoryStore } from 'beckon'
import { createTestClock } from 'beckon/test'
import { expect, it } from 'vitest'
import { openParts } from '../desk-parts.js'

const dayMs = 24 * 60 * 60 * 1000

async function open(history: { keepMs?: number; maxCalls?: number } = {}) {
  const clock = createTestClock()
  const store = memoryStore({ clock })
  const parts = await openParts({ clock, store, history })
  const call = async (id: string) => (await parts.session(id, { isCall: true })).startTurn()
  const ids = () => [...parts.order.state.sessions()].map(({ id }) => id)
  return { clock, store, parts, call, ids, settle: () => settleOf(parts) }
}

it('forgets calls that ended long ago, and nothing else', async () => {
  const { clock, parts, call, ids, settle } = await open({ keepMs: 7 * dayMs })
  await (await call('over')).complete()
  const goingOn = await call('going on')
  void goingOn.ask({ question: 'Still there?' }, { timeoutMs: 30 * dayMs })
  await call('left behind')
  await (await (await parts.session('made')).startTurn()).complete()
  await clock.advance(6 * dayMs)
  await (await call('young')).cancel()
  await settle()
  expect(ids()).toEqual(['over', 'going on', 'left behind', 'made', 'young'])
  await clock.advance(2 * dayMs)
  await settle()
  expect(ids()).toEqual(['going on', 'made', 'young'])
  await parts.close()
})

it('keeps so many, whoever ended last, also after a restart', async () => {
  const { clock, store, parts, call, ids, settle } = await open({ maxCalls: 50 })
  for (let index = 0; index < 260; index++) {
    const turn = await call(`call ${index}`)
    // Every other one goes on.
    if (index % 2 === 0) await turn.complete()
  }
  await settle()
  const over = ids().filter(id => Number(id.slice(5)) % 2 === 0)
  expect(over.length).toBeGreaterThanOrEqual(50)
  expect(over.length).toBeLessThan(150)
  expect(over.at(-1)).toBe('call 258')
  expect(ids().filter(id => Number(id.slice(5)) % 2 === 1)).toHaveLength(130)
  await parts.close()

  const again = await openParts({ clock, store, history: { maxCalls: 10 } })
  await clock.advance(60 * 60 * 1000)
  await settleOf(again)
  const left = [...again.order.state.sessions()].map(({ id }) => Number(id.slice(5))).filter(id => id % 2 === 0)
  expect(left).toEqual(Array.from({ length: 10 }, (_, index) => 240 + 2 * index))
  await again.close()
})

/** Lets what time began come to its end. */
async function settleOf({ order }: Awaited<ReturnType<typeof openParts>>): Promise<void> {
  for (let round = 0; round < 20; round++) {
    await new Promise(resolve => setImmediate(resolve))
    await order.change(() => ({ lines: [] }))
  }
}
