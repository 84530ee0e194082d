// What a handler has learned is in the log before anything that comes of it (R4), also what no write of its own was for: an answer that
// came before it was asked for, and an ask whose time was over while its client was away.
import { expect, it } from 'vitest'
import { createCluster, leaseMs } from '../../test/cluster.js'
import { loud, open, turn } from '../../test/round-node.js'
import type { WireName } from '../call/ask.js'
import type { Call } from '../call/call.js'
import { deferred } from '../runtime/deferred.js'

const timeoutMs = 3_600_000

/** How an ask ended. */
async function ended(
  call: Call<unknown>,
  message: string,
  { ms = timeoutMs, wire = 'rounds' }: { ms?: number; wire?: WireName } = {},
) {
  const unasked = call.unasked?.[message]
  const { kind } = await call.ask(
    { kind: 'confirm', message },
    {
      key: message,
      timeoutMs: ms,
      wire,
      unasked: unasked === undefined ? undefined : { kind: 'outcome', outcome: { action: 'accept', content: {} } },
    },
  )
  return kind
}

it('is there for another process that goes on with a call to whose first request it came', async () => {
  const { nodes } = createCluster(['a', 'b'], () => async call => [
    await ended(call, 'early'),
    await ended(call, 'later'),
  ])
  const [a, b] = nodes
  const first = await a.send({ answers: { early: {} } })
  expect(open(first).messages).toEqual(['later'])
  expect(await b.send(loud(first))).toEqual({ kind: 'finished', result: ['outcome', 'outcome'] })
})

it('is there for another process that takes a task over', async () => {
  let id = ''
  const { nodes, pass } = createCluster(['a', 'b'], () => async call => {
    id = call.id
    call.becomeTask()
    await call.step('look', () => 'there')
    return [await ended(call, 'early', { wire: 'tasks' }), await ended(call, 'later', { wire: 'tasks' })]
  })
  const [a, b] = nodes
  await Promise.all([a.nodes.join(), b.nodes.join()])
  void a.send({ answers: { early: {} } })
  await pass(1_000, a, b)
  a.store.die()
  await pass(3 * leaseMs, b)
  expect((await b.runner.durable.look(id))?.open.map(ask => ask.id)).toEqual(['later'])
})

it('leaves nothing to an answer that comes by a clock which is behind', async () => {
  const done: string[] = []
  const { nodes, pass } = createCluster(['a', 'b'], () => async call => {
    const end = await ended(call, 'Sure?', { ms: 2_000 })
    await call.step(end, () => void done.push(end))
    return ended(call, 'More?')
  })
  const [a, b] = nodes
  await Promise.all([a.nodes.join(), b.nodes.join()])
  const answer = loud(await a.send())
  await pass(1_500, a, b)
  await pass(800, a)
  const answered = b.send(answer)
  await pass(3_000, a, b)
  expect(open(await answered).messages).toEqual(['More?'])
  expect(done).toEqual(['expired'])
})

it('stays there when it comes while the answers of a round are being written', async () => {
  const seen: unknown[] = []
  const { nodes, pass } = createCluster(['a', 'b'], () => async call => {
    seen.push(await Promise.all([ended(call, 'long'), ended(call, 'short', { ms: 2_000 })]))
    return ended(call, 'More?')
  })
  const [a, b] = nodes
  await Promise.all([a.nodes.join(), b.nodes.join()])
  const { state } = open(await a.send())
  const { append } = a.store
  const isOver = deferred<void>()
  a.store.append = async (...args) => {
    await isOver.promise
    return append(...args)
  }
  const answered = a.send({ state, answers: { long: {} } })
  await pass(2_500, a, b)
  isOver.resolve()
  await turn()
  const last = b.send(loud(await answered))
  await pass(3_000, a, b)
  expect(await last).toEqual({ kind: 'finished', result: 'outcome' })
  expect(seen).toEqual(Array(2).fill(['outcome', 'expired']))
})
