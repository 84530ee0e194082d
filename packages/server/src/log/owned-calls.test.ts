import { expect, it } from 'vitest'
import { memoryStore } from '../store/memory-store.js'
import { createTestClock } from '../test/test-clock.js'
import type { CallRecord } from './events.js'
import { OwnedCalls } from './owned-calls.js'
import { emptyCallState } from './reduce.js'
import { StoredLog } from './stored-log.js'

const record: CallRecord = {
  id: 'id',
  target: { method: 'tools/call', name: 't', digest: '' },
  params: {},
  principal: null,
  sessionId: null,
  peer: { capabilities: {}, revision: '2026-07-28', client: undefined },
  isTask: true,
  version: '1',
  createdAt: 0,
  expiresAt: 0,
}
const begun = (node: string) => () =>
  ({ kind: 'begun', record, owner: { node, run: 'r' }, entries: [], at: 1 }) as const

const membersOf = async (calls: OwnedCalls, node: string) => (await calls.of(node, 10)).map(({ member }) => member)

function setup() {
  const store = memoryStore()
  const clock = createTestClock()
  const [slow, other] = [new OwnedCalls(store, { id: 'slow' }, clock), new OwnedCalls(store, { id: 'other' }, clock)]
  return { slow, other, log: (owned: OwnedCalls, name = 'one') => new StoredLog(store, name, owned) }
}

it('leaves a call that its node has written again, to whoever comes after one that saw to it before', async () => {
  const { slow, other, log } = setup()
  await log(slow).write(begun('slow'))
  const seen = await other.of('slow', 10)
  // It comes back in the same millisecond.
  await slow.rewrite()
  for (const name of seen) await other.done('slow', name)
  expect(await membersOf(other, 'slow')).toEqual(['one'])
  for (const name of await other.of('slow', 10)) await other.done('slow', name)
  expect(await membersOf(other, 'slow')).toEqual([])
})

it("has a call from the event that makes it the node's to the one that ends it, or that another takes it over with", async () => {
  const { slow, other, log } = setup()
  const own = log(slow)
  await own.write(begun('slow'))
  expect(await membersOf(other, 'slow')).toEqual(['one'])
  const taken = log(other)
  await taken.read()
  await taken.write(() => ({ kind: 'claimed', owner: { node: 'other', run: 'q' }, at: 2 }))
  expect([await membersOf(other, 'slow'), await membersOf(other, 'other')]).toEqual([['one'], ['one']])
  await taken.write(() => ({ kind: 'ended', end: { result: {} }, at: 3 }))
  expect(await membersOf(other, 'other')).toEqual([])
  // Who was taken over from finds out by itself.
  await own.read()
  await slow.remove('one')
  expect(await membersOf(other, 'slow')).toEqual([])
})

it('has nothing of a call that is not durable', () => {
  const { slow } = setup()
  const owner = { node: 'slow', run: 'r' }
  expect(slow.changes('one', emptyCallState, { ...emptyCallState, owner })).toBeUndefined()
})
