// Processes that stand still, come back and die, each with a clock of its own.
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { ask, createNode, type Handler, loud, turn } from '../../test/round-node.js'
import { blockSize, isTag } from '../log/id-block.js'
import { memoryStore } from '../store/memory-store.js'
import { type MortalStore, mortalStore } from '../test/mortal-store.js'

const leaseMs = 3_000
const timeoutMs = 3_600_000

function createCluster(handlers: [Handler, Handler]) {
  const shared = memoryStore({ clock: { now: () => 0 } })
  const nodes = handlers.map(handler => {
    const store: MortalStore = mortalStore(shared)
    return createNode(handler, { store, clock: new FakeClock(), leaseMs })
  })
  const [a, b] = nodes as [(typeof nodes)[0], (typeof nodes)[0]]
  /** Time passes for some; the others stand still. */
  const pass = async (ms: number, ...who: (typeof a)[]) => {
    for (let left = ms; left > 0; left -= 100) {
      for (const { clock } of who) clock.advance(100)
      await turn()
    }
  }
  return { a, b, pass, shared }
}

describe('a call that is taken over', () => {
  it('is taken from a process that had taken it from this one, and died', async () => {
    const runs: string[] = []
    const handlers = ['a', 'b'].map(
      (name): Handler =>
        call => {
          call.becomeTask()
          runs.push(name)
          // It waits for nobody: nothing makes a process look at its log.
          return runs.length < 3 ? new Promise(() => {}) : Promise.resolve('done')
        },
    )
    const { a, b, pass } = createCluster(handlers as [Handler, Handler])
    void a.send().catch(() => {})
    await b.nodes.join()
    await pass(2_000, a, b)
    await pass(2 * leaseMs, b)
    expect(runs).toEqual(['a', 'b'])
    const store = b.store as MortalStore
    store.die()
    await pass(3 * leaseMs, a)
    expect(runs).toEqual(['a', 'b', 'a'])
  })

  it('goes on with an answer that came before its handler asked again', async () => {
    let id = ''
    let goOn = () => {}
    const handlers = ['a', 'b'].map(
      (name): Handler =>
        async call => {
          id = call.id
          call.becomeTask()
          if (name === 'b') await new Promise<void>(resolve => (goOn = resolve))
          return onTask(call, 'a')
        },
    )
    const { a, b, pass } = createCluster(handlers as [Handler, Handler])
    void a.send().catch(() => {})
    await b.nodes.join()
    await pass(2_000, a, b)
    const store = a.store as MortalStore
    store.die()
    await pass(2 * leaseMs, b)
    const { durable } = b.runner
    const [open] = (await durable.look(id))?.open ?? []
    await durable.answer(id, ask =>
      ask.id === open?.id ? { kind: 'outcome', outcome: { action: 'decline' } } : undefined,
    )
    goOn()
    await pass(200, b)
    expect(await durable.look(id)).toMatchObject({ end: { result: { value: { outcome: { action: 'decline' } } } } })
  })

  it('is looked at now and then while it cannot be taken, and not all the time', async () => {
    const handler: Handler = call => Promise.all([ask(call, 'a', { timeoutMs }), onTask(call, 'b')])
    const { a, b, pass } = createCluster([handler, handler])
    const answer = loud(await a.send())
    await b.nodes.join()
    await pass(2_000, a, b)
    const store = a.store as MortalStore
    store.die()
    b.runner.close()
    await pass(2 * leaseMs, b)
    let reads = 0
    const { read } = b.store
    b.store.read = async (...where) => {
      if (++reads > 100) throw new Error('That is too often.')
      return read(...where)
    }
    b.send(answer).catch(() => {})
    await pass(2_000, b)
    expect(reads).toBeLessThan(20)
  })
})

describe('the calls of a process', () => {
  it('are all taken over when it dies, whether blocks or names of their own lead to them', async () => {
    const many = blockSize + 50
    const entered = new Map<string, string[]>()
    const handlers = ['a', 'b'].map(
      (name): Handler =>
        call => {
          entered.set(call.id, [...(entered.get(call.id) ?? []), name])
          return onTask(call, name)
        },
    )
    const { a, b, pass, shared } = createCluster(handlers as [Handler, Handler])
    await Promise.all([a.nodes.join(), b.nodes.join()])
    for (let calls = 0; calls < many; calls++) {
      void a.send({ canRepeat: true, args: String(calls) }).catch(() => {})
      if (calls % 10 === 0) await pass(100, a, b)
    }
    await pass(1_000, a, b)
    const members = await shared.range(`calls of ${a.nodes.id}`, { limit: many })
    expect(members.length).toBeLessThan(many / 4)
    ;(a.store as MortalStore).die()
    await pass(4 * leaseMs, b)
    expect([...entered.values()]).toEqual(Array.from({ length: many }, () => ['a', 'b']))
    expect(await shared.range(`calls of ${a.nodes.id}`, { limit: 10 })).toEqual([])
    expect(await shared.get(`ids of ${a.nodes.id}`)).toBeUndefined()
  })
})

describe('a call that begins while its process stands still', () => {
  it('is known to be of that process before anyone is told of it', async () => {
    let id = ''
    const handler: Handler = call => {
      id = call.id
      return onTask(call, 'a')
    }
    const { a, b, pass, shared } = createCluster([handler, handler])
    await Promise.all([a.nodes.join(), b.nodes.join()])
    await pass(2_000, a, b)
    let goOn = () => {}
    const { append } = a.store
    a.store.append = async (...line) => {
      await new Promise<void>(resolve => (goOn = resolve))
      return append(...line)
    }
    void a.send().catch(() => {})
    await pass(200, a, b)
    // Its name is there, and nothing else: the other one takes it for dead, and clears that away.
    a.clock.jump(2 * leaseMs)
    await pass(3 * leaseMs, b)
    const named = async () =>
      (await shared.range(`calls of ${a.nodes.id}`, { limit: 10 })).filter(({ member }) => !isTag(member))
    expect(await named()).toEqual([])
    goOn()
    await a.runner.durable.find(id)?.begun
    expect(await named()).toHaveLength(1)
  })
})

function onTask(call: Parameters<Handler>[0], message: string) {
  const form = { kind: 'form', message, form: { type: 'object', properties: {} } } as const
  return call.ask(form, { timeoutMs, wire: 'tasks' })
}
