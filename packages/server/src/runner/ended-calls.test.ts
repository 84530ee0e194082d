// What a process still knows of durable calls that ended there.
import { expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { createNode, type Handler, turn } from '../../test/round-node.js'
import { memoryStore } from '../store/memory-store.js'
import { mortalStore } from '../test/mortal-store.js'

async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await turn()
}

function createCluster({ replies = 50 } = {}) {
  const clock = new FakeClock()
  const shared = memoryStore({ clock })
  const ids: string[] = []
  const logs = new Set<string>()
  let reads = 0
  const handler: Handler = async call => {
    call.becomeTask()
    // Its end is an append of its own.
    await turns(10)
    return `run ${ids.push(call.id)}`
  }
  const createOne = () => {
    const store = mortalStore(shared)
    const { append, read } = store
    store.append = (log, ...rest) => {
      logs.add(log)
      return append(log, ...rest)
    }
    store.read = (...where) => {
      reads++
      return read(...where)
    }
    return createNode(handler, { store, clock, limits: { replies } })
  }
  const run = async (node: ReturnType<typeof createOne>) => {
    await node.send()
    await turns(30)
    return `${ids.at(-1)}`
  }
  return { createOne, run, shared, logs, reads: () => reads }
}

it('tells how a call ended that ended here without reading its log, and forgets the oldest', async () => {
  const { createOne, run, reads } = createCluster({ replies: 1 })
  const node = createOne()
  const first = await run(node)
  const before = reads()
  expect(await node.runner.durable.look(first)).toMatchObject({ end: { result: { value: 'run 1' } } })
  expect(reads()).toBe(before)
  await run(node)
  expect(await node.runner.durable.look(first)).toMatchObject({ end: { result: { value: 'run 1' } } })
  expect(reads()).toBe(before + 1)
})

it('is told by another process that a log which lost its end has something else', async () => {
  const { createOne, run, shared, logs } = createCluster()
  const [a, b] = [createOne(), createOne()]
  await b.nodes.join()
  const id = await run(a)
  const [log = ''] = logs
  const [begun] = await shared.read(log)
  await shared.erase(log)
  await shared.append(log, [begun?.value ?? null])
  // By its log it runs in the first process, which is asked, and has it no more.
  await b.runner.durable.look(id)
  await turns(60)
  expect(await b.runner.durable.look(id)).toMatchObject({ end: { result: { value: 'run 2' } } })
  expect(await a.runner.durable.look(id)).toMatchObject({ end: { result: { value: 'run 2' } } })
})
