import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock } from 'beckon/test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Accepted } from './act.js'
import { Order } from './order.js'

async function openNode(store: Store, partLines?: number) {
  const order = new Order({ store, name: 'desk', clock: createTestClock(), partLines })
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
        state.session('s')
          ? { refused: { code: 'session-exists', reason: 'there already' } }
          : { lines: [create('s', `by ${node}`)] },
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

  it('begins anew when it has missed more than the store keeps, and goes on with the others', async () => {
    const store = memoryStore()
    const deaf = await openNode({ ...store, subscribe: async () => async () => {} }, 4)
    let begun = 0
    let looked = 0
    deaf.order.onAnew(() => begun++)
    const busy = await openNode(store, 4)
    await busy.order.change(() => ({ lines: [create('s', 'a')] }))
    await deaf.order.change(() => ({ lines: [rename('s', 'from the deaf one')] }))
    deaf.order.watch('s', 'ask', () => looked++)
    for (let i = 0; i < 80; i++) await busy.order.change(() => ({ lines: [rename('s', `${i}`)] }))
    await deaf.order.change(() => ({ lines: [rename('s', 'late')] }))
    await settle()
    expect([begun, looked]).toEqual([1, 2])
    // What it could not know was told to nobody, and nothing twice.
    expect(deaf.told.map(({ seq }) => seq)).toEqual([1, 2, 83])
    expect(busy.told.map(({ seq }) => seq)).toEqual(Array.from({ length: 83 }, (_, index) => index + 1))
    expect(deaf.order.state.save()).toEqual(busy.order.state.save())
    expect(deaf.order.state.session('s')?.title).toBe('late')
    expect((await openNode(store, 4)).order.state.save()).toEqual(busy.order.state.save())
  })

  it('writes nothing of its own where the log was erased under it', async () => {
    const store = memoryStore()
    const busy = await openNode(store, 4)
    await busy.order.change(() => ({ lines: [create('s', 'a')] }))
    for (let i = 0; i < 3; i++) await busy.order.change(() => ({ lines: [rename('s', `${i}`)] }))
    // It knows that a part has begun, and no line of it.
    const deaf = await openNode({ ...store, subscribe: async () => async () => {} }, 4)
    for (let i = 0; i < 20; i++) await busy.order.change(() => ({ lines: [rename('s', `later ${i}`)] }))
    await deaf.order.change(() => ({ lines: [rename('s', 'late')] }))
    await settle()
    expect(busy.order.state.session('s')?.title).toBe('late')
    expect(deaf.order.seq).toBe(busy.order.seq)
  })

  it('keeps a snapshot in pieces, and reads it back in order', async () => {
    const store = memoryStore()
    const { order } = await openNode(store, 4)
    for (let i = 0; i < 3; i++)
      await order.change(() => ({ lines: Array.from({ length: 90 }, (_, n) => create(`s${i}.${n}`, 'a')) }))
    await order.change(() => ({ lines: Array.from({ length: 2_700 }, (_, n) => rename('s0.0', `${n}`)) }))
    expect(await store.read('desk/snapshot/1')).toHaveLength(3)
    const late = await openNode(store, 4)
    expect(late.order.state.save()).toEqual(order.state.save())
    expect(late.order.seq).toBe(270 + 2_700)
  })

  it('refuses to change once it is closed, and nothing is told any more', async () => {
    const { order } = await openNode(memoryStore())
    await order.close()
    await expect(order.change(() => ({ lines: [] }))).rejects.toThrow(/closed/)
  })

  it('loses and repeats nothing, whenever the store fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(1), { maxLength: 38 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
        fc.boolean(),
        async (changes, pattern, late) => {
          const plain = memoryStore()
          const failures: boolean[] = []
          // Never so far behind that it would have to begin anew.
          const nodes = await Promise.all([openNode(failing(plain, failures, late), 20), openNode(plain, 20)])
          failures.push(...pattern)
          await nodes[1]?.order.change(() => ({ lines: [create('s', 'start')] }))
          const kept: string[] = []
          for (const [index, node] of changes.entries()) {
            const settled = await nodes[node]?.order
              .change(() => ({ lines: [rename('s', `${index}`)] }))
              .catch(() => undefined)
            if (settled?.kind === 'accepted') kept.push(`${index}`)
          }
          failures.length = 0
          for (const { order } of nodes) await order.change(() => ({ lines: [rename('s', 'end')] }))
          await settle()
          for (const { order, told } of nodes) {
            expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index + 1))
            expect(told).toEqual(nodes[1]?.told)
            expect(order.state.save()).toEqual(nodes[1]?.order.state.save())
            const titles = told.map(({ act }) => ('title' in act ? act.title : ''))
            // What was accepted is there, once; what was not may be.
            expect(kept.filter(title => titles.filter(told => told === title).length !== 1)).toEqual([])
          }
        },
      ),
      { numRuns: 100 },
    )
  }, 120_000)

  it('finds by itself, in a while, what nobody gave it a hint of', async () => {
    const store = memoryStore()
    const clock = createTestClock()
    const deaf = new Order({ store: { ...store, subscribe: async () => async () => {} }, name: 'desk', clock })
    await deaf.open()
    const busy = await openNode(store)
    await busy.order.change(() => ({ lines: [create('s', 'a')] }))
    await settle()
    expect(deaf.seq).toBe(0)
    for (let look = 1; look < 3; look++) {
      await busy.order.change(() => ({ lines: [rename('s', `${look}`)] }))
      await clock.advance(5_000)
      await settle()
      expect(deaf.seq).toBe(1 + look)
    }
    await deaf.close()
  })
})

/** A store of which some calls fail: before they do anything, or after. */
function failing(store: Store, failures: readonly boolean[], late: boolean): Store {
  let calls = 0
  const maybe = async <T>(call: () => Promise<T>): Promise<T> => {
    const fails = failures.length > 0 && failures[calls++ % failures.length]
    if (fails && !late) throw new Error('away')
    const result = await call()
    if (fails) throw new Error('away')
    return result
  }
  return {
    ...store,
    get: (...args) => maybe(() => store.get(...args)),
    set: (...args) => maybe(() => store.set(...args)),
    compareAndSet: (...args) => maybe(() => store.compareAndSet(...args)),
    append: (...args) => maybe(() => store.append(...args)),
    read: (...args) => maybe(() => store.read(...args)),
    trim: (...args) => maybe(() => store.trim(...args)),
    erase: (...args) => maybe(() => store.erase(...args)),
    put: (...args) => maybe(() => store.put(...args)),
    remove: (...args) => maybe(() => store.remove(...args)),
    range: (...args) => maybe(() => store.range(...args)),
    count: (...args) => maybe(() => store.count(...args)),
    publish: (...args) => maybe(() => store.publish(...args)),
  }
}
