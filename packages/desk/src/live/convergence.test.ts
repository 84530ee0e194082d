// Many clients on two nodes, in both dialects, doing what they like at the same time.
import { memoryStore } from 'beckon'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { questions, type Served, serveLive, startTurn, text } from '../../test/live-served.js'

const requests = ['r1', 'r2', 'r3']

const action = fc.oneof(
  fc.record({
    type: fc.constant('inputAnswerChanged'),
    requestId: fc.constantFrom(...requests, 'nope'),
    questionId: fc.constantFrom('name', 'mail', 'nope'),
    answer: fc.option(
      fc.record({
        state: fc.constantFrom('draft', 'submitted'),
        value: fc.record({ kind: fc.constant('text'), value: fc.string({ minLength: 2, maxLength: 8 }) }),
      }),
      { nil: undefined },
    ),
  }),
  fc.record({
    type: fc.constant('inputCompleted'),
    requestId: fc.constantFrom(...requests, 'nope'),
    response: fc.constantFrom('accept', 'decline', 'cancel'),
    answers: fc.constantFrom({}, { name: text('Ada', 'submitted') }),
  }),
  fc.record({ type: fc.constant('turnCancelled'), turnId: fc.constantFrom('t1', 'nope') }),
)

const script = fc.array(fc.record({ by: fc.nat({ max: 5 }), action, pause: fc.boolean() }), {
  minLength: 1,
  maxLength: 40,
})

describe('random interleavings of many clients', () => {
  it('end in the same state for all, with one number for each line and one end for each request', async () => {
    await fc.assert(
      fc.asyncProperty(script, async steps => {
        const store = memoryStore()
        const [first, second] = [await serveLive({ store }), await serveLive({ store })]
        try {
          await play(first, second, steps)
        } finally {
          await first.close()
          await second.close()
        }
      }),
      { numRuns: 60 },
    )
  }, 60_000)
})

type Steps = readonly {
  readonly by: number
  readonly action: { type: string } & Record<string, unknown>
  readonly pause: boolean
}[]

async function play(first: Served, second: Served, steps: Steps): Promise<void> {
  await first.parts.session('s')
  await startTurn(first)
  for (const id of requests) await first.ask({ id, message: 'Order', questions })
  // A node hears of another's lines on its own time; anything in its order comes after.
  await second.parts.order.change(() => ({ lines: [] }))
  const clients: LiveClient[] = []
  for (const desk of [first, second]) {
    for (const dialect of ['older', 'later', 'later'] as const) {
      const client = await desk.connect(dialect, { as: `person ${clients.length}` })
      await client.subscribe()
      clients.push(client)
    }
  }
  for (const { by, action, pause } of steps) {
    const client = clients[by]
    client?.dispatch(action)
    if (pause) await client?.ping()
  }
  for (let round = 0; round < 2; round++) {
    await Promise.all(clients.map(client => client.ping()))
    for (const desk of [first, second]) await desk.parts.order.readAfter(0)
  }
  await Promise.all(clients.map(client => client.ping()))

  for (const client of clients) {
    expect(client.mirrors.get(client.chatChannel)?.pending).toEqual([])
    expect(client.confirmed()).toEqual(client.optimistic())
    for (const desk of [first, second]) {
      const record = desk.parts.order.state.session('s')
      expect(client.confirmed()).toEqual(
        JSON.parse(JSON.stringify(client.prefix === 'chat' ? record?.chat : record?.older)),
      )
    }
    expect(client.outOfOrder).toEqual([])
  }

  const lines = (await first.parts.order.readAfter(0)) ?? []
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1))
  const ends = lines.flatMap(({ act }) => (act.type === 'inputCompleted' ? [act.requestId] : []))
  expect(ends).toEqual([...new Set(ends)])
  // Each action was either taken, once, or came back with a reason.
  const taken = lines.filter(({ origin }) => origin !== undefined).length
  const rejected = clients.reduce((count, { rejections }) => count + rejections.length, 0)
  expect(taken + rejected).toBe(steps.length)
}
