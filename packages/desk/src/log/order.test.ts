import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Accepted } from './act.js'
import { Order } from './order.js'

async function openNode(store: Store, partLines?: number) {
  const order = new Order(store, 'desk', partLines)
  await order.open()
  const told: Accepted[] = []
  order.listen(lines => told.push(...lines))
  return { order, told }
}

const create = (session: string, title: string) => ({
  session,
  act: { type: 'sessionCreated', title, server: 'test' } as const,
  at: 1,
})
const rename = (session: string, title: string) => ({ session, act: { type: 'titleChanged', title } as const, at: 2 })
const settle = async () => {
  for (let i = 0; i < 10; i++) await new Promise(resolve => setImmediate(resolve))
}

/** A store whose answers come back later, some sooner than others, so that nodes get between each other's steps. */
function slow(store: Store): Store {
  let calls = 0
  const later = async <T>(answer: Promise<T>): Promise<T> => {
    for (let i = calls++ % 4; i > 0; i--) await new Promise(resolve => setImmediate(resolve))
    return answer
  }
  return {
    ...store,
    get: key => later(store.get(key)),
    set: async (...args) => later(store.set(...args)),
    compareAndSet: async (...args) => later(store.compareAndSet(...args)),
    append: async (...args) => later(store.append(...args)),
    read: async (...args) => later(store.read(...args)),
  }
}

describe('Order', () => {
  it('numbers what is accepted without a gap or a repeat, and tells every node the same, whoever races', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ node: fc.nat(2), lines: fc.integer({ min: 0, max: 3 }) }), { maxLength: 30 }),
        fc.integer({ min: 2, max: 9 }),
        async (changes, partLines) => {
          const store = slow(memoryStore())
          const nodes = await Promise.all([0, 1, 2].map(() => openNode(store, partLines)))
          await nodes[0]?.order.change(() => ({ lines: [create('s', 'start')] }))
          const settled = await Promise.all(
            changes.map(({ node, lines }, index) =>
              nodes[node]?.order.change(() => ({
                lines: Array.from({ length: lines }, (_, n) => rename('s', `${index}.${n}`)),
              })),
            ),
          )
          for (let i = 0; i < 30; i++) await settle()
          const total = 1 + changes.reduce((sum, { lines }) => sum + lines, 0)
          for (const { order, told } of nodes) {
            expect(told.map(({ seq }) => seq)).toEqual(Array.from({ length: total }, (_, index) => index + 1))
            expect(told).toEqual(nodes[0]?.told)
            expect(order.seq).toBe(total)
            expect(order.state.save()).toEqual(nodes[0]?.order.state.save())
          }
          expect(settled.every(result => result?.kind === 'accepted')).toBe(true)
          // A node that starts now comes to the same, from the last part.
          const late = await openNode(store, partLines)
          expect(late.order.state.save()).toEqual(nodes[0]?.order.state.save())
          expect(late.order.seq).toBe(total)
        },
      ),
      { numRuns: 60 },
    )
  }, 60_000)

  it('decides against the state that a change applies to', async () => {
    const store = memoryStore()
    const nodes = await Promise.all([openNode(store), openNode(store)])
    const once = (node: number) =>
      nodes[node]?.order.change(state =>
        state.session('s') ? { refused: 'there already' } : { lines: [create('s', `by ${node}`)] },
      )
    const settled = await Promise.all([once(0), once(1), once(0), once(1)])
    expect(settled.filter(result => result?.kind === 'accepted')).toHaveLength(1)
    expect(settled.filter(result => result?.kind === 'refused')).toHaveLength(3)
  })

  it('gives back what came after a number, and says when that is too far back', async () => {
    const store = memoryStore()
    const { order, told } = await openNode(store, 4)
    await order.change(() => ({ lines: [create('s', 'a')] }))
    for (let i = 0; i < 30; i++) await order.change(() => ({ lines: [rename('s', `${i}`)] }))
    expect(await order.readAfter(order.seq)).toEqual([])
    expect(await order.readAfter(order.seq - 3)).toEqual(told.slice(-3))
    expect(await order.readAfter(order.seq - 5)).toEqual(told.slice(-5))
    expect(await order.readAfter(0)).toBeUndefined()
    // Also for a node that starts now.
    const late = await openNode(store, 4)
    expect(await late.order.readAfter(order.seq - 5)).toEqual(told.slice(-5))
    expect(await late.order.readAfter(0)).toBeUndefined()
    expect(await order.readAfter(order.seq + 1)).toBeUndefined()
  })

  it('gives no replay with a gap from a node that only followed', async () => {
    const store = memoryStore()
    const [busy, quiet] = await Promise.all([openNode(store, 4), openNode(store, 4)])
    await busy.order.change(() => ({ lines: [create('s', 'a')] }))
    for (let i = 0; i < 60; i++) {
      await busy.order.change(() => ({ lines: [rename('s', `${i}`)] }))
      await settle()
    }
    expect(quiet.told).toEqual(busy.told)
    for (let seq = 0; seq <= busy.order.seq; seq++) {
      const lines = await quiet.order.readAfter(seq)
      if (lines !== undefined) expect(lines).toEqual(busy.told.slice(seq))
    }
    expect(await quiet.order.readAfter(0)).toBeUndefined()
  })

  it('says so when a node has missed more than the store keeps, and does not go its own way', async () => {
    const store = memoryStore()
    const deaf = await openNode({ ...store, subscribe: async () => async () => {} }, 4)
    const busy = await openNode(store, 4)
    await busy.order.change(() => ({ lines: [create('s', 'a')] }))
    await deaf.order.change(() => ({ lines: [rename('s', 'from the deaf one')] }))
    for (let i = 0; i < 80; i++) await busy.order.change(() => ({ lines: [rename('s', `${i}`)] }))
    await expect(deaf.order.change(() => ({ lines: [rename('s', 'late')] }))).rejects.toThrow(/fallen behind/)
    expect((await openNode(store, 4)).order.seq).toBe(busy.order.seq)
  })

  it('refuses to change once it is closed, and nothing is told any more', async () => {
    const { order } = await openNode(memoryStore())
    await order.close()
    await expect(order.change(() => ({ lines: [] }))).rejects.toThrow(/closed/)
  })

  it('goes on after a store that failed', async () => {
    const plain = memoryStore()
    let isDown = false
    const store: Store = {
      ...plain,
      append: (...args) => (isDown ? Promise.reject(new Error('away')) : plain.append(...args)),
    }
    const { order, told } = await openNode(store)
    isDown = true
    await expect(order.change(() => ({ lines: [create('s', 'a')] }))).rejects.toThrow('away')
    expect(told).toEqual([])
    isDown = false
    expect(await order.change(() => ({ lines: [create('s', 'a')] }))).toMatchObject({ kind: 'accepted' })
  })
})
