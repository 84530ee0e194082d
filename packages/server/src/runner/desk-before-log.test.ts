// The desk keeps how its asks end, so a handler goes on with that before its log has it. It must not where something else may come
// first in the log: a replay would go another way, and do again what was done.
import { expect, it } from 'vitest'
import { type ClusterNode, createCluster, leaseMs } from '../../test/cluster.js'
import { type Handler, turn } from '../../test/round-node.js'
import type { Ending, OpenAsk, WireName } from '../call/ask.js'
import type { Call } from '../call/call.js'
import { type Deferred, deferred } from '../runtime/deferred.js'

const accepted: Ending = { kind: 'outcome', outcome: { action: 'accept', content: {} } }

/** Two processes, of which the first runs a call, with a desk. */
async function createCall(handler: Handler) {
  const asks = new Map<string, Deferred<Ending>>()
  const presenter = {
    link: async () => 'https://desk.example/',
    open: ({ mark: { key = '' } }: OpenAsk) => {
      const ending = asks.get(key) ?? deferred<Ending>()
      asks.set(key, ending)
      return ending.promise
    },
    withdraw() {},
    report() {},
  }
  let id = ''
  const { nodes, pass } = createCluster(
    ['a', 'b'],
    () => call => {
      id = call.id
      return handler(call)
    },
    { presenter },
  )
  const [a, b] = nodes
  await Promise.all([a.nodes.join(), b.nodes.join()])
  void a.send({ canRepeat: true, principal: 'ann', waitMs: 1_000_000_000 }).catch(() => {})
  await pass(1_000, a, b)
  return {
    a,
    b,
    pass,
    id,
    answer: (key: string) => asks.get(key)?.resolve(accepted),
    /** The first process dies, and the second takes the call. */
    async takeOver() {
      a.store.die()
      await pass(4 * leaseMs, b)
    },
  }
}

async function ended(call: Call<unknown>, key: string, wire: WireName, timeoutMs = 3_600_000) {
  return (await call.ask({ kind: 'confirm', message: key }, { key, timeoutMs, wire })).kind
}

/** Has the next append wait until the result is called. */
function holdUp({ store }: ClusterNode): () => void {
  const { append } = store
  const held = deferred<void>()
  store.append = async (...args) => {
    await held.promise
    return append(...args)
  }
  return () => {
    store.append = append
    held.resolve()
  }
}

it('does for each branch what it asks for, when an answer came while a step of another was being written', async () => {
  const done: string[] = []
  const work = deferred<void>()
  let isStuck = true
  const { a, b, pass, answer, takeOver } = await createCall(async call => {
    const first = async () => {
      await ended(call, 'Sure?', 'desk')
      await call.step('save', () => void done.push('first'))
    }
    const second = async () => {
      await call.step('work', () => work.promise)
      await call.step('save', () => (isStuck ? new Promise<void>(() => {}) : void done.push('second')))
    }
    await Promise.all([first(), second()])
  })
  const goOn = holdUp(a)
  work.resolve()
  await turn()
  answer('Sure?')
  await turn()
  goOn()
  await pass(1_000, a, b)
  isStuck = false
  await takeOver()
  expect(done.toSorted()).toEqual(['first', 'second'])
})

it('does for each branch what it asks for, when another process has taken an answer of the client meanwhile', async () => {
  const done: string[] = []
  let isStuck = true
  const { a, b, pass, id, answer, takeOver } = await createCall(async call => {
    call.becomeTask()
    const first = async () => {
      await ended(call, 'Sure?', 'desk')
      await call.step('save', () => void done.push('first'))
    }
    const second = async () => {
      await ended(call, 'Which?', 'tasks')
      await call.step('save', () => (isStuck ? new Promise<void>(() => {}) : void done.push('second')))
    }
    await Promise.all([first(), second()])
  })
  // The first process does not hear of it.
  b.store.publish = async () => {}
  await b.runner.durable.answer(id, () => ({ kind: 'outcome', outcome: { action: 'accept', content: {} } }))
  answer('Sure?')
  await pass(1_000, a, b)
  isStuck = false
  await takeOver()
  expect(done.toSorted()).toEqual(['first', 'second'])
})

it('goes one way with an ask that was answered while its expiry was being written', async () => {
  const done: string[] = []
  const { a, b, pass, answer, takeOver } = await createCall(async call => {
    const kind = await ended(call, 'Sure?', 'desk', 10_000)
    await call.step(kind, () => void done.push(kind))
    await ended(call, 'More?', 'desk')
  })
  await pass(8_500, a, b)
  const goOn = holdUp(a)
  await pass(1_000, a, b)
  answer('Sure?')
  await turn()
  goOn()
  await pass(1_000, a, b)
  await takeOver()
  expect(done).toEqual(['expired'])
})
