// Hints between processes may be lost, and a process may be slow: what they were for is found all the same, by reading.

import { describe, expect, it } from 'vitest'
import type { Handler } from '../../test/round-node.js'
import { leaseMs, twoNodes } from '../../test/two-nodes.js'
import type { Call } from '../call/call.js'
import { digest } from '../crypto/digest.js'
import { isTag } from '../log/id-block.js'

const timeoutMs = 3_600_000
const accepted = { action: 'accept', content: {} }
const heartbeatMs = leaseMs / 3

const askAsTask = (call: Call<unknown>) => {
  call.becomeTask()
  return call.ask({ kind: 'confirm', message: 'Sure?' }, { timeoutMs, wire: 'tasks' })
}

/** A task that one process runs and asks something for, and another takes the answer of. */
async function taskOnA() {
  const entered: string[] = []
  let id = ''
  let answered = 0
  const on =
    (node: string): Handler =>
    async call => {
      entered.push(node)
      id = call.id
      await askAsTask(call)
      answered++
    }
  const nodes = twoNodes([on('a'), on('b')])
  const { a, b, pass } = nodes
  void a.send()
  await Promise.all([a.nodes.join(), b.nodes.join()])
  await pass(heartbeatMs, a, b)
  const [key = ''] = Object.keys((await b.get(id)).inputRequests ?? {})
  return { ...nodes, id, key, entered, answered: () => answered }
}

describe('an answer that another process took', () => {
  it('is heard of at once', async () => {
    const { a, b, pass, id, key, answered } = await taskOnA()
    await b.update(id, { [key]: accepted })
    await pass(100, b)
    expect(answered()).toBe(1)
    expect((await a.get(id)).status).toBe('completed')
  })

  it('is heard of at once by a process that follows its own task, and has not heard of the other one yet', async () => {
    let id = ''
    let answered = 0
    const handler: Handler = async call => {
      id = call.id
      await askAsTask(call)
      answered++
    }
    const { a, b, pass } = twoNodes([handler, handler])
    void a.send()
    await a.nodes.join()
    await pass(heartbeatMs, a)
    const statuses: unknown[] = []
    await a.watch(id, task => statuses.push((task as { status: string }).status))
    await b.nodes.join()
    const [key = ''] = Object.keys((await b.get(id)).inputRequests ?? {})
    await b.update(id, { [key]: accepted })
    await pass(100, b)
    expect(answered).toBe(1)
    expect(statuses.at(-1)).toBe('completed')
  })

  it('is found with the next heartbeat where the hint was lost', async () => {
    const { a, b, pass, id, key, entered, answered } = await taskOnA()
    b.store.publish = async () => {}
    await b.update(id, { [key]: accepted })
    await pass(100, b)
    expect(answered()).toBe(0)
    await pass(heartbeatMs, a, b)
    expect(answered()).toBe(1)
    expect(entered).toEqual(['a'])
  })
})

it('a task that is cancelled in another process is at once where it runs', async () => {
  let aborted = 0
  let id = ''
  const handler: Handler = async call => {
    id = call.id
    call.signal.addEventListener('abort', () => aborted++)
    await askAsTask(call)
  }
  const { a, b, pass } = twoNodes([handler, handler])
  void a.send()
  await Promise.all([a.nodes.join(), b.nodes.join()])
  await pass(heartbeatMs, a, b)
  await b.cancel(id)
  await pass(100, b)
  expect(aborted).toBe(1)
})

describe('a log that cannot be read', () => {
  it('keeps no other call from being looked at', async () => {
    const ids: string[] = []
    let answered = 0
    const handler: Handler = async call => {
      ids.push(call.id)
      await askAsTask(call)
      answered++
    }
    const { a, b, pass } = twoNodes([handler, handler])
    for (const args of ['first', 'second']) {
      void a.send({ args })
      await pass(100, a)
    }
    await b.nodes.join()
    await pass(heartbeatMs, a, b)
    const [unreadable = '', other = ''] = ids
    const { read } = a.store
    a.store.read = async (log, ...options) => {
      if (log.includes(digest(unreadable))) throw new Error('It was written by a later version.')
      return read(log, ...options)
    }
    b.store.publish = async () => {}
    const [key = ''] = Object.keys((await b.get(other)).inputRequests ?? {})
    await b.update(other, { [key]: accepted })
    await pass(3 * heartbeatMs, a, b)
    expect(answered).toBe(1)
  })
})

describe('a slow process that is back', () => {
  it('writes again which calls are its own, so that they are taken over when it dies after all', async () => {
    const entered: string[] = []
    let id = ''
    const on =
      (node: string): Handler =>
      call => {
        entered.push(node)
        id = call.id
        return askAsTask(call)
      }
    const { a, b, pass } = twoNodes([on('a'), on('b')])
    await Promise.all([a.nodes.join(), b.nodes.join()])
    await pass(heartbeatMs, a, b)
    // A store on several servers, as a Redis Cluster is, puts the name of a call before its log is there: in between this process
    // stands still.
    const { append } = a.store
    let goOn = () => {}
    a.store.append = async (log, entries, { puts = [], ...options } = {}) => {
      a.store.append = append
      for (const { set, member, score } of puts) await a.store.put(set, member, score)
      await new Promise<void>(resolve => {
        goOn = resolve
      })
      return append(log, entries, options)
    }
    void a.send()
    await pass(100, b)
    const named = async () =>
      (await b.store.range(`calls of ${a.nodes.id}`, { limit: 10 })).filter(({ member }) => !isTag(member))
    expect(await named()).toHaveLength(1)
    // The other one takes it for dead, finds no such call, and clears the name away.
    await pass(3 * leaseMs, b)
    expect(await named()).toEqual([])
    a.clock.jump(3 * leaseMs)
    goOn()
    await pass(2 * heartbeatMs, a, b)
    expect(await named()).toHaveLength(1)
    expect((await b.get(id)).status).toBe('input_required')
    expect(entered).toEqual(['a'])
    a.die()
    await pass(3 * leaseMs, b)
    expect(entered).toEqual(['a', 'b'])
  })
})
