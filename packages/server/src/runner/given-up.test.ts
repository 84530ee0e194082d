// Runs that a process gave up while it lives on, although the log of the call still names them.
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { ask, createNode, type Handler, loud, turn } from '../../test/round-node.js'
import type { CallEvent } from '../log/events.js'
import { StoreUnavailableError } from '../store/index.js'
import { memoryStore } from '../store/memory-store.js'
import { type MortalStore, mortalStore } from '../test/mortal-store.js'

const timeoutMs = 3_600_000

/** Processes with one store and one clock, each with a handle of its own. */
function createCluster(handlers: Handler[], limits = {}) {
  const clock = new FakeClock()
  const shared = memoryStore({ clock })
  const logs = new Set<string>()
  let reads = 0
  const nodes = handlers.map(handler => {
    const store: MortalStore = mortalStore(shared)
    const { append, read } = store
    store.append = (log, ...rest) => {
      logs.add(log)
      return append(log, ...rest)
    }
    store.read = (...where) => {
      reads++
      return read(...where)
    }
    return { ...createNode(handler, { store, clock, leaseMs: 3_000, limits }), store }
  })
  const node = (index: number) => {
    const found = nodes[index]
    if (found === undefined) throw new Error(`there is no node ${index}`)
    return found
  }
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 100) {
      clock.advance(100)
      await turn()
    }
  }
  const events = async () => {
    const lines = await Promise.all(Array.from(logs, log => shared.read(log)))
    return lines.flat().flatMap(({ value }) => (value as unknown as { e: CallEvent[] }).e)
  }
  return { node, pass, events, shared, logs, reads: () => reads }
}

/** The next append takes effect, and its process is told that nobody knows: nor can it look. */
function loseNext(store: MortalStore): Promise<void> {
  const { append } = store
  return new Promise(resolve => {
    store.append = async (...line) => {
      store.append = append
      await append(...line)
      store.isAway = true
      resolve()
      throw new StoreUnavailableError('The store', undefined)
    }
  })
}

describe('a round whose run was given up by a process that lives', () => {
  const handler: Handler = async call => [await ask(call, 'a', { timeoutMs }), await call.step('one', () => 1)]

  it('is taken by another one that asks for it, and nobody asks all the time', async () => {
    const { node, pass, reads, events } = createCluster([handler, handler])
    const answer = loud(await node(0).send())
    const lost = loseNext(node(0).store)
    const failing = expect(node(0).send(answer)).rejects.toThrow(StoreUnavailableError)
    await lost
    await failing
    node(0).store.isAway = false
    expect((await events()).map(({ kind }) => kind)).toEqual(['answered'])
    const before = reads()
    const reply = node(1).send(answer)
    await pass(2_000)
    expect(await Promise.race([reply, 'nothing'])).toEqual({ kind: 'finished', result: ['A', 1] })
    expect(reads() - before).toBeLessThan(20)
  })

  it('is waited for again once the same run is at another round', async () => {
    let runs = 0
    let finish = () => {}
    const slow: Handler = async call => {
      runs++
      const a = await ask(call, 'a', { timeoutMs })
      const b = await ask(call, 'b', { timeoutMs })
      await call.step('one', () => new Promise<void>(resolve => (finish = resolve)))
      return [a, b]
    }
    const { node, pass, events, shared, logs } = createCluster([slow, slow])
    const second = await node(0).send(loud(await node(0).send()))
    await node(1).nodes.join()
    const first = (await events()).find(event => event.kind === 'answered')
    const [log = ''] = logs
    // The last words about the first round come late.
    const answering = node(0).send(loud(second))
    const waiting = node(1).send(loud(second))
    await pass(200)
    await shared.publish(`node/${node(1).nodes.id}`, [`${log.split('/').at(-1)}`, null, `${first?.owner?.run}`, 1])
    await pass(2_000)
    expect(runs).toBe(1)
    finish()
    await pass(2_000)
    expect(await waiting).toEqual(await answering)
  })

  it('goes on with the request that brought its answers, when the log lost its end meanwhile', async () => {
    const effects: string[] = []
    let goOn = () => {}
    const { node, pass, shared, logs } = createCluster([
      async call => {
        const a = await ask(call, 'a', { timeoutMs })
        await call.step('one', () => effects.push('one'))
        if (effects.length === 1) await new Promise<void>(resolve => (goOn = resolve))
        await call.step('two', () => effects.push('two'))
        return a
      },
    ])
    const reply = node(0).send(loud(await node(0).send()))
    await pass(200)
    expect(effects).toEqual(['one'])
    for (const log of logs) {
      const kept = (await shared.read(log)).slice(0, -1).map(({ value }) => value)
      await shared.erase(log)
      await shared.append(log, kept)
    }
    goOn()
    await pass(2_000)
    expect(await reply).toEqual({ kind: 'finished', result: 'A' })
    expect(effects).toEqual(['one', 'two', 'one', 'two'])
  })
})

describe('a round of which something was answered elsewhere', () => {
  it('has the same reply for the same answers on every node', async () => {
    let moveB = () => {}
    const handler: Handler = call => {
      moveB = () => call.move(call.openAsks[1]?.id ?? '', 'tasks')
      return Promise.all([ask(call, 'a', { timeoutMs }), ask(call, 'b', { timeoutMs })])
    }
    const { node, pass } = createCluster([handler, handler])
    const answer = loud(await node(0).send())
    moveB()
    await pass(200)
    const first = node(0).send(answer)
    await pass(200)
    const again = node(1).send(answer)
    await pass(2_000)
    expect(await Promise.all([first, again])).toMatchObject([{ kind: 'waiting' }, { kind: 'waiting' }])
  })

  it.each([0, 1])('takes what comes too late on node %i as no other answer', async late => {
    let move = () => {}
    const handler: Handler = call => {
      move = () => call.move(call.openAsks[0]?.id ?? '', 'tasks')
      return ask(call, 'a', { timeoutMs })
    }
    const { node, pass } = createCluster([handler, handler])
    const answer = loud(await node(0).send())
    move()
    await pass(200)
    // Someone looks how the call stands, and nobody has answered.
    const looking = node(0).send({ state: answer.state })
    await pass(200)
    const answering = node(late).send(answer)
    await pass(2_000)
    expect(await Promise.all([looking, answering])).toMatchObject([{ kind: 'waiting' }, { kind: 'waiting' }])
  })
})

describe('a durable call whose run was given up by a process that lives', () => {
  it('is run by another one that is asked how it stands, where it waits for nobody', async () => {
    const runs: string[] = []
    const handlers = ['busy', 'idle'].map(
      (name): Handler =>
        call => {
          runs.push(`${call.id} ${name}`)
          call.becomeTask()
          return name === 'busy' ? new Promise(() => {}) : Promise.resolve('done')
        },
    )
    const { node, pass } = createCluster(handlers, { suspended: 1 })
    void node(0)
      .send()
      .catch(() => {})
    await pass(200)
    // There is room for one.
    void node(0)
      .send()
      .catch(() => {})
    await pass(200)
    const [id = ''] = `${runs[0]}`.split(' ')
    expect(node(0).runner.durable.find(id)).toBeUndefined()
    await node(1).runner.durable.look(id)
    await pass(200)
    expect(await node(1).runner.durable.look(id)).toMatchObject({ end: { result: { value: 'done' } } })
    expect(runs).toContain(`${id} idle`)
  })
})
