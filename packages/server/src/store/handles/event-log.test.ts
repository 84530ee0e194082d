import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../memory-store.js'
import type { LogEntry, Store } from '../store.js'
import { EventLog } from './event-log.js'
import type { EventLogOptions } from './event-log-options.js'
import { replayEvents } from './replay-events.js'

interface Added {
  readonly add: string
}

type Names = readonly string[]

const addName = (names: Names, { add }: Added): Names => [...names, add]

function open(store: Store, options: Partial<EventLogOptions<Names, Added>> = {}) {
  const told: string[] = []
  let resets = 0
  const log = new EventLog<Names, Added>({
    store,
    name: 'log',
    empty: [],
    reduce: addName,
    onEvent: ({ add }) => told.push(add),
    onReset: () => resets++,
    ...options,
  })
  const add = (name: string) =>
    log.write(names =>
      names.includes(name)
        ? { events: [], result: false, isDoubtful: true }
        : { events: [{ add: name }], result: true },
    )
  return { log, told, add, resets: () => resets }
}

const snapshots = {
  every: 4,
  encode: (names: Names) => [names.slice(0, 1), names.slice(1)].map(piece => [...piece]),
  decode: (pieces: readonly unknown[]) => pieces.flat() as string[],
}

describe('a log of events', () => {
  it('E1: decides again when something else came first', async () => {
    const store = memoryStore()
    const [a, b] = [open(store), open(store)]
    expect(await Promise.all([a.add('x'), b.add('x'), b.add('y')])).toEqual([true, false, true])
    expect(await a.log.read()).toEqual(['x', 'y'])
    expect([a.told, b.told]).toEqual([['x', 'y'], ['y']])
  })

  it('E2: tells as its own what it finds later of an append that nobody heard of, and that it was told to have failed', async () => {
    const plain = memoryStore()
    let isDeaf = false
    const heard = <T>(result: T): T => {
      if (isDeaf) throw new Error('deaf')
      return result
    }
    const deaf: Store = {
      ...plain,
      append: async (...args) => heard(await plain.append(...args)),
      read: async (...args) => heard(await plain.read(...args)),
    }
    const told: object[] = []
    let unconfirmed = 0
    const onEvent: EventLogOptions<Names, Added>['onEvent'] = ({ add }, { isOwn, isUnconfirmed }) =>
      told.push({ add, isOwn, isUnconfirmed })
    const { log, add } = open(deaf, { onEvent, onUnconfirmed: () => unconfirmed++ })
    await add('a')
    isDeaf = true
    await expect(add('b')).rejects.toThrow('deaf')
    expect([unconfirmed, log.isUnconfirmed]).toEqual([1, true])
    isDeaf = false
    await log.read()
    expect(log.isUnconfirmed).toBe(false)
    const other = open(plain)
    await other.log.read()
    await other.add('c')
    await log.read()
    expect(told).toEqual([
      { add: 'a', isOwn: true, isUnconfirmed: false },
      { add: 'b', isOwn: true, isUnconfirmed: true },
      { add: 'c', isOwn: false, isUnconfirmed: false },
    ])
  })

  it('E2: takes nothing for stored because a read shows it: its server may be about to be lost', async () => {
    const plain = memoryStore()
    let isFailing = true
    const failing: Store = {
      ...plain,
      append: async (...args) => {
        const at = await plain.append(...args)
        if (isFailing) throw new Error('no standby has it')
        return at
      },
    }
    const { log, told, add } = open(failing)
    await expect(add('x')).rejects.toThrow('no standby has it')
    expect(told).toEqual([])
    // Another server goes on, which does not have it.
    await plain.erase('log')
    isFailing = false
    expect(await log.read()).toEqual([])
    expect(await add('y')).toBe(true)
    expect(told).toEqual(['y'])
  })

  it('E6: reads that keep coming are one, and hold up no write', async () => {
    const store = memoryStore()
    let reads = 0
    let isOver = false
    const log = new EventLog<readonly string[], { add: string }>({
      store: {
        ...store,
        read: async (...args) => {
          await new Promise(resolve => setImmediate(resolve))
          // Other hints come while it is read.
          if (!isOver && ++reads < 500) for (let n = 0; n < 3; n++) void log.read()
          return store.read(...args)
        },
      },
      name: 'log',
      empty: [],
      reduce: (names, { add }) => [...names, add],
    })
    void log.read()
    await log.write(() => ({ events: [{ add: 'x' }], result: undefined }))
    isOver = true
    expect(reads).toBeLessThan(10)
  })

  it('E2: finds an append that was made although it rejected', async () => {
    const store = memoryStore()
    let failures = 1
    const flaky: Store = {
      ...store,
      append: async (...args) => {
        const at = await store.append(...args)
        if (failures-- > 0) throw new Error('no answer')
        return at
      },
    }
    const told: Added[] = []
    const { log } = open(flaky, { onEvent: event => told.push(event) })
    // More than go into one entry.
    const events = Array.from({ length: 50 }, (_, number) => ({ add: `${number}` }))
    expect(await log.write(() => ({ events, result: true }))).toBe(true)
    // The very events: who decided on them knows them by that.
    expect([told.length, told.every((event, at) => event === events[at])]).toEqual([50, true])
    expect(await store.read('log')).toHaveLength(3)
  })

  it('E3: starts anew from a log that was cut short, and says so', async () => {
    const store = memoryStore()
    const { log, add, told, resets } = open(store)
    for (const name of ['a', 'b', 'c']) await add(name)
    const kept = (await store.read('log')).slice(0, 1).map(({ value }) => value)
    await store.erase('log')
    await store.append('log', kept)
    expect(await add('d')).toBe(true)
    expect([log.state, told, resets()]).toEqual([['a', 'd'], ['a', 'b', 'c', 'd'], 1])
  })

  it('E3: keeps nothing of an append of which half was cut off', async () => {
    const store = memoryStore()
    const { log, add, resets } = open(store)
    // As many as take two entries.
    const names = Array.from({ length: 25 }, (_, index) => `${index}`)
    await Promise.all(names.map(add))
    await cutShort(store, 1)
    expect([await log.read(), resets()]).toEqual([names.slice(0, 20), 1])
    await add('d')
    expect(await open(store).log.read()).toEqual(log.state)
  })

  it.each([
    ['without snapshots', {}],
    ['with snapshots', { snapshots }],
  ])('E3: has nothing of who knew an end that was cut off, also when the numbers fit, %s', async (_, options) => {
    const store = memoryStore()
    const stale = open(store, options)
    for (const name of ['a', 'b', 'c']) await stale.add(name)
    const kept = (await store.read('log')).slice(0, 1).map(({ value }) => value)
    await store.erase('log')
    await store.append('log', kept)
    const other = open(store, options)
    await other.log.read()
    for (const name of ['x', 'y']) await other.add(name)
    // Nobody can tell by the length of the log.
    expect(await stale.add('d')).toBe(true)
    for (const name of ['e', 'f', 'g', 'h', 'i']) await other.add(name)
    const names = ['a', 'x', 'y', 'e', 'f', 'g', 'h', 'i']
    expect([other.log.state, await open(store, options).log.read(), await stale.log.read()]).toEqual([
      names,
      names,
      names,
    ])
    expect([other.resets(), stale.resets()]).toEqual([0, 1])
    const replayed = await replayEvents({ store, name: 'log', empty: [], reduce: addName, ...options })
    expect(replayed.at(-1)?.after).toEqual(names)
  })

  it.each([
    ['itself', false],
    ['another that knew the old end as well', true],
  ])(
    'E3: tells a writer with its next read that what it appended is no part of the log, after %s',
    async (_, isHeard) => {
      const store = memoryStore()
      const said: (readonly LogEntry[])[] = []
      const [stale, too] = [open(store, { onAppended: entries => said.push(entries) }), open(store)]
      for (const name of ['a', 'b']) await stale.add(name)
      await too.log.read()
      await cutShort(store, 1)
      const other = open(store)
      await other.log.read()
      await other.add('x')
      // Nobody can tell by the length of the log.
      expect(await stale.add('c')).toBe(true)
      if (isHeard) expect(too.log.take(said.at(-1) ?? [])).toBe(true)
      if (isHeard) expect(await too.add('d')).toBe(true)
      for (const { log, resets } of isHeard ? [stale, too] : [stale]) {
        expect(await log.read()).toEqual(['a', 'x'])
        expect(resets()).toBe(1)
      }
      expect(await other.log.read()).toEqual(['a', 'x'])
      expect(other.resets()).toBe(0)
    },
  )

  it('E3: trims nothing before a snapshot of which half was cut off', async () => {
    const store = memoryStore()
    const [writer, late] = [open(store, { snapshots }), open(store, { snapshots })]
    const names = Array.from({ length: 30 }, (_, n) => `${n}`)
    await Promise.all(names.map(writer.add))
    await late.log.read()
    await cutShort(store, 1)
    await writer.add('30')
    await cutShort(store, 2)
    // Its numbers fit, and it knows a snapshot that is there no longer.
    await Promise.all(['a', 'b', 'c', 'd'].map(late.add))
    const fresh = open(store, { snapshots })
    expect(await fresh.log.read()).toEqual([...names, '30'])
  })

  it('E4: writes together what comes together', async () => {
    const store = memoryStore()
    let appends = 0
    const append: Store['append'] = (...args) => {
      appends++
      return store.append(...args)
    }
    const { add } = open({ ...store, append })
    await Promise.all(['a', 'b', 'c'].map(add))
    expect([appends, (await store.read('log')).length]).toEqual([1, 1])
  })

  it('E4: has one that throws fail alone', async () => {
    const { log, add } = open(memoryStore())
    const broken = log.write<never>(() => {
      throw new Error('Broken.')
    })
    const others = Promise.all([add('x'), add('y')])
    await expect(broken).rejects.toThrow('Broken.')
    expect(await others).toEqual([true, true])
    expect(log.state).toEqual(['x', 'y'])
  })

  it('E5: looks again before it says no for what may be old', async () => {
    const store = memoryStore()
    const [a, b] = [open(store), open(store)]
    await a.add('x')
    const has = (name: string) =>
      b.log.write(names => ({ events: [], result: names.includes(name), isDoubtful: !names.includes(name) }))
    expect([await has('x'), await has('y')]).toEqual([true, false])
  })

  it('E6: gives up on a log that others keep changing', async () => {
    const store = memoryStore()
    const { add } = open({ ...store, append: async () => undefined })
    await expect(add('x')).rejects.toThrow(/^Too many processes changed this at once/)
  })

  it('E7: takes what others appended where it goes on from what is known, and nothing else', async () => {
    const store = memoryStore()
    const said: (readonly LogEntry[])[] = []
    const writer = open(store, { onAppended: entries => said.push(entries) })
    for (const name of ['a', 'b', 'c']) await writer.add(name)
    const [first = [], second = [], third = []] = said
    const { log, told } = open({ ...store, read: () => Promise.reject(new Error('read')) })
    expect(log.take(second)).toBe(false)
    expect(log.isLoaded).toBe(false)
    expect([log.take(first), log.take(third), log.take(second), log.take(second)]).toEqual([true, false, true, true])
    expect(log.take(first)).toBe(false)
    expect(log.take([...third.map(entry => ({ ...entry, seq: 4 }))])).toBe(false)
    expect(log.take([])).toBe(false)
    expect(log.state).toEqual(['a', 'b'])
    expect(told).toEqual(['a', 'b'])
    // And goes on from there, without a read.
    expect(log.take(third)).toBe(true)
    await log.write(() => ({ events: [{ add: 'd' }], result: undefined }))
    expect(await writer.log.read()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('E7: takes nothing while something is under way', async () => {
    const store = memoryStore()
    const said: (readonly LogEntry[])[] = []
    const [a, b] = [open(store, { onAppended: entries => said.push(entries) }), open(store)]
    await a.add('x')
    const adding = b.add('y')
    expect(b.log.take(said[0] ?? [])).toBe(false)
    expect(await adding).toBe(true)
    expect(b.log.state).toEqual(['x', 'y'])
    expect(b.told).toEqual(['y'])
  })

  it('does what is around an append before and after it', async () => {
    const store = memoryStore()
    const done: string[] = []
    const { add } = open(store, {
      around: async (steps, append) => {
        done.push(...steps.map(({ event, before, after }) => `${event.add}: ${before} -> ${after}`))
        const at = await append({ puts: [{ set: 'set', member: 'm', score: 1 }] })
        done.push(`after ${at}`)
        return at
      },
    })
    await Promise.all([add('x'), add('y')])
    expect(done).toEqual(['x:  -> x', 'y: x -> x,y', 'after 1'])
    expect(await store.count('set', { upTo: 2 })).toBe(1)
  })

  it('says nothing of what was there when it was first read, but that there was something', async () => {
    const store = memoryStore()
    await open(store).add('x')
    let untold = 0
    const { log, told, add } = open(store, { onUntold: () => untold++ })
    expect(log.isLoaded).toBe(false)
    await log.read()
    await add('y')
    expect([log.state, told, untold]).toEqual([['x', 'y'], ['y'], 1])
  })

  it.each([
    ['without snapshots', {}],
    ['with snapshots', { snapshots }],
  ])('says that there was something also where a write that failed has read it, %s', async (_, options) => {
    const store = memoryStore()
    const other = open(store, options)
    for (const name of ['a', 'b', 'c', 'd', 'e']) await other.add(name)
    let untold = 0
    const append = () => Promise.reject(new Error('full'))
    const { log, told, add } = open({ ...store, append }, { ...options, onUntold: () => untold++ })
    await expect(add('x')).rejects.toThrow('full')
    expect([log.isLoaded, told, untold]).toEqual([true, [], 1])
  })

  it('says no such thing of what it has told all of', async () => {
    const store = memoryStore()
    let untold = 0
    const onUntold = () => untold++
    let failures = 1
    const flaky: Store = {
      ...store,
      append: async (...args) => {
        const at = await store.append(...args)
        if (failures-- > 0) throw new Error('no answer')
        return at
      },
    }
    const writer = open(flaky, { onUntold })
    for (const name of ['a', 'b']) await writer.add(name)
    const reader = open(store, { onUntold, emitsHistory: true })
    await reader.log.read()
    expect([writer.told, reader.told, untold]).toEqual([['a', 'b'], ['a', 'b'], 0])
  })

  it('begins with a snapshot, and keeps no more than two', async () => {
    const store = memoryStore()
    const { add, log } = open(store, { snapshots })
    for (let i = 0; i < 50; i++) await add(`${i}`)
    await new Promise(resolve => setImmediate(resolve))
    expect((await store.read('log')).length).toBeLessThan(16)
    const late = open(store, { snapshots })
    expect(await late.log.read()).toEqual(log.state)
    expect(late.log.state).toHaveLength(50)
    await late.add('late')
    expect(await log.read()).toEqual(late.log.state)
  })

  it('brings every writer to the same state, whatever the store loses of its answers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(2), { minLength: 1, maxLength: 40 }),
        fc.array(fc.constantFrom('well', 'lost', 'refused'), { minLength: 1, maxLength: 30 }),
        async (turns, pattern) => {
          const store = memoryStore()
          let calls = 0
          let isWell = false
          const flaky: Store = {
            ...store,
            append: async (...args) => {
              const how = isWell ? 'well' : pattern[calls++ % pattern.length]
              if (how === 'refused') throw new Error('away')
              const at = await store.append(...args)
              if (how === 'lost') throw new Error('no answer')
              return at
            },
          }
          const nodes = [open(flaky, { snapshots }), open(store, { snapshots }), open(flaky, { snapshots })]
          const accepted: string[] = []
          for (const [index, turn] of turns.entries())
            if (await nodes[turn]?.add(`${index}`).catch(() => false)) accepted.push(`${index}`)
          isWell = true
          const states = await Promise.all(nodes.map(({ log }) => log.read()))
          for (const state of states) {
            expect(state).toEqual(states[0])
            expect(new Set(state).size).toBe(state.length)
            expect(accepted.filter(name => !state.includes(name))).toEqual([])
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  it('brings every writer to what a newcomer has, wherever the log was cut', async () => {
    const turn = fc.oneof(
      fc.record({ who: fc.nat(2), adds: fc.constantFrom(1, 2, 4, 30) }),
      fc.record({ who: fc.nat(2) }),
      // What was said of an append comes late, twice, or never.
      fc.record({ who: fc.nat(2), hears: fc.nat(60) }),
      fc.record({ cut: fc.integer({ min: 1, max: 6 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 40 }), fc.boolean(), async (turns, hasSnapshots) => {
        const store = memoryStore()
        const said: (readonly LogEntry[])[] = []
        const options = {
          onAppended: (entries: readonly LogEntry[]) => said.push(entries),
          ...(hasSnapshots && { snapshots }),
        }
        const nodes = [open(store, options), open(store, options), open(store, options)]
        let names = 0
        for (const step of turns) {
          if ('cut' in step) await cutShort(store, step.cut)
          else if ('hears' in step) nodes[step.who]?.log.take(said[step.hears % (said.length || 1)] ?? [])
          else if ('adds' in step)
            await Promise.all(Array.from({ length: step.adds }, () => nodes[step.who]?.add(`${names++}`)))
          else await nodes[step.who]?.log.read()
        }
        const fresh = open(store, options)
        await fresh.log.read()
        for (const { log, told } of nodes) {
          expect(await log.read()).toEqual(fresh.log.state)
          expect(new Set(told).size).toBe(told.length)
        }
      }),
      { numRuns: 300 },
    )
  })
})

/** Takes the last entries away, as a store does that went on with a replica which was behind. The numbers stay. */
async function cutShort(store: Store, count: number): Promise<void> {
  const all = await store.read('log')
  const kept = all.slice(0, -count)
  const [first] = kept
  await store.erase('log')
  if (first === undefined) return
  const filler = Array.from({ length: first.seq - 1 }, () => null)
  await store.append('log', [...filler, ...kept.map(({ value }) => value)])
  if (filler.length > 0) await store.trim('log', filler.length)
}
