import { dialectTraits } from '@beckon/core/live'
import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock } from 'beckon/test'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { awayStore } from '../../test/away-store.js'
import type { LiveClient } from '../../test/live-client.js'
import { questions, type Served, serveLive, serveTurn, startTurn, text } from '../../test/live-served.js'

const desks: Served[] = []

async function serve(...options: Parameters<typeof serveTurn>): Promise<Served> {
  const desk = await serveTurn(...options)
  desks.push(desk)
  return desk
}

afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close()
})

const draft = (value: string, questionId = 'name') => ({
  type: 'inputAnswerChanged',
  requestId: 'r',
  questionId,
  answer: text(value),
})

describe.each(['0.3', '1.0'] as const)('a client of the %s dialect that comes back', dialect => {
  it('gets what it missed on its channels, and nothing else', async () => {
    const desk = await serve()
    await desk.session('other')
    const [lost, stayed] = [await desk.connect(dialect), await desk.connect(dialect)]
    await lost.subscribe()
    await stayed.subscribe()
    lost.drop()
    await desk.ask({ id: 'r', message: 'Order', questions })
    await desk.happen({ type: 'titleChanged', title: 'Elsewhere' }, 'other')
    await stayed.reasonFor(draft('Ada'))
    expect(await lost.reconnect()).toMatchObject({
      type: 'replay',
      actions: [
        { channel: lost.chatChannel, action: { type: `${lost.prefix}/inputRequested` } },
        { action: { questionId: 'name' }, origin: { clientId: stayed.options.clientId, clientSeq: 1 } },
      ],
      missing: [],
    })
    expect(lost.confirmed()).toEqual(stayed.confirmed())
    await stayed.reasonFor(draft('Bob'))
    await lost.ping()
    expect(lost.confirmed()).toEqual(stayed.confirmed())
    expect(lost.confirmed()).toEqual(await lost.subscribe())
  })

  it('is told what is gone', async () => {
    const desk = await serve()
    await desk.session('gone')
    const client = await desk.connect(dialect)
    await client.subscribe()
    await client.subscribe('ahp-session:/gone')
    await client.subscribe('ahp-root://')
    client.drop()
    await desk.happen({ type: 'disposed' }, 'gone')
    await desk.ask({ id: 'r', message: 'Sure?' })
    expect(await client.reconnect()).toMatchObject({ type: 'replay', missing: ['ahp-session:/gone'] })
    expect([...client.mirrors.keys()]).toEqual([client.chatChannel, 'ahp-root://'])
    expect(client.confirmed('ahp-root://')).toEqual({ agents: [] })
    expect(client.confirmed()).toEqual(await client.subscribe())
  })

  it('gets snapshots when it was away for long, or has only what it had before it listened', async () => {
    const desk = await serve()
    const client = await desk.connect(dialect)
    await client.subscribe()
    const seen = client.lastSeen
    for (const lose of [() => desk.clock.advance(60_000), async () => (client.lastSeen = seen - 1)]) {
      client.drop()
      while (desk.live.connections > 0) await turnOfLoop()
      await lose()
      const { lastSeen } = client
      const result = await client.reconnect()
      expect(result).toMatchObject({ type: 'snapshot', snapshots: [{ resource: client.chatChannel }] })
      const [{ fromSeq }] = result.snapshots as [{ fromSeq: number }]
      expect(fromSeq).toBeGreaterThan(lastSeen)
      expect(client.confirmed()).toEqual(await client.subscribe())
    }
  })

  it('gets snapshots when they are shorter', async () => {
    const desk = await serve({ limits: { maxReplayBytes: 500 } })
    const client = await desk.connect(dialect)
    await client.subscribe()
    client.drop()
    await desk.ask({ id: 'r', message: 'Order', questions })
    expect(await client.reconnect()).toMatchObject({ type: 'snapshot' })
    expect(client.confirmed()).toEqual(await client.subscribe())
  })

  it('is told numbers above all that it has seen, and is refused one that no node can have given', async () => {
    const desk = await serve()
    const client = await desk.connect(dialect)
    await client.subscribe()
    client.drop()
    const { clock } = desk
    client.lastSeen = 1_000 * (clock.now() + 60_000)
    await client.reconnect()
    await desk.ask({ id: 'r', message: 'Sure?' })
    await client.ping()
    expect(client.envelopes.at(-1)?.serverSeq).toBeGreaterThan(1_000 * (clock.now() + 60_000))
    expect(client.confirmed()).toEqual(await client.subscribe())
    const { clientId } = client.options
    const params = { lastSeenServerSeq: 1_000 * (clock.now() + 60_000) + 1, subscriptions: [client.chatChannel] }
    expect(await client.failure('reconnect', { clientId, ...params })).toMatchObject({ code: -32602 })
  })

  it('gets a snapshot of a session that was made anew', async () => {
    const desk = await serve()
    const client = await desk.connect(dialect)
    await client.subscribe()
    client.drop()
    await desk.ask({ id: 'r', message: 'Old?' }, { audience: { principals: ['bob'] } })
    await desk.happen({ type: 'disposed' })
    await desk.session('s', { title: 'New' })
    const result = await client.reconnect()
    expect(result).toMatchObject({ type: 'snapshot' })
    expect(JSON.stringify(result)).not.toContain('Old?')
    expect(client.confirmed()).toEqual(await client.subscribe())
  })

  it('does not get what is for others', async () => {
    const desk = await serve()
    const client = await desk.connect(dialect, { as: 'alice' })
    await client.subscribe()
    client.drop()
    await desk.ask({ id: 'hers', message: 'Pay?' }, { audience: { principals: ['alice'] } })
    await desk.ask({ id: 'his', message: 'Secret?' }, { audience: { principals: ['bob'] } })
    const result = JSON.stringify(await client.reconnect())
    expect(result).toContain('Pay?')
    expect(result).not.toContain('Secret?')
  })

  it.runIf(dialectTraits[dialect].hasCursors)(
    'can name a number for each channel, and is answered for each',
    async () => {
      const desk = await serve()
      await desk.session('gone')
      const client = await desk.connect(dialect)
      await client.subscribe()
      await client.subscribe('ahp-root://')
      await client.subscribe('ahp-session:/gone')
      const seen = client.lastSeen
      await desk.ask({ id: 'r', message: 'Sure?' })
      await desk.happen({ type: 'disposed' }, 'gone')
      await desk.session('new')
      await client.ping()
      client.drop()
      await client.dial()
      const subscriptions = [
        { channel: client.chatChannel, lastSeenServerSeq: seen },
        { channel: 'ahp-root://', lastSeenServerSeq: client.lastSeen },
        { channel: 'ahp-session:/gone', lastSeenServerSeq: seen },
        { channel: 'ahp-session:/new', lastSeenServerSeq: seen },
      ]
      const { clientId } = client.options
      expect(await client.request('reconnect', { channel: 'ahp-root://', clientId, subscriptions })).toMatchObject({
        channels: [
          { kind: 'replay', channel: client.chatChannel, actions: [{ action: { request: { id: 'r' } } }] },
          { kind: 'replay', channel: 'ahp-root://', actions: [] },
          { kind: 'snapshot', channel: 'ahp-session:/new', snapshot: { fromSeq: expect.any(Number) } },
          { kind: 'missing', channel: 'ahp-session:/gone' },
        ],
      })
    },
  )

  it('may initialize first, as the same client', async () => {
    const desk = await serve()
    const client = await desk.connect(dialect)
    const params = { lastSeenServerSeq: 0, subscriptions: [client.chatChannel] }
    expect(await client.failure('reconnect', { clientId: 'other', ...params })).toMatchObject({ code: -32602 })
    expect(await client.request('reconnect', { clientId: client.options.clientId, ...params })).toMatchObject({
      type: 'snapshot',
    })
  })

  it.each([
    [{ subscriptions: 'all', lastSeenServerSeq: 0 }],
    [{ subscriptions: [7], lastSeenServerSeq: 0 }],
    [{ subscriptions: ['ahp-root://'] }],
    [{ subscriptions: ['ahp-root://'], lastSeenServerSeq: -1 }],
    [{ subscriptions: ['ahp-root://'], lastSeenServerSeq: 'all' }],
    [{ subscriptions: [{ channel: 'ahp-root://' }] }],
  ])('is refused %j', async params => {
    const desk = await serve()
    const client = await desk.connect(dialect)
    const { clientId } = client.options
    expect(await client.failure('reconnect', { clientId, ...params })).toMatchObject({ code: -32602 })
  })
})

it('is recovered by another node, and by one that never saw the client if its channels say which dialect it is', async () => {
  const clock = createTestClock()
  const store = memoryStore({ clock })
  const first = await serve({ store, clock })
  const client = await first.connect('1.0')
  await client.subscribe()
  await first.ask({ id: 'r', message: 'Order', questions })
  await client.ping()
  client.drop()
  const second = await serveLive({ store, clock })
  desks.push(second)
  await first.happen({ type: 'drafted', ask: 'r', question: 'name', answer: text('Ada') })
  const moved = await second.dial('1.0', { clientId: client.options.clientId })
  moved.drop()
  Object.assign(moved, { mirrors: client.mirrors, lastSeen: client.lastSeen })
  const { lastSeen } = moved
  expect(await moved.reconnect()).toMatchObject({ type: 'snapshot' })
  expect(moved.lastSeen).toBeGreaterThan(lastSeen)
  expect(JSON.stringify(moved.confirmed())).toContain('Ada')
  expect(moved.confirmed()).toEqual(await moved.subscribe())

  const older = await second.dial('0.3')
  const params = { clientId: 'unknown', lastSeenServerSeq: 1, subscriptions: ['ahp-session:/s'] }
  expect(await older.failure('reconnect', params)).toMatchObject({ code: -32008 })
  await older.initialize()
})

it.each(['0.3', '1.0'] as const)('of the %s dialect goes on where it was after the desk began again', async dialect => {
  const clock = createTestClock()
  const store = memoryStore({ clock })
  const first = await serve({ store, clock })
  const client = await first.connect(dialect)
  // This channel has the same name in every dialect.
  await client.subscribe('ahp-session:/s')
  client.drop()
  await first.live.close()
  await first.ask({ id: 'r', message: 'Order', questions })
  const second = await serveLive({ store, clock })
  desks.push(second)
  client.options.url = client.options.url.replace(first.url, second.url)
  expect(await client.reconnect()).toMatchObject({ type: 'snapshot' })
  expect(JSON.stringify(client.confirmed('ahp-session:/s'))).toContain('Order')
  expect(client.confirmed('ahp-session:/s')).toEqual(await client.subscribe('ahp-session:/s'))
})

it('gets snapshots on a node that it left a moment ago, when it was on another since', async () => {
  const clock = createTestClock()
  const store = memoryStore({ clock })
  const first = await serve({ store, clock })
  const second = await serveLive({ store, clock })
  desks.push(second)
  const client = await first.connect('1.0')
  await client.subscribe()
  const [here, there] = [client.options.url, client.options.url.replace(first.url, second.url)]
  client.drop()
  await first.ask({ id: 'r', message: 'Order', questions })
  client.options.url = there
  expect(await client.reconnect()).toMatchObject({ type: 'snapshot' })
  await client.reasonFor({ type: 'inputCompleted', requestId: 'r', response: 'decline' })
  client.drop()
  // What the first node told of this has other numbers than what the second told.
  await first.read()
  client.options.url = here
  expect(await client.reconnect()).toMatchObject({ type: 'snapshot' })
  expect(client.confirmed()).toEqual(await client.subscribe())
  client.drop()
  await first.ask({ id: 'r2', message: 'Sure?' })
  expect(await client.reconnect()).toMatchObject({ type: 'replay', actions: [{ action: { request: { id: 'r2' } } }] })
})

it('is not told twice what its node had not told anyone when it came back', async () => {
  const clock = createTestClock()
  const store = memoryStore({ clock })
  const first = await serve({ store, clock })
  const held: (() => void)[] = []
  const late: Store = {
    ...store,
    subscribe: (topic, listener) => store.subscribe(topic, message => held.push(() => listener(message))),
  }
  const second = await serveLive({ store: late, clock })
  desks.push(second)
  const client = await second.connect('1.0')
  await client.subscribe()
  client.drop()
  await first.ask({ id: 'r', message: 'Pay?' }, { audience: { principals: ['bob'] } })
  await first.ask({ id: 'r2', message: 'Sure?' })
  await client.reconnect()
  for (const tell of held.splice(0)) tell()
  await second.read()
  await client.ping()
  expect(client.envelopes).toMatchObject([{ action: { request: { id: 'r2' } } }])
  expect(client.outOfOrder).toEqual([])
})

it('may try again on the same connection when the store was away at first', async () => {
  const clock = createTestClock()
  const store = awayStore(memoryStore({ clock }))
  const desk = await serve({ store, clock })
  const client = await desk.dial('1.0')
  store.isAway = true
  const params = { channel: 'ahp-root://', protocolVersions: ['1.0.0'], clientId: 'mine' }
  const initialSubscriptions = ['ahp-chat:/s']
  expect(await client.failure('initialize', { ...params, initialSubscriptions })).toMatchObject({ code: -32603 })
  expect(await client.failure('subscribe', { channel: 'ahp-chat:/s' })).toMatchObject({ code: -32600 })
  store.isAway = false
  await client.initialize({ clientId: 'mine', initialSubscriptions })
  expect(client.confirmed()).toMatchObject({ activeTurn: { id: 't1' } })
})

type Step =
  | { readonly kind: 'draft'; readonly by: number; readonly question: string; readonly value: string }
  | { readonly kind: 'complete'; readonly by: number; readonly request: string; readonly response: string }
  | { readonly kind: 'ask'; readonly request: string }
  | { readonly kind: 'turn' }
  | { readonly kind: 'wait'; readonly by: number }
  | { readonly kind: 'cut' | 'back' | 'stumble' | 'move' }

const who = fc.nat({ max: 1 })
const request = fc.constantFrom('r', 'r2', 'r3')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('draft' as const),
      by: who,
      question: fc.constantFrom('name', 'mail'),
      value: fc.string({ maxLength: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('complete' as const),
      by: who,
      request,
      response: fc.constantFrom('decline', 'cancel'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('ask' as const), request }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'turn' as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), by: who }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('cut' as const, 'back' as const, 'stumble' as const, 'move' as const),
    }),
  },
)

describe.each(['0.3', '1.0'] as const)('in the %s dialect', dialect => {
  it('a client that loses its connection anywhere ends where one that never did ends', async () => {
    const run = fc.asyncProperty(
      fc.array(step, { maxLength: 30 }),
      fc.constantFrom(200, 2_000, 1_000_000),
      async (steps, maxReplayBytes) => {
        const clock = createTestClock()
        const store = memoryStore({ clock })
        const desk = await serveTurn({ limits: { maxReplayBytes }, store, clock })
        const node = await serveLive({ limits: { maxReplayBytes }, store, clock })
        try {
          await play(desk, node, steps)
        } finally {
          await desk.close()
          await node.close()
        }
      },
    )
    await fc.assert(run, { numRuns: 60 })
  }, 60_000)

  async function play(desk: Served, node: Served, steps: readonly Step[]): Promise<void> {
    const [steady, shaky] = [await desk.connect(dialect), await desk.connect(dialect)]
    const channels = dialect === '0.3' ? ['ahp-session:/s'] : ['ahp-session:/s', 'ahp-chat:/s']
    for (const client of [steady, shaky]) for (const channel of channels) await client.subscribe(channel)
    let turn = 1
    for (const each of steps) {
      const client = 'by' in each && each.by === 1 ? shaky : steady
      const isHere = client.socket !== undefined
      switch (each.kind) {
        case 'draft':
          if (isHere) client.dispatch(draft(each.value, each.question))
          break
        case 'complete':
          if (isHere) client.dispatch({ type: 'inputCompleted', requestId: each.request, response: each.response })
          break
        case 'ask':
          void desk.ask({ id: each.request, message: 'Order', questions })
          break
        case 'turn':
          void desk.happen({ type: 'turnEnded', turn: `t${turn++}`, state: 'complete' })
          void startTurn(desk, `t${turn}`)
          break
        case 'wait':
          if (isHere) await client.ping()
          break
        case 'cut':
          shaky.drop()
          break
        case 'move':
          shaky.drop()
          shaky.options.url = shaky.options.url.startsWith(desk.url) ? node.url : desk.url
          break
        case 'back':
          if (shaky.socket === undefined) await shaky.reconnect()
          break
        case 'stumble':
          await stumble(shaky)
      }
    }
    if (shaky.socket === undefined) await shaky.reconnect()
    await settle([desk, node], [steady, shaky])
    expect([...shaky.outOfOrder, ...steady.outOfOrder]).toEqual([])
    for (const channel of channels) {
      expect(shaky.confirmed(channel)).toEqual(steady.confirmed(channel))
      expect(shaky.optimistic(channel)).toEqual(steady.optimistic(channel))
      const live = shaky.confirmed(channel)
      expect(await shaky.subscribe(channel)).toEqual(live)
    }
  }
})

function turnOfLoop(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

/** Loses the connection while it is coming back. */
async function stumble(client: LiveClient): Promise<void> {
  client.drop()
  await client.dial()
  const { clientId } = client.options
  const params = { clientId, lastSeenServerSeq: client.lastSeen, subscriptions: [...client.mirrors.keys()] }
  client.request('reconnect', params).catch(() => {})
  client.drop()
}

async function settle(nodes: readonly Served[], clients: readonly LiveClient[]): Promise<void> {
  // What one sent has been told to the others by then, on its node and on the other, and has arrived after that.
  for (let round = 0; round < 2; round++) {
    await Promise.all(clients.map(client => client.ping()))
    for (const node of nodes) await node.read()
  }
  await Promise.all(clients.map(client => client.ping()))
}
