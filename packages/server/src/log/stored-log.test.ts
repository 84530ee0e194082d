import { describe, expect, it } from 'vitest'
import { systemClock } from '../runtime/clock.js'
import { memoryStore, type Store, StoreUnavailableError } from '../store/index.js'
import type { CallEvent } from './events.js'
import { OwnedCalls } from './owned-calls.js'
import { emptyCallState } from './reduce.js'
import { StoredLog } from './stored-log.js'

const name = 'call/one'
const step = (nth: number): CallEvent => ({
  kind: 'step',
  at: nth,
  entry: { kind: 'step', name: 's', nth, from: 0, result: nth },
})
const stepsIn = (log: StoredLog) => log.state.entries.map(entry => entry.nth)

/** A store with what is between it and the log. */
function storeWith(meddle: Partial<Store> = {}) {
  const plain = memoryStore()
  const store: Store = { ...plain, shared: true, ...meddle }
  return { plain, store, log: () => new StoredLog(store, 'one', new OwnedCalls(store, { id: 'node' }, systemClock)) }
}

describe('E1: an append that something else came before', () => {
  it('is decided again with what that was', async () => {
    const { log } = storeWith()
    const [one, other] = [log(), log()]
    await one.write(() => step(0))
    const seen: number[] = []
    expect(
      await other.write(({ entries }) => {
        seen.push(entries.length)
        return entries.length === 1 ? step(1) : step(99)
      }),
    ).toBe(true)
    expect(seen).toEqual([0, 1])
    await one.read()
    expect(stepsIn(one)).toEqual([0, 1])
  })

  it('writes nothing when there is nothing to write any more', async () => {
    const { log, plain } = storeWith()
    const [one, other] = [log(), log()]
    await one.write(() => step(0))
    expect(await other.write(({ entries }) => (entries.length === 0 ? step(0) : undefined))).toBe(false)
    expect(await plain.read(name)).toHaveLength(1)
  })
})

describe('E2: an append that rejected', () => {
  it('is not told as the work of a run that was told that it failed', async () => {
    const plain = memoryStore()
    let isDeaf = false
    const heard = <T>(result: T): T => {
      if (isDeaf) throw new StoreUnavailableError('The store', undefined)
      return result
    }
    const { log } = storeWith({
      append: async (...line) => heard(await plain.append(...line)),
      read: async (...line) => heard(await plain.read(...line)),
    })
    const one = log()
    const learned: [kind: string, isOwn: boolean][] = []
    one.listener = { learned: ({ kind }, _state, isOwn) => learned.push([kind, isOwn]), lost() {} }
    await one.write(() => step(0))
    isDeaf = true
    await expect(one.write(() => step(1))).rejects.toThrow(StoreUnavailableError)
    isDeaf = false
    await one.read()
    expect(stepsIn(one)).toEqual([0, 1])
    expect(learned).toEqual([
      ['step', true],
      ['step', false],
    ])
  })

  it('took effect when it is in the log, and is not written twice', async () => {
    let isLost = true
    const plain = memoryStore()
    const { log } = storeWith({
      append: async (...line) => {
        const at = await plain.append(...line)
        if (isLost) {
          isLost = false
          throw new StoreUnavailableError('The store', undefined)
        }
        return at
      },
      read: plain.read,
    })
    const one = log()
    expect(await one.write(() => step(0))).toBe(true)
    expect(await one.write(() => step(1))).toBe(true)
    expect((await plain.read(name)).length).toBe(2)
    expect(stepsIn(one)).toEqual([0, 1])
  })

  it('is tried again when it is not there, and an error when that goes on', async () => {
    let failures = 0
    const plain = memoryStore()
    const { log } = storeWith({
      append: async (...line) => {
        if (failures-- > 0) throw new StoreUnavailableError('The store', undefined)
        return plain.append(...line)
      },
      read: plain.read,
    })
    failures = 2
    expect(await log().write(() => step(0))).toBe(true)
    failures = Number.POSITIVE_INFINITY
    await expect(log().write(() => step(1))).rejects.toThrow(StoreUnavailableError)
  })
})

describe('E3: a log that is not the one that was known', () => {
  it.each(['cut short', 'another one', 'gone'])(
    'is started anew when it is %s, and its listener is told',
    async how => {
      const { log, plain } = storeWith()
      const one = log()
      for (const nth of [0, 1, 2]) await one.write(() => step(nth))
      const [first] = await plain.read(name)
      await plain.erase(name)
      if (how !== 'gone' && first !== undefined) await plain.append(name, [first.value])
      if (how === 'another one') {
        const other = log()
        for (const nth of [7, 8, 9]) await other.write(() => step(nth))
      }
      let lost = 0
      one.listener = { learned() {}, lost: () => lost++ }
      await one.read()
      expect(lost).toBe(1)
      expect(stepsIn(one)).toEqual(how === 'gone' ? [] : how === 'cut short' ? [0] : [0, 7, 8, 9])
      if (how === 'gone') expect(one.state).toBe(emptyCallState)
      await one.write(() => step(5))
      expect(stepsIn(one).at(-1)).toBe(5)
    },
  )

  it('has nothing of who went on from what was there before, also when the numbers fit', async () => {
    const { log, plain } = storeWith()
    const stale = log()
    for (const nth of [0, 1, 2]) await stale.write(() => step(nth))
    const [first] = await plain.read(name)
    await plain.erase(name)
    if (first !== undefined) await plain.append(name, [first.value])
    const owner = log()
    await owner.read()
    for (const nth of [7, 8]) await owner.write(() => step(nth))
    const lost: string[] = []
    stale.listener = { learned() {}, lost: () => lost.push('stale') }
    owner.listener = { learned() {}, lost: () => lost.push('owner') }
    // Nobody can tell by the length of the log.
    expect(await stale.write(() => step(3))).toBe(true)
    await owner.write(() => step(9))
    expect(stepsIn(owner)).toEqual([0, 7, 8, 9])
    const reader = log()
    await reader.read()
    expect(stepsIn(reader)).toEqual([0, 7, 8, 9])
    await stale.read()
    expect(stepsIn(stale)).toEqual([0, 7, 8, 9])
    expect(lost).toEqual(['stale'])
    await stale.write(() => step(10))
    await owner.read()
    expect(stepsIn(owner)).toEqual([0, 7, 8, 9, 10])
  })

  it('is not written to without end when every append is refused', async () => {
    let appends = 0
    const { log } = storeWith({
      append: async () => {
        appends++
        return undefined
      },
    })
    await expect(log().write(() => step(0))).rejects.toThrow(StoreUnavailableError)
    expect(appends).toBeLessThanOrEqual(100)
  })
})

describe('E4: what is written in one turn', () => {
  it('is one append, in order', async () => {
    let appends = 0
    const plain = memoryStore()
    const { log } = storeWith({
      append: (...line) => {
        appends++
        return plain.append(...line)
      },
      read: plain.read,
    })
    const one = log()
    const all = await Promise.all([0, 1, 2].map(nth => one.write(() => step(nth))))
    expect([all, appends, stepsIn(one)]).toEqual([[true, true, true], 1, [0, 1, 2]])
  })
})
