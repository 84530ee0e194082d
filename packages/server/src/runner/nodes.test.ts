import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import type { Store } from '../store/index.js'
import { memoryStore } from '../store/memory-store.js'
import { Nodes } from './nodes.js'

const leaseMs = 15_000

/** Nodes with one store; the time of each is its own, and so is the store's. */
function createNodes(offsets: number[]) {
  const storeClock = new FakeClock()
  const store = { ...memoryStore({ clock: storeClock }), shared: true }
  const clocks = offsets.map(offset => {
    const clock = new FakeClock()
    clock.advance(offset)
    return clock
  })
  const nodes = clocks.map(clock => new Nodes({ store, clock, leaseMs }))
  const pass = async (ms: number, who = clocks) => {
    for (let left = ms; left > 0; left -= 1_000) {
      for (const clock of [storeClock, ...who]) clock.advance(1_000)
      for (let turn = 0; turn < 4; turn++) await new Promise(resolve => setImmediate(resolve))
    }
  }
  return { nodes: nodes as [Nodes, Nodes], clocks: clocks as [FakeClock, FakeClock], pass, store }
}

async function membersOf(store: Store): Promise<string[]> {
  return (await store.range('nodes', { limit: 10 })).map(({ member }) => member).sort()
}

describe('nodes', () => {
  it.each([0, 60_000, 3_600_000])('know each other to be alive with clocks that differ by %i ms', async offset => {
    const { nodes, pass } = createNodes([0, offset])
    await Promise.all(nodes.map(node => node.join()))
    for (let i = 0; i < 5; i++) {
      await pass(20_000)
      expect(await nodes[0].isAlive(nodes[1].id)).toBe(true)
      expect(await nodes[1].isAlive(nodes[0].id)).toBe(true)
    }
  })

  it('take one for dead that was silent for a lease, and not before', async () => {
    const { nodes, clocks, pass } = createNodes([0, 0])
    await Promise.all(nodes.map(node => node.join()))
    expect(await nodes[0].isAlive(nodes[1].id)).toBe(true)
    await pass(leaseMs - 1_000, [clocks[0]])
    expect(await nodes[0].isAlive(nodes[1].id)).toBe(true)
    await pass(2_000, [clocks[0]])
    expect(await nodes[0].isAlive(nodes[1].id)).toBe(false)
  })

  it('count an epoch where a heartbeat was so long on its way that others may have taken it for dead', async () => {
    const clock = new FakeClock()
    const plain = memoryStore({ clock: { now: () => 0 } })
    let delay: Promise<void> | undefined
    const put: Store['put'] = async (...args) => {
      await delay
      return plain.put(...args)
    }
    const node = new Nodes({ store: { ...plain, shared: true, put }, clock, leaseMs })
    const turns = async () => {
      for (let turn = 0; turn < 4; turn++) await new Promise(resolve => setImmediate(resolve))
    }
    await node.join()
    clock.advance(leaseMs / 3)
    await turns()
    const { epoch } = node
    let arrive = () => {}
    delay = new Promise(resolve => {
      arrive = resolve
    })
    // It leaves in time, and arrives after a lease.
    clock.advance(leaseMs / 3)
    await turns()
    clock.advance(leaseMs)
    arrive()
    await turns()
    expect(node.epoch).toBe(epoch + 1)
    expect(epoch).toBe(1)
  })

  it('leave at once what they have when they close', async () => {
    const { nodes } = createNodes([0, 0])
    await Promise.all(nodes.map(node => node.join()))
    await nodes[1].close()
    expect(await nodes[0].isAlive(nodes[1].id)).toBe(false)
  })

  it('stay gone when they close while something is still being tried', async () => {
    const { nodes, pass } = createNodes([0, 0])
    await Promise.all(nodes.map(node => node.join()))
    let attempts = 0
    let finish = () => {}
    await nodes[1].retryUntilStored(async () => {
      if (++attempts === 1) throw new Error('not yet')
      await new Promise<void>(resolve => {
        finish = resolve
      })
    })
    await pass(leaseMs)
    expect(attempts).toBe(2)
    await nodes[1].close()
    finish()
    await pass(1_000)
    expect(await nodes[0].isAlive(nodes[1].id)).toBe(false)
  })

  it('have the others see to what a dead one left, until nothing is left', async () => {
    const { nodes, clocks, pass, store } = createNodes([0, 0])
    await Promise.all(nodes.map(node => node.join()))
    const seen: string[] = []
    nodes[0].onDeath(async node => seen.push(node) === 2)
    await pass(60_000, [clocks[0]])
    expect(seen).toEqual([nodes[1].id, nodes[1].id])
    expect(await membersOf(store)).toEqual([nodes[0].id])
  })

  it.each(['what a dead one left', 'what failed before', 'its calls'])(
    'are known to be alive while they see to %s, however long that takes',
    async what => {
      const { nodes, clocks, pass, store } = createNodes([0, 0])
      const never = () => new Promise<never>(() => {})
      await Promise.all(nodes.map(node => node.join()))
      if (what === 'what a dead one left') {
        await store.put('nodes', 'dead', 7)
        nodes[0].onDeath(never)
      } else if (what === 'what failed before') {
        let isFirst = true
        await nodes[0].retryUntilStored(async () => {
          if (!isFirst) await never()
          isFirst = false
          throw new Error('away')
        })
      } else nodes[0].onHeartbeat(never)
      for (let i = 0; i < 5; i++) {
        await pass(20_000, clocks)
        expect(await nodes[1].isAlive(nodes[0].id)).toBe(true)
      }
    },
  )

  it('are known to be alive while something fails all the time', async () => {
    const { nodes, pass } = createNodes([0, 0])
    await Promise.all(nodes.map(node => node.join()))
    for (let i = 0; i < 30; i++) {
      void nodes[0].retryUntilStored(async () => {
        throw new Error('away')
      })
      await pass(2_000)
    }
    expect(await nodes[1].isAlive(nodes[0].id)).toBe(true)
  })

  it('try what failed again with every heartbeat, until it succeeds', async () => {
    const { nodes, clocks, pass } = createNodes([0])
    let attempts = 0
    await nodes[0].retryUntilStored(async () => {
      if (++attempts < 3) throw new Error('away')
    })
    await pass(30_000, clocks)
    expect(attempts).toBe(3)
  })
})

describe('a node that was only slow', () => {
  it('is a member again, and is told so', async () => {
    const { nodes, clocks, pass, store } = createNodes([0, 0])
    await Promise.all(nodes.map(node => node.join()))
    let returns = 0
    nodes[1].onReturn(async () => returns++)
    await pass(60_000, [clocks[0]])
    expect(await membersOf(store)).toEqual([nodes[0].id])
    await pass(30_000)
    expect(await membersOf(store)).toEqual([nodes[0].id, nodes[1].id].sort())
    expect(returns).toBe(1)
    expect(await nodes[0].isAlive(nodes[1].id)).toBe(true)
  })

  it('is told so also when it came back while another saw to what it had', async () => {
    const { nodes, clocks, pass } = createNodes([0, 0])
    await Promise.all(nodes.map(node => node.join()))
    let returns = 0
    nodes[1].onReturn(async () => returns++)
    nodes[0].onDeath(async () => {
      // Some of it is another's by now.
      clocks[1].advance(leaseMs / 3)
      for (let turn = 0; turn < 4; turn++) await new Promise(resolve => setImmediate(resolve))
      return false
    })
    await pass(20_000, [clocks[0]])
    expect(returns).toBe(1)
    expect(await nodes[0].isAlive(nodes[1].id)).toBe(true)
  })

  it('keeps the heartbeat that it gave while another saw to what it had', async () => {
    const { nodes, clocks, pass, store } = createNodes([0, 0])
    await Promise.all(nodes.map(node => node.join()))
    nodes[0].onDeath(async node => {
      await store.put('nodes', node, 1_000_000)
      return true
    })
    await pass(20_000, [clocks[0]])
    expect(await membersOf(store)).toContain(nodes[1].id)
  })
})

it('is not fresh by a clock that was set back, before its next heartbeat is stored', async () => {
  const clock = new FakeClock()
  clock.advance(7_200_000)
  const store = { ...memoryStore({ clock: { now: () => 0 } }), shared: true }
  const node = new Nodes({ store, clock, leaseMs })
  await node.join()
  let setBackMs = 0
  const now = clock.now.bind(clock)
  clock.now = () => now() - setBackMs
  expect(node.isFresh).toBe(true)
  setBackMs = 3_600_000
  expect(node.isFresh).toBe(false)
  await node.stayKnown()
  expect(node.isFresh).toBe(true)
  // Nobody hears from it any more.
  store.put = async () => Promise.reject(new Error('The store is away.'))
  for (let second = 0; second < 20; second++) {
    clock.advance(1_000)
    await new Promise(resolve => setImmediate(resolve))
  }
  expect(node.isFresh).toBe(false)
})

it('writes again what is its own when it was taken for dead, also where that fails at first', async () => {
  const { nodes, clocks, pass, store } = createNodes([0, 0])
  await Promise.all(nodes.map(node => node.join()))
  let failures = 1
  let written = 0
  nodes[0].onReturn(async () => {
    if (failures-- > 0) throw new Error('The store is away.')
    written++
  })
  await pass(3 * leaseMs, [clocks[1]])
  expect(await membersOf(store)).toEqual([nodes[1].id])
  await pass(leaseMs)
  expect(written).toBe(1)
})
