import { describe, expect, it, vi } from 'vitest'
import { digest } from '../crypto/digest.js'
import { memoryStore } from '../store/memory-store.js'
import { createTestClock } from '../test/test-clock.js'
import type { CallRecord } from './events.js'
import { blockSize, idsOf, isTag } from './id-block.js'
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
const begun = (node: string) => () => ({ kind: 'begun', record, owner: { node, run: 'r' }, at: 1 }) as const

const membersOf = async (calls: OwnedCalls, node: string) => (await calls.of(node, 100)).map(({ member }) => member)
/** The names of its own that a call has there. */
const namesOf = async (calls: OwnedCalls, node: string) =>
  (await membersOf(calls, node)).filter(member => !isTag(member))

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
  expect(await namesOf(other, 'slow')).toEqual(['one'])
  for (const name of await other.of('slow', 10)) await other.done('slow', name)
  expect(await namesOf(other, 'slow')).toEqual([])
})

it("has a call from the event that makes it the node's to the one that ends it, or that another takes it over with", async () => {
  const { slow, other, log } = setup()
  const own = log(slow)
  await own.write(begun('slow'))
  expect(await namesOf(other, 'slow')).toEqual(['one'])
  const taken = log(other)
  await taken.read()
  await taken.write(() => ({ kind: 'claimed', owner: { node: 'other', run: 'q' }, at: 2 }))
  expect([await namesOf(other, 'slow'), await namesOf(other, 'other')]).toEqual([['one'], ['one']])
  await taken.write(() => ({ kind: 'ended', end: { result: {} }, at: 3 }))
  expect(await namesOf(other, 'other')).toEqual([])
  // Who was taken over from finds out by itself.
  await own.read()
  await slow.remove('one')
  expect(await namesOf(other, 'slow')).toEqual([])
})

it('has nothing of a call that is not durable', () => {
  const { slow } = setup()
  const owner = { node: 'slow', run: 'r' }
  expect(slow.changes('one', emptyCallState, { ...emptyCallState, owner })).toBeUndefined()
})

describe('a block of ids', () => {
  const end = () => ({ kind: 'ended', end: { result: {} }, at: 3 }) as const

  /** A node that has a block, and something to begin calls with. */
  async function withBlock() {
    const { slow, other, log } = setup()
    const begin = async (id: string) => {
      const call = log(slow, digest(id))
      await call.write(() => ({ ...begun('slow')(), record: { ...record, id } }))
      return call
    }
    await begin(slow.nextId())
    await vi.waitFor(async () => expect((await membersOf(other, 'slow')).some(isTag)).toBe(true))
    const found = async () => {
      const members = await other.of('slow', 100)
      return new Set((await Promise.all(members.map(member => other.namesOf('slow', member)))).flat())
    }
    return { slow, other, begin, found }
  }

  it('leads to calls that have no names of their own', async () => {
    const { slow, other, begin, found } = await withBlock()
    const ids = Array.from({ length: blockSize }, () => slow.nextId())
    expect(new Set(ids).size).toBe(blockSize)
    for (const id of ids) await begin(id)
    expect(await namesOf(other, 'slow')).toEqual([expect.any(String)])
    const names = await found()
    expect(ids.map(digest).filter(name => !names.has(name))).toEqual([])
  })

  it('goes when all its ids were given out and few of its calls are left: those, and what begins later, have names of their own', async () => {
    const { slow, other, begin } = await withBlock()
    const [late = '', ...ids] = Array.from({ length: blockSize }, () => slow.nextId())
    const [tag] = (await membersOf(other, 'slow')).filter(isTag)
    const calls = await Promise.all(ids.map(begin))
    for (const call of calls.slice(9)) await call.write(end)
    slow.nextId()
    expect(await membersOf(other, 'slow')).toContain(tag)
    await calls[0]?.write(end)
    await vi.waitFor(async () => expect(await membersOf(other, 'slow')).not.toContain(tag))
    const left = ids.slice(1, 9).map(digest)
    expect(await membersOf(other, 'slow')).toEqual(expect.arrayContaining(left))
    await begin(late)
    expect(await membersOf(other, 'slow')).toContain(digest(late))
  })

  it('is written again with its secret when its node comes back, whatever was cleared away', async () => {
    const { slow, other, begin, found } = await withBlock()
    const id = slow.nextId()
    await begin(id)
    const secret = await other.secretOf('slow')
    for (const member of await other.of('slow', 100)) await other.done('slow', member)
    await slow.rewrite()
    // Who cleared it away thinks that nothing is left.
    if (secret !== undefined) await other.forget('slow', secret)
    expect(await found()).toContain(digest(id))
  })

  it('leaves no names of calls that ended at once', async () => {
    const { slow, other, begin } = await withBlock()
    for (let blocks = 0; blocks < 3; blocks++) {
      const ids = Array.from({ length: blockSize }, () => slow.nextId())
      const calls = await Promise.all(ids.map(begin))
      await Promise.all(
        calls.map(async (call, at) => {
          await call.write(end)
          await slow.remove(digest(ids[at] ?? ''))
        }),
      )
    }
    slow.nextId()
    await vi.waitFor(async () => expect(await namesOf(other, 'slow')).toEqual([expect.any(String)]))
  })

  it('has ids that nobody finds who knows others of it', async () => {
    const { slow, other } = await withBlock()
    const [one = '', two = ''] = [slow.nextId(), slow.nextId()]
    const [tag = ''] = (await membersOf(other, 'slow')).filter(isTag)
    expect([one.slice(0, tag.length), two.slice(0, tag.length)]).toEqual([tag, tag])
    for (const guess of ['', one, 'slow']) expect(idsOf(guess, tag)).not.toContain(two)
    expect(one).toMatch(/^[\w-]{32}$/)
  })
})
