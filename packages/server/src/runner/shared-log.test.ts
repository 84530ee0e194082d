import { StateRejectedError } from '@beckon/core'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { ask, createNode, type Handler, loud, open, turn } from '../../test/round-node.js'
import type { Call } from '../call/call.js'
import type { Store } from '../store/index.js'
import { memoryStore } from '../store/memory-store.js'
import { sealedStore } from '../store/sealed-store.js'

/** Several processes with one store, each with a clock of its own. The store goes by the last one's. */
function createCluster(handlers: Handler[], store?: Store) {
  const clocks = handlers.map(() => new FakeClock())
  const plain = store ?? memoryStore({ clock: { now: () => clocks.at(-1)?.now() ?? 0 } })
  const shared = sealedStore({ ...plain, shared: true }, 'a key for these tests only')
  const nodes = handlers.map((handler, index) => {
    const clock = clocks[index] ?? new FakeClock()
    return createNode(handler, { store: shared, clock, retainMs: 60_000 })
  })
  const node = (index: number) => {
    const found = nodes[index]
    if (found === undefined) throw new Error(`there is no node ${index}`)
    return found
  }
  return { clocks, node }
}

const twice = (handler: Handler) => [handler, handler]

describe('with a shared store', () => {
  it('R5: goes on from any node, with steps that run once, and a state that carries no journal', async () => {
    let effects = 0
    const handler: Handler = async call => {
      const a = await ask(call, 'a')
      const step = await call.step('effect', () => {
        effects++
        return 'x'.repeat(20_000)
      })
      return [a, step.length, await ask(call, 'b')]
    }
    const { node } = createCluster(twice(handler))
    const first = await node(0).send()
    const second = await node(1).send(loud(first))
    expect(open(second).state.length).toBeLessThan(2_000)
    expect(await node(0).send(loud(second))).toEqual({ kind: 'finished', result: ['A', 20_000, 'B'] })
    expect(effects).toBe(1)
  })

  it('gives both nodes the same reply when the same answers race', async () => {
    let effects = 0
    const handler: Handler = async call => [await ask(call, 'a'), await call.step('effect', () => ++effects)]
    const { node } = createCluster(twice(handler))
    const answer = loud(await node(0).send())
    const replies = await Promise.all([node(0).send(answer), node(1).send(answer), node(1).send(answer)])
    expect(replies).toEqual(Array(3).fill({ kind: 'finished', result: ['A', 1] }))
    expect(await node(1).send(answer)).toEqual(replies[0])
    expect(effects).toBe(1)
  })

  it('takes one of two different answers, and refuses the other on every node', async () => {
    const handler: Handler = call => ask(call, 'a')
    const { node } = createCluster(twice(handler))
    const { state, ids } = open(await node(0).send())
    const id = `${ids[0]}`
    const results = await Promise.allSettled([
      node(0).send({ state, answers: { [id]: 1 } }),
      node(1).send({ state, answers: { [id]: 2 } }),
    ])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(results.find(result => result.status === 'rejected')).toMatchObject({
      reason: expect.any(StateRejectedError),
    })
  })

  it.each([1, 2])(
    'leaves a round to a run that is at work on it already, when others come with answer %i',
    async value => {
      let runs = 0
      const handler: Handler = async call => {
        runs++
        return [await ask(call, 'a'), await ask(call, 'b')]
      }
      const plain = memoryStore({ clock: { now: () => 0 } })
      // Whoever comes second has read the log before the first one has written to it.
      let isHeld = false
      let wakeUp = () => {}
      const read: Store['read'] = async (...where) => {
        const entries = await plain.read(...where)
        if (isHeld)
          await new Promise<void>(resolve => {
            isHeld = false
            wakeUp = resolve
          })
        return entries
      }
      const { node } = createCluster(twice(handler), { ...plain, read })
      // A run that has answered a round before, and has the next one, too.
      const { state, ids } = open(await node(0).send(loud(await node(0).send())))
      isHeld = true
      const late = node(1).send({ state, answers: { [`${ids[0]}`]: value } })
      await turn()
      expect(isHeld).toBe(false)
      const first = node(0).send({ state, answers: { [`${ids[0]}`]: 1 } })
      wakeUp()
      const [won, other] = await Promise.allSettled([first, late])
      expect(won).toEqual({ status: 'fulfilled', value: { kind: 'finished', result: ['A', 1] } })
      expect(other).toEqual(value === 1 ? won : { status: 'rejected', reason: expect.any(StateRejectedError) })
      expect(runs).toBe(1)
    },
  )

  it('R2: lets a copy that was overtaken elsewhere do nothing more', async () => {
    const seen: string[] = []
    const handler: Handler = async call => {
      call.signal.addEventListener('abort', () => seen.push('aborted'))
      const a = await ask(call, 'a')
      await call.step('effect', () => seen.push('effect'))
      return a
    }
    const { node } = createCluster(twice(handler))
    const answer = loud(await node(0).send())
    expect(await node(1).send(answer)).toEqual({ kind: 'finished', result: 'A' })
    expect(await node(0).send(answer)).toEqual({ kind: 'finished', result: 'A' })
    expect(seen).toEqual(['effect', 'aborted'])
  })

  it('R2: takes over from a worker that died, and keeps a slow one from writing', async () => {
    const effects: string[] = []
    let wakeUp = () => {}
    let slow: Call | undefined
    const handlers = ['slow', 'fast'].map(
      (name): Handler =>
        async call => {
          const a = await ask(call, 'a', { timeoutMs: 3_600_000 })
          await call.step('first', () => effects.push(`first by ${name}`))
          if (name === 'slow') {
            slow = call
            await new Promise<void>(resolve => {
              wakeUp = resolve
            })
          }
          await call.step('second', ({ id }) => effects.push(`second by ${name} ${id.length}`))
          return [a, name]
        },
    )
    const { node, clocks } = createCluster(handlers)
    const answer = loud(await node(0).send())
    node(0).send(answer)
    await turn()
    await turn()
    // The slow node stops for longer than its lease: its timers do not run either.
    const repeat = node(1).send(answer)
    for (let i = 0; i < 40; i++) {
      await turn()
      clocks[1]?.advance(1_000)
    }
    expect(await repeat).toEqual({ kind: 'finished', result: ['A', 'fast'] })
    wakeUp()
    await turn()
    await turn()
    expect(slow?.isDropped).toBe(true)
    expect(effects.filter(effect => effect.startsWith('first'))).toEqual(['first by slow'])
  })

  it('R5: does not run a step again in a copy that waited while another process ran it, and died', async () => {
    const effects: string[] = []
    const handlers = ['waits', 'dies'].map(
      (name): Handler =>
        async call => {
          const a = await ask(call, 'a', { timeoutMs: 3_600_000 })
          await call.step('first', () => effects.push(`first by ${name}`))
          if (name === 'dies') await new Promise(() => {})
          return a
        },
    )
    const { node, clocks } = createCluster(handlers)
    const answer = loud(await node(0).send())
    node(1).send(answer)
    await turn()
    await turn()
    expect(effects).toEqual(['first by dies'])
    const repeat = node(0).send(answer)
    for (let i = 0; i < 40; i++) {
      await turn()
      clocks[0]?.advance(1_000)
    }
    expect(await repeat).toEqual({ kind: 'finished', result: 'A' })
    expect(effects).toEqual(['first by dies'])
  })

  it('has one reply for a round, also from a worker that was overtaken', async () => {
    let wakeUp = () => {}
    const handlers = ['slow', 'fast'].map(
      (name): Handler =>
        async call => {
          const a = await ask(call, 'a', { timeoutMs: 3_600_000 })
          if (name === 'slow')
            await new Promise<void>(resolve => {
              wakeUp = resolve
            })
          return [a, name]
        },
    )
    const { node, clocks } = createCluster(handlers)
    const answer = loud(await node(0).send())
    const slow = node(0).send(answer)
    await turn()
    await turn()
    const fast = node(1).send(answer)
    for (let i = 0; i < 40; i++) {
      await turn()
      clocks[1]?.advance(1_000)
    }
    expect(await fast).toEqual({ kind: 'finished', result: ['A', 'fast'] })
    wakeUp()
    expect(await slow).toEqual(await fast)
  })

  it('has an answer in the journal once, however often its round was claimed', async () => {
    const learned: Record<string, string[]> = {}
    const handlers = ['dies', 'takes over', 'goes on'].map(
      (name): Handler =>
        async call => {
          const a = await ask(call, 'a', { timeoutMs: 3_600_000 })
          learned[name] = call.journal.entries.map(({ kind }) => kind)
          await call.step('one', () => 1)
          if (name === 'dies') await new Promise(() => {})
          return [a, await ask(call, 'b', { timeoutMs: 3_600_000 })]
        },
    )
    const { node, clocks } = createCluster(handlers)
    const answer = loud(await node(0).send())
    node(0).send(answer)
    await turn()
    const repeat = node(1).send(answer)
    for (let i = 0; i < 40; i++) {
      await turn()
      clocks[1]?.advance(1_000)
    }
    const second = loud(await repeat)
    expect(await node(2).send(second)).toEqual({ kind: 'finished', result: ['A', 'B'] })
    expect(learned).toEqual({ dies: ['ask'], 'takes over': ['ask', 'step'], 'goes on': ['ask', 'step', 'ask'] })
  })

  it('goes on elsewhere when a worker died that had seen an ask expire', async () => {
    const handler: Handler = async call => [
      await ask(call, 'a').catch((error: Error) => error.name),
      await ask(call, 'b', { timeoutMs: 3_600_000 }),
    ]
    const plain = memoryStore({ clock: { now: () => 0 } })
    let writes = 0
    // The first one takes the round, and dies before it can reply.
    const append: Store['append'] = (...line) => (++writes === 2 ? new Promise(() => {}) : plain.append(...line))
    const { node, clocks } = createCluster(twice(handler), { ...plain, append })
    const { state } = open(await node(0).send())
    for (const clock of clocks) clock.advance(2_000)
    await turn()
    node(0).send({ state })
    await turn()
    await turn()
    expect(writes).toBe(2)
    const repeat = node(1).send({ state })
    for (let i = 0; i < 40; i++) {
      await turn()
      clocks[1]?.advance(1_000)
    }
    const second = await repeat
    expect(open(second).messages).toEqual(['b'])
    expect(await node(1).send(loud(second))).toEqual({ kind: 'finished', result: ['AskExpiredError', 'B'] })
  })

  it('has one answer to an ask that was shown by two nodes', async () => {
    const handler: Handler = call => ask(call, 'a')
    const { node } = createCluster(twice(handler))
    const first = open(await node(0).send())
    const again = open(await node(1).send({ state: first.state }))
    expect(again.ids).toEqual(first.ids)
    const id = `${first.ids[0]}`
    const results = await Promise.allSettled([
      node(0).send({ state: first.state, answers: { [id]: 1 } }),
      node(1).send({ state: again.state, answers: { [id]: 2 } }),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('has someone who asks where the call stands wait for who works on it, and runs no step beside', async () => {
    const effects: string[] = []
    const done: (() => void)[] = []
    const handler: Handler = async call => {
      const a = await ask(call, 'a')
      await call.step('effect', async () => {
        effects.push('effect')
        await new Promise<void>(resolve => done.push(resolve))
      })
      return a
    }
    const { node } = createCluster(twice(handler))
    const first = await node(0).send()
    const answering = node(0).send(loud(first))
    await turn()
    const asking = node(1).send({ state: open(first).state })
    await turn()
    await turn()
    for (const finish of done) finish()
    expect(await asking).toEqual(await answering)
    expect(effects).toEqual(['effect'])
  })

  it('looks after a call that another process works on now and then, and not all the time', async () => {
    let finish = () => {}
    const handler: Handler = async call => {
      const a = await ask(call, 'a', { timeoutMs: 3_600_000 })
      await call.step('effect', () => new Promise<void>(resolve => (finish = resolve)))
      return a
    }
    const plain = memoryStore({ clock: { now: () => 0 } })
    let reads = 0
    const read: Store['read'] = (...where) => {
      reads++
      return plain.read(...where)
    }
    const { node, clocks } = createCluster(twice(handler), { ...plain, read })
    const answer = loud(await node(0).send())
    const answering = node(0).send(answer)
    await turn()
    const repeat = node(1).send(answer)
    reads = 0
    for (let ms = 0; ms < 2_000; ms += 10) {
      await turn()
      for (const clock of clocks) clock.advance(10)
    }
    expect(reads).toBeLessThan(20)
    finish()
    for (let ms = 0; ms < 2_000; ms += 100) {
      await turn()
      for (const clock of clocks) clock.advance(100)
    }
    expect(await repeat).toEqual(await answering)
  })

  it('takes the same answers for the same, whoever thinks that something expired beside them', async () => {
    const handler: Handler = async call =>
      Promise.all([ask(call, 'a').catch((error: Error) => error.name), ask(call, 'b', { timeoutMs: 3_600_000 })])
    const plain = memoryStore({ clock: { now: () => 0 } })
    let writes = 0
    // The first one takes the round, and dies before it can reply.
    const append: Store['append'] = (...line) => (++writes === 2 ? new Promise(() => {}) : plain.append(...line))
    const { node, clocks } = createCluster(twice(handler), { ...plain, append })
    const { state, ids } = open(await node(0).send())
    const answer = { state, answers: { [`${ids[1]}`]: 'B' } }
    clocks[0]?.advance(2_000)
    await turn()
    node(0).send(answer)
    await turn()
    await turn()
    // By this one's clock the other ask has time left while it waits.
    const repeat = node(1).send(answer)
    for (let i = 0; i < 40; i++) {
      await turn()
      clocks[1]?.advance(1_000)
    }
    expect(await repeat).toEqual({ kind: 'finished', result: ['AskExpiredError', 'B'] })
  })

  it('opens a round again when the client went away in the middle', async () => {
    let isCut = true
    let steps = 0
    const controller = new AbortController()
    const handler: Handler = async call => {
      await ask(call, 'a')
      await call.step('effect', () => ++steps)
      if (isCut) await new Promise(() => controller.abort())
      return steps
    }
    const { node } = createCluster(twice(handler))
    const answer = loud(await node(0).send())
    await node(0).send({ ...answer, signal: controller.signal })
    isCut = false
    expect(await node(1).send(answer)).toEqual({ kind: 'finished', result: 1 })
  })

  it('runs a step while no request is open', async () => {
    const ran: string[] = []
    const { node } = createCluster([
      async call => {
        await Promise.all([
          ask(call, 'a'),
          new Promise(resolve => setImmediate(() => setImmediate(resolve))).then(() =>
            call.step('late', () => ran.push('late')),
          ),
        ])
        return 'done'
      },
    ])
    const first = await node(0).send()
    await turn()
    await turn()
    expect(ran).toEqual(['late'])
    expect(await node(0).send(loud(first))).toEqual({ kind: 'finished', result: 'done' })
  })

  it('keeps nothing readable in the store, and nothing at all after its time', async () => {
    const written: string[] = []
    const clock = new FakeClock()
    const plain = memoryStore({ clock })
    const store: Store = {
      ...plain,
      shared: true,
      append: (log, entries, options) => {
        written.push(JSON.stringify(entries), log)
        return plain.append(log, entries, options)
      },
      read: plain.read,
    }
    const { node } = createCluster(
      [async call => [await ask(call, 'secret word'), await call.step('s', () => 'secret result')]],
      store,
    )
    await node(0).send(loud(await node(0).send()))
    expect(written.length).toBeGreaterThan(2)
    expect(written.join()).not.toMatch(/secret/i)
    const log = `${written.at(-1)}`
    expect(await plain.read(log)).not.toEqual([])
    clock.advance(10 * 60_000)
    expect(await plain.read(log)).toEqual([])
  })
})
