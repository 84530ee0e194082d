// What was found out about an answer stays so: for who sends it again, in whichever process, and whatever became of the first try.
import { describe, expect, it, onTestFinished } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { createNode, open, turn } from '../../test/round-node.js'
import type { Ending } from '../call/ask.js'
import type { Call } from '../call/call.js'
import { counted } from '../call/counted.js'
import { createServer } from '../index.js'
import { memoryStore } from '../store/index.js'
import { createTestClient, createTestClock } from '../test/index.js'

const floorMs = 600

async function ask(call: Call<unknown>, message = 'Drop it?'): Promise<string> {
  const terms = { timeoutMs: 3_600_000, wire: 'rounds', floorMs } as const
  const ending: Ending = await call.ask({ kind: 'confirm', message }, terms)
  return ending.kind === 'outcome' ? ending.outcome.action : ending.kind
}

function shared() {
  return { ...memoryStore({ clock: { now: () => 0 } }), shared: true, close: async () => {} }
}

function answers(reply: Parameters<typeof open>[0]) {
  const { state, ids } = open(reply)
  return { state, answers: Object.fromEntries(ids.map(id => [id, {}])) }
}

describe.each([
  ['in memory', () => ({})],
  ['in a shared store', () => ({ store: shared() })],
])('an answer that no person can have given, with the log %s', (_where, options) => {
  it('gets the same reply when it is sent again later', async () => {
    const clock = new FakeClock()
    const { send } = createNode(call => ask(call), { clock, ...options() })
    const answer = answers(await send())
    clock.advance(20)
    expect(await send(answer)).toEqual({ kind: 'finished', result: 'discounted' })
    clock.advance(10_000)
    expect(await send(answer)).toEqual({ kind: 'finished', result: 'discounted' })
  })

  it('does not count later either, where the first try was cut off', async () => {
    const clock = new FakeClock()
    let letGo = () => {}
    const isHeld = new Promise<void>(resolve => {
      letGo = resolve
    })
    const { send } = createNode(
      async call => {
        const came = await ask(call)
        await isHeld
        return came
      },
      { clock, ...options() },
    )
    const answer = answers(await send())
    clock.advance(20)
    const client = new AbortController()
    const first = send({ ...answer, signal: client.signal })
    await turn()
    client.abort()
    await first.catch(() => {})
    letGo()
    clock.advance(10_000)
    expect(await send(answer)).toEqual({ kind: 'finished', result: 'discounted' })
  })

  it('leaves the rest of its round open, which a person can answer', async () => {
    const clock = new FakeClock()
    const { send } = createNode(
      call => Promise.all([ask(call, 'First?'), ask(call, 'Second?')]).then(both => both.join(' ')),
      { clock, ...options() },
    )
    const { state, ids } = open(await send())
    clock.advance(20)
    const next = open(await send({ state, answers: { [ids[0] ?? '']: {} } }))
    expect(next.ids).toEqual([ids[1]])
    clock.advance(1_000)
    expect(await send({ state: next.state, answers: { [ids[1] ?? '']: {} } })).toEqual({
      kind: 'finished',
      result: 'discounted accept',
    })
  })
})

describe('on another node than the one that asked', () => {
  async function answeredElsewhere(afterMs: number, clockSkewMs: number) {
    const store = shared()
    const clock = new FakeClock()
    const one = createNode(call => ask(call), { store, clock, limits: { clockSkewMs } })
    const other = createNode(call => ask(call), { store, clock: new FakeClock(), limits: { clockSkewMs } })
    const answer = answers(await one.send())
    other.clock.jump(afterMs)
    return other.send(answer)
  }

  it.each([
    [20, 250, 'discounted'],
    [349, 250, 'discounted'],
    // Within what the clocks may be apart nobody can tell.
    [351, 250, 'accept'],
    [20, 600, 'accept'],
    // As far back as the clocks may be apart, it came at once; further, one of them went back.
    [-50, 250, 'discounted'],
    [-250, 250, 'discounted'],
    [-251, 250, 'accept'],
  ])('an answer after %d ms by clocks that may be %d apart is %s', async (afterMs, skewMs, result) => {
    expect(await answeredElsewhere(afterMs, skewMs)).toEqual({ kind: 'finished', result })
  })
})

it('takes a clock that went back for no proof of anything', () => {
  const floor = { ms: 600, node: 'here' }
  const reply = { kind: 'outcome', outcome: { action: 'accept', content: {} } } as const
  const at = { now: 900, node: 'here', clockSkewMs: 0 }
  expect(counted({ askedAt: 1_000, floor }, reply, at)).toEqual(reply)
  expect(counted({ askedAt: 899, floor }, reply, at)).toEqual({ kind: 'discounted' })
  expect(counted({ askedAt: 300, floor }, reply, at)).toEqual({ ...reply, afterFloor: true })
  expect(counted({ askedAt: 899 }, reply, at)).toEqual(reply)
})

describe.each(['rounds', 'tasks'] as const)('a client that answers the shortest question by itself, on %s', wire => {
  it.each([15, 75])('is not believed by a node that did not ask, after %d ms, by default', async afterMs => {
    const clock = createTestClock()
    const store = { ...memoryStore({ clock }), shared: true }
    const createShop = () => {
      const server = createServer({
        name: 'shop',
        version: '1',
        store,
        clock,
        keys: ['a key for these nodes only.......'],
      })
      onTestFinished(() => server.close())
      server.tool('drop', { annotations: { destructive: true }, task: 'optional' }, async (_input, ctx) =>
        ctx.json(await ctx.confirm.outcome('?')),
      )
      const client = createTestClient(server, { wire, replay: 'when-needed', principal: 'ada', answersItself: true })
      return (method: string, params: Record<string, unknown>) => client.request(method, params)
    }
    const [one, other] = [createShop(), createShop()]
    const call = { name: 'drop', arguments: {} }
    const begun = await one('tools/call', call)
    const taskId = String(begun.taskId)
    const { inputRequests } = wire === 'tasks' ? await one('tasks/get', { taskId }) : begun
    const [id = ''] = Object.keys(inputRequests as object)
    await clock.advance(afterMs)
    const inputResponses = { [id]: { action: 'accept', content: {} } }
    const { requestState } = begun
    const answered =
      wire === 'tasks'
        ? await other('tasks/update', { taskId, inputResponses })
        : await other('tools/call', { ...call, requestState, inputResponses })
    for (let looks = 0; looks < 100; looks++) await clock.advance(1_000)
    const result = wire === 'tasks' ? (await other('tasks/get', { taskId })).result : answered
    expect(result).toMatchObject({ structuredContent: { action: 'cancel', why: 'no-person' } })
  })
})
