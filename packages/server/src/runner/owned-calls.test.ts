import { expect, it } from 'vitest'
import { memoryStore } from '../store/memory-store.js'
import { OwnedCalls } from './owned-calls.js'

const membersOf = async (calls: OwnedCalls, node: string) => (await calls.of(node, 10)).map(({ member }) => member)

it('leaves a call that its node has written again, to whoever comes after one that saw to it before', async () => {
  const store = memoryStore()
  const [slow, other] = ['slow', 'other'].map(node => new OwnedCalls(store, node)) as [OwnedCalls, OwnedCalls]
  await slow.add('one', 1)
  const seen = await other.of('slow', 10)
  // It comes back in the same millisecond.
  await slow.rewrite(1)
  for (const name of seen) await other.done('slow', name)
  expect(await membersOf(other, 'slow')).toEqual(['one'])
  for (const name of await other.of('slow', 10)) await other.done('slow', name)
  expect(await membersOf(other, 'slow')).toEqual([])
})
