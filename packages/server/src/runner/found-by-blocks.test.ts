// Calls that are found by the block that their id is of, whatever happens to their node.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { createNode, type Handler, turn } from '../../test/round-node.js'
import { blockSize, isTag } from '../log/id-block.js'
import { OwnedCalls } from '../log/owned-calls.js'
import { memoryStore } from '../store/memory-store.js'
import { StoreUnavailableError } from '../store/store-unavailable.js'
import { type MortalStore, mortalStore } from '../test/mortal-store.js'

const leaseMs = 3_000
const { nextId } = OwnedCalls.prototype
/** What draws ids, and the ids that calls were given. */
const drawing = new Set<OwnedCalls>()
const drawnIds = new Set<string>()
/** An id for a call that is never durable, on every node. */
const draw = () => {
  for (const owned of drawing) nextId.call(owned)
}
const timeoutMs = 3_600_000

function createCluster(names: string[], handlerOf: (name: string) => Handler, limits = {}) {
  const shared = memoryStore({ clock: { now: () => 0 } })
  const nodes = names.map(name => {
    const store: MortalStore = mortalStore(shared)
    return createNode(handlerOf(name), { store, clock: new FakeClock(), leaseMs, limits })
  })
  const pass = async (ms: number, ...who: (typeof nodes)[0][]) => {
    for (let left = ms; left > 0; left -= 100) {
      for (const { clock } of who) clock.advance(100)
      await turn()
    }
  }
  const tags = async (of: (typeof nodes)[0]) =>
    (await shared.range(`calls of ${of.nodes.id}`, { limit: 10_000 })).map(({ member }) => member)
  drawing.clear()
  return { nodes: nodes as [(typeof nodes)[0], (typeof nodes)[0], (typeof nodes)[0]], pass, shared, tags }
}

function onTask(call: Parameters<Handler>[0], message: string) {
  const form = { kind: 'form', message, form: { type: 'object', properties: {} } } as const
  return call.ask(form, { timeoutMs, wire: 'tasks' })
}

/** The first call ends at once, and has a block named; others wait for someone. */
function entering() {
  const entered = new Map<string, string[]>()
  let first: string | undefined
  const end = { now: () => {} }
  const handlerOf =
    (name: string): Handler =>
    async call => {
      first ??= call.id
      entered.set(call.id, [...(entered.get(call.id) ?? []), name])
      if (call.id === first) {
        await Promise.race([onTask(call, name), new Promise<void>(resolve => (end.now = resolve))])
        return 'done'
      }
      return onTask(call, name)
    }
  return { entered, end, handlerOf, others: () => [...entered].filter(([id]) => id !== first).map(([, who]) => who) }
}

describe('a block of ids', () => {
  beforeEach(() => {
    vi.spyOn(OwnedCalls.prototype, 'nextId').mockImplementation(function (this: OwnedCalls) {
      drawing.add(this)
      const id = nextId.call(this)
      drawnIds.add(id)
      return id
    })
  })
  afterEach(() => vi.restoreAllMocks())

  it('stays that of a node which came back while another was clearing away what it left', async () => {
    const { handlerOf, others, end } = entering()
    const { nodes, pass, tags } = createCluster(['a', 'b'], handlerOf)
    const [a, b] = nodes
    await Promise.all([a.nodes.join(), b.nodes.join()])
    void a.send({ canRepeat: true, args: 'first' })
    await pass(1_000, a, b)
    end.now()
    await pass(500, a, b)
    expect(await tags(a)).toHaveLength(1)
    // The other one takes it for dead, and is slow for a moment: here before it looks for what is named.
    const { get } = b.store
    let goOn: (() => void) | undefined
    b.store.get = async key => {
      if (key === `ids of ${a.nodes.id}` && goOn === undefined) await new Promise<void>(resolve => (goOn = resolve))
      return get(key)
    }
    await pass(2 * leaseMs, b)
    expect(goOn).toBeDefined()
    // It was only slow.
    a.clock.jump(2 * leaseMs)
    await pass(2_000, a)
    goOn?.()
    await pass(2_000, a, b)
    void a.send({ canRepeat: true, args: 'second' })
    await pass(1_000, a, b)
    expect(others()).toEqual([['a']])
    ;(a.store as MortalStore).die()
    await pass(4 * leaseMs, b)
    expect(others()).toEqual([['a', 'b']])
  })

  it('a process that closes while it takes calls over leaves those that it did not take', async () => {
    const { handlerOf, others } = entering()
    const { nodes, pass } = createCluster(['a', 'b', 'c'], handlerOf)
    const [a, b, c] = nodes
    await Promise.all([a.nodes.join(), b.nodes.join(), c.nodes.join()])
    void a.send({ canRepeat: true, args: 'first' })
    await pass(1_000, a, b, c)
    for (const args of ['2', '3', '4']) void a.send({ canRepeat: true, args })
    await pass(1_000, a, b, c)
    ;(a.store as MortalStore).die()
    const { range } = b.store
    let goOn: (() => void) | undefined
    b.store.range = async (set, ...rest) => {
      const found = await range(set, ...rest)
      if (set === `calls of ${a.nodes.id}` && goOn === undefined) await new Promise<void>(resolve => (goOn = resolve))
      return found
    }
    await pass(2 * leaseMs, b)
    expect(goOn).toBeDefined()
    b.runner.close()
    goOn?.()
    await b.nodes.close()
    await turn()
    await turn()
    await pass(4 * leaseMs, c)
    expect(others()).toEqual([
      ['a', 'c'],
      ['a', 'c'],
      ['a', 'c'],
    ])
  })

  it('a process that has closed begins no run of a call that it was taking over', async () => {
    const entered: string[] = []
    const ran: string[] = []
    const { nodes, pass } = createCluster(['a', 'b', 'c'], name => async call => {
      entered.push(name)
      call.becomeTask()
      if (entered.length === 1) await new Promise(() => {})
      await call.step('pay', async () => {
        ran.push(name)
        await turn()
        await turn()
      })
    })
    const [a, b, c] = nodes
    await Promise.all([a.nodes.join(), b.nodes.join(), c.nodes.join()])
    void a.send({ canRepeat: true })
    await pass(1_000, a, b, c)
    ;(a.store as MortalStore).die()
    const { append } = b.store
    let goOn: (() => void) | undefined
    b.store.append = async (log, entries, ...rest) => {
      if (JSON.stringify(entries).includes('claimed') && goOn === undefined) {
        const done = await append(log, entries, ...rest)
        await new Promise<void>(resolve => (goOn = resolve))
        return done
      }
      return append(log, entries, ...rest)
    }
    await pass(2 * leaseMs, b)
    expect(goOn).toBeDefined()
    b.runner.close()
    goOn?.()
    await b.nodes.close()
    await turn()
    await pass(4 * leaseMs, c)
    expect(entered).toEqual(['a', 'c'])
  })

  it.each([false, true])('goes although a call with one of its ids could not begin (store away: %s)', async away => {
    drawnIds.clear()
    const { handlerOf, end } = entering()
    const { nodes, pass, tags } = createCluster(['a'], handlerOf)
    const [a] = nodes
    await a.nodes.join()
    void a.send({ canRepeat: true, args: 'first' })
    await pass(1_000, a)
    end.now()
    await pass(500, a)
    const [tag] = (await tags(a)).filter(isTag)
    expect(tag).toBeDefined()
    // The next call cannot begin: the store is away.
    ;(a.store as MortalStore).isAway = away
    a.send({ canRepeat: true, args: 'second' }).catch(() => {})
    await pass(200, a)
    ;(a.store as MortalStore).isAway = false
    await pass(10_000, a)
    // More than the rest of the block.
    for (let calls = 0; calls < blockSize; calls++) {
      const gone = new AbortController()
      a.send({ canRepeat: true, args: `n${calls}`, signal: gone.signal }).catch(() => {})
    }
    await pass(1_000, a)
    // They end.
    const ids = [...drawnIds]
    for (const id of ids) await a.runner.durable.cancel(id)
    await pass(5_000, a)
    expect(await tags(a)).not.toContain(tag)
  })

  it('leads to a call that is told while its node writes its names again', async () => {
    const { handlerOf, others, end } = entering()
    const { nodes, pass, tags } = createCluster(['a', 'b'], handlerOf)
    const [a, b] = nodes
    await Promise.all([a.nodes.join(), b.nodes.join()])
    void a.send({ canRepeat: true, args: 'first' })
    await pass(1_000, a, b)
    end.now()
    await pass(500, a, b)
    // Taken for dead, and cleared away.
    await pass(3 * leaseMs, b)
    expect(await tags(a)).toEqual([])
    // Back: the store does not take the name of the block, this once.
    const { put } = a.store
    let refused = 0
    a.store.put = async (set, member, ...rest) => {
      if (set.startsWith('calls of') && refused++ === 0) throw new StoreUnavailableError('The store', undefined)
      return put(set, member, ...rest)
    }
    a.clock.jump(3 * leaseMs)
    await pass(200, a, b)
    let isTold = false
    void a.send({ canRepeat: true, args: 'second' })
    await pass(300, a, b)
    const id = [...drawnIds].at(-1) ?? ''
    await a.runner.durable.find(id)?.begun?.then(() => (isTold = true))
    ;(a.store as MortalStore).die()
    await pass(4 * leaseMs, b)
    expect(others()).toEqual([['a', 'b']])
  })

  it('is there before a call is told while the node still writes its names again', async () => {
    const { handlerOf, others, end } = entering()
    const { nodes, pass, tags } = createCluster(['a', 'b'], handlerOf)
    const [a, b] = nodes
    await Promise.all([a.nodes.join(), b.nodes.join()])
    void a.send({ canRepeat: true, args: 'first' })
    await pass(1_000, a, b)
    end.now()
    await pass(500, a, b)
    await pass(3 * leaseMs, b)
    expect(await tags(a)).toEqual([])
    // The store is slow to take the secret or the name.
    const { set } = a.store
    a.store.set = async (key, ...rest) => {
      if (key.startsWith('ids of')) await new Promise(() => {})
      return set(key, ...rest)
    }
    a.clock.jump(3 * leaseMs)
    await pass(100, a)
    void a.send({ canRepeat: true, args: 'second' })
    await pass(100, a)
    const id = [...drawnIds].at(-1) ?? ''
    let isTold = false
    void a.runner.durable.find(id)?.begun?.then(() => (isTold = true))
    await pass(1_000, a)
    ;(a.store as MortalStore).die()
    await pass(4 * leaseMs, b)
    // Either it was not told, or another finds it.
    expect([isTold, others()]).toEqual([isTold, [isTold ? ['a', 'b'] : ['a']]])
  })

  it('a call that was let go here, taken by another and taken back, leaves no name', async () => {
    const { handlerOf, end } = entering()
    const { nodes, pass, tags } = createCluster(['a', 'b'], handlerOf, { suspended: 1 })
    const [a, b] = nodes
    await Promise.all([a.nodes.join(), b.nodes.join()])
    void a.send({ canRepeat: true, args: 'first' })
    await pass(500, a, b)
    end.now()
    await pass(500, a, b)
    drawnIds.clear()
    for (const args of ['2', '3']) {
      void a.send({ canRepeat: true, args })
      await pass(500, a, b)
    }
    const [evicted = '', other = ''] = [...drawnIds]
    expect(a.runner.durable.find(evicted)).toBeUndefined()
    // Taken for dead: the other one takes both.
    await pass(3 * leaseMs, b)
    a.clock.jump(3 * leaseMs)
    await pass(3_000, a, b)
    ;(b.store as MortalStore).die()
    await pass(4 * leaseMs, a)
    for (const id of [evicted, other]) await a.runner.durable.cancel(id)
    await pass(10_000, a)
    expect((await tags(a)).filter(member => !isTag(member))).toEqual([])
  })

  it.each(['cancelled elsewhere', 'taken elsewhere'])(
    'goes once all of its calls are over, also of one that was let go and %s',
    async how => {
      const { handlerOf, end } = entering()
      const { nodes, pass, tags } = createCluster(['a', 'b'], handlerOf, { suspended: 1 })
      const [a, b] = nodes
      await Promise.all([a.nodes.join(), b.nodes.join()])
      void a.send({ canRepeat: true, args: 'first' })
      await pass(500, a, b)
      end.now()
      await pass(500, a, b)
      drawnIds.clear()
      for (const args of ['2', '3']) {
        void a.send({ canRepeat: true, args })
        await pass(500, a, b)
      }
      const [tag] = (await tags(a)).filter(isTag)
      const [evicted = '', other = ''] = [...drawnIds]
      expect(a.runner.durable.find(evicted)).toBeUndefined()
      if (how === 'taken elsewhere') {
        await pass(3 * leaseMs, b)
        a.clock.jump(3 * leaseMs)
        await pass(3_000, a, b)
      }
      for (const id of [evicted, other]) await b.runner.durable.cancel(id)
      await pass(10_000, a, b)
      for (let n = 0; n < 3 * blockSize; n++) draw()
      await pass(10_000, a, b)
      expect(await tags(a)).not.toContain(tag)
    },
  )

  it('costs a takeover about as many reads as there are calls', async () => {
    const { handlerOf, others } = entering()
    const { nodes, pass } = createCluster(['a', 'b'], handlerOf, {
      suspended: 100_000,
      suspendedPerPrincipal: 100_000,
    })
    const [a, b] = nodes
    await Promise.all([a.nodes.join(), b.nodes.join()])
    void a.send({ canRepeat: true, args: 'first' })
    await pass(500, a, b)
    // A call in so many is one that takes a day.
    for (let block = 0; block < 12; block++) {
      void a.send({ canRepeat: true, args: `long ${block}` })
      await pass(200, a, b)
      for (let n = 1; n < blockSize; n++) draw()
    }
    ;(a.store as MortalStore).die()
    let reads = 0
    const { read } = b.store
    b.store.read = (...where) => {
      reads++
      return read(...where)
    }
    const begun = () => others().filter(who => who.length === 2).length
    const at: [number, number][] = []
    for (let ms = 0; ms < 12 * leaseMs; ms += 500) {
      await pass(500, b)
      at.push([ms, begun()])
    }
    // All of one or two blocks, and a few for each call.
    expect(reads).toBeLessThan(4 * blockSize)
  })
})
