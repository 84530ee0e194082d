// Many clients on two nodes, in every dialect, doing what they like at the same time, and losing their connections.
import { dialects } from '@beckon/core/live'
import { memoryStore } from 'beckon'
import { createTestClock } from 'beckon/test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { questions, type Served, serveLive, startTurn, text } from '../../test/live-served.js'
import { encodeChat, encodeOlder, encodeSummary } from '../dialects/states.js'
import type { SessionEvent } from '../model/events.js'
import { seenBy } from '../policy/audience.js'

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

type Step =
  | { readonly kind: 'act'; readonly by: number; readonly action: Action; readonly pause: boolean }
  | { readonly kind: 'cut' | 'back' | 'move'; readonly by: number }

type Action = { type: string } & Record<string, unknown>

const by = fc.nat({ max: 7 })
const acts: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('act' as const), by, action, pause: fc.boolean() })
const losses: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom('cut', 'back', 'move'), by })

/** Two nodes that share a store, and people on both: one on each for every dialect. */
async function withNodes(test: (nodes: readonly [Served, Served], clients: LiveClient[]) => Promise<void>) {
  const clock = createTestClock()
  const store = memoryStore({ clock })
  const nodes = [await serveLive({ store, clock }), await serveLive({ store, clock })] as const
  try {
    const [first] = nodes
    await first.session('s')
    await startTurn(first)
    for (const id of requests) await first.ask({ id, message: 'Order', questions })
    const clients: LiveClient[] = []
    for (const node of nodes) {
      for (const dialect of dialects) {
        const client = await node.connect(dialect, { as: `person ${clients.length}` })
        for (const channel of channelsOf(client)) await client.subscribe(channel)
        clients.push(client)
      }
    }
    await test(nodes, clients)
  } finally {
    for (const node of nodes) await node.close()
  }
}

function channelsOf({ options }: LiveClient): string[] {
  return options.dialect === '0.3' ? ['ahp-session:/s'] : ['ahp-session:/s', 'ahp-chat:/s']
}

/** Everything that was sent was told to everyone, on both nodes. */
async function settle(nodes: readonly Served[], clients: readonly LiveClient[]): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await Promise.all(clients.map(client => client.ping()))
    for (const node of nodes) await node.read()
  }
  await Promise.all(clients.map(client => client.ping()))
}

/** A client has what the session is, on every channel, with nothing left to come. */
async function agree(nodes: readonly Served[], client: LiveClient): Promise<void> {
  const viewer = { principal: new URL(client.options.url).searchParams.get('as') ?? '' }
  for (const node of nodes) {
    const session = await node.read()
    if (session === undefined) throw new Error('The session is gone.')
    for (const channel of channelsOf(client)) {
      const { dialect } = client.options
      const encode = dialect === '0.3' ? encodeOlder : channel.startsWith('ahp-chat') ? encodeChat : encodeSummary
      const shouldBe = JSON.parse(JSON.stringify(encode(session, seenBy(viewer), dialect)))
      expect(client.confirmed(channel)).toEqual(shouldBe)
      expect(client.mirrors.get(channel)?.pending).toEqual([])
      expect(client.optimistic(channel)).toEqual(client.confirmed(channel))
    }
  }
  expect(client.outOfOrder).toEqual([])
}

/** What the log of the session has, in its order. */
async function logOf({ parts }: Served): Promise<SessionEvent[]> {
  const entries = await parts.store.read('session/s')
  return entries.flatMap(({ value }) => (value as unknown as { e?: SessionEvent[] }).e ?? [])
}

function endsIn(log: readonly SessionEvent[]): string[] {
  return log.flatMap(event => (event.type === 'askEnded' ? [event.ask] : []))
}

describe('random interleavings of many clients', () => {
  it('end in the same state for all, with one end for each request, and every action taken or refused once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { minLength: 1, maxLength: 40 }), steps =>
        withNodes(async (nodes, clients) => {
          for (const step of steps) await take(step, clients)
          await settle(nodes, clients)
          for (const client of clients) await agree(nodes, client)
          const log = await logOf(nodes[0])
          expect(endsIn(log)).toEqual([...new Set(endsIn(log))])
          const taken = log.filter(({ origin }) => origin !== undefined).length
          const rejected = clients.reduce((count, { rejections }) => count + rejections.length, 0)
          expect(taken + rejected).toBe(steps.length)
        }),
      ),
      { numRuns: 40 },
    )
  }, 120_000)

  it('end in the same state for all when connections are lost, and clients come back to either node', async () => {
    const step = fc.oneof({ weight: 2, arbitrary: acts }, { weight: 1, arbitrary: losses })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), steps =>
        withNodes(async (nodes, clients) => {
          const urls = nodes.map(({ url }) => url)
          for (const each of steps) await take(each, clients, urls)
          for (const client of clients) if (client.socket === undefined) await client.reconnect()
          await settle(nodes, clients)
          for (const client of clients) await agree(nodes, client)
          const ends = endsIn(await logOf(nodes[0]))
          expect(ends).toEqual([...new Set(ends)])
        }),
      ),
      { numRuns: 40 },
    )
  }, 120_000)
})

async function take(step: Step, clients: readonly LiveClient[], urls: readonly string[] = []): Promise<void> {
  const client = clients[step.by]
  if (client === undefined) return
  switch (step.kind) {
    case 'act':
      if (client.socket === undefined) return
      client.dispatch(step.action)
      if (step.pause) await client.ping()
      return
    case 'back':
      if (client.socket === undefined) await client.reconnect()
      return
    case 'move': {
      const [here = '', there = ''] = client.options.url.startsWith(urls[0] ?? '') ? urls : [...urls].reverse()
      client.options.url = client.options.url.replace(here, there)
    }
  }
  client.drop()
}
