import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock } from 'beckon/test'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { questions, type Served, serveLive, serveTurn, text } from '../../test/live-served.js'

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

describe.each(['older', 'later'] as const)('a client of the %s dialect that comes back', dialect => {
  it('gets what it missed on its channels, and nothing else', async () => {
    const desk = await serve()
    await desk.parts.session('other')
    const [lost, stayed] = [await desk.connect(dialect), await desk.connect(dialect)]
    await lost.subscribe()
    await stayed.subscribe()
    lost.drop()
    await desk.ask({ id: 'r', message: 'Order', questions })
    await desk.act({ type: 'titleChanged', title: 'Elsewhere' }, 'other')
    await stayed.reasonFor(draft('Ada'))
    expect(await lost.reconnect()).toMatchObject({
      type: 'replay',
      actions: [
        { channel: lost.chatChannel, action: { type: `${lost.prefix}/inputRequested` }, serverSeq: 4 },
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
    await desk.parts.session('gone')
    const client = await desk.connect(dialect)
    await client.subscribe()
    await client.subscribe('ahp-session:/gone')
    await client.subscribe('ahp-root://')
    client.drop()
    await desk.act({ type: 'sessionDisposed' }, 'gone')
    await desk.ask({ id: 'r', message: 'Sure?' })
    expect(await client.reconnect()).toMatchObject({ type: 'replay', missing: ['ahp-session:/gone'] })
    expect([...client.mirrors.keys()]).toEqual([client.chatChannel, 'ahp-root://'])
    expect(client.confirmed('ahp-root://')).toEqual({ agents: [], activeSessions: 1 })
    expect(client.confirmed()).toEqual(await client.subscribe())
  })

  it('gets snapshots when it is too far back', async () => {
    const desk = await serve()
    const client = await desk.connect(dialect)
    await client.subscribe()
    client.drop()
    const many = Array.from({ length: 5_000 }, (_, index) => ({
      session: 's',
      act: { type: 'titleChanged' as const, title: `Title ${index}` },
      at: desk.clock.now(),
    }))
    for (let part = 0; part < 2; part++) await desk.parts.order.change(() => ({ lines: many }))
    await desk.ask({ id: 'r', message: 'Sure?' })
    expect(await client.reconnect()).toMatchObject({
      type: 'snapshot',
      snapshots: [{ resource: client.chatChannel, fromSeq: desk.parts.order.seq }],
    })
    expect(client.confirmed()).toEqual(await client.subscribe())
  }, 60_000)

  it('gets snapshots when they are shorter, or when it knows more than the desk', async () => {
    const desk = await serve({ limits: { maxReplayBytes: 500 } })
    const client = await desk.connect(dialect)
    await client.subscribe()
    client.drop()
    await desk.ask({ id: 'r', message: 'Order', questions })
    expect(await client.reconnect()).toMatchObject({ type: 'snapshot' })
    client.drop()
    client.lastSeen = 1_000_000
    expect(await client.reconnect()).toMatchObject({ type: 'snapshot' })
    expect(client.confirmed()).toEqual(await client.subscribe())
  })

  it('gets a snapshot of a session that was made anew', async () => {
    const desk = await serve()
    const client = await desk.connect(dialect)
    await client.subscribe()
    client.drop()
    await desk.ask({ id: 'r', message: 'Old?' }, { audience: { principals: ['bob'] } })
    await desk.act({ type: 'sessionDisposed' })
    await desk.parts.session('s', { title: 'New' })
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

  it('can name a number for each channel, and is answered for each', async () => {
    const desk = await serve()
    await desk.parts.session('gone')
    const client = await desk.connect(dialect)
    await client.subscribe()
    const seen = client.lastSeen
    await desk.ask({ id: 'r', message: 'Sure?' })
    await desk.act({ type: 'sessionDisposed' }, 'gone')
    await desk.parts.session('new')
    client.drop()
    await client.dial()
    const subscriptions = [
      { channel: client.chatChannel, lastSeenServerSeq: seen },
      { channel: 'ahp-root://', lastSeenServerSeq: desk.parts.order.seq },
      { channel: 'ahp-session:/gone', lastSeenServerSeq: seen },
      { channel: 'ahp-session:/new', lastSeenServerSeq: seen },
    ]
    const { clientId } = client.options
    expect(await client.request('reconnect', { channel: 'ahp-root://', clientId, subscriptions })).toMatchObject({
      channels: [
        { kind: 'replay', channel: client.chatChannel, actions: [{ action: { request: { id: 'r' } } }] },
        { kind: 'replay', channel: 'ahp-root://', actions: [] },
        { kind: 'snapshot', channel: 'ahp-session:/new', snapshot: { fromSeq: desk.parts.order.seq } },
        { kind: 'missing', channel: 'ahp-session:/gone' },
      ],
    })
  })

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
  const store = memoryStore()
  const first = await serve({ store })
  const client = await first.connect('later')
  await client.subscribe()
  await first.ask({ id: 'r', message: 'Order', questions })
  await client.ping()
  client.drop()
  const second = await serveLive({ store })
  desks.push(second)
  await first.act({ type: 'inputAnswerChanged', requestId: 'r', questionId: 'name', answer: text('Ada') })
  const moved = await second.dial('later', { clientId: client.options.clientId })
  moved.drop()
  Object.assign(moved, { mirrors: client.mirrors, lastSeen: client.lastSeen })
  expect(await moved.reconnect()).toMatchObject({ type: 'replay', actions: [{ action: { questionId: 'name' } }] })
  expect(moved.confirmed()).toEqual(await moved.subscribe())

  const older = await second.dial('older')
  const params = { clientId: 'unknown', lastSeenServerSeq: 1, subscriptions: ['ahp-session:/s'] }
  expect(await older.failure('reconnect', params)).toMatchObject({ code: -32008 })
  await older.initialize()
})

it.each(['older', 'later'] as const)(
  'of the %s dialect goes on where it was after the desk began again',
  async dialect => {
    const clock = createTestClock()
    const store = memoryStore({ clock })
    const first = await serve({ store, clock })
    const client = await first.connect(dialect)
    // This channel has the same name in both dialects.
    await client.subscribe('ahp-session:/s')
    client.drop()
    await first.live.close()
    await first.ask({ id: 'r', message: 'Order', questions })
    const second = await serveLive({ store, clock })
    desks.push(second)
    client.options.url = client.options.url.replace(first.url, second.url)
    expect(await client.reconnect()).toMatchObject({ type: 'replay', actions: [{}] })
    expect(client.confirmed('ahp-session:/s')).toEqual(await client.subscribe('ahp-session:/s'))
  },
)

it('is not told twice what its node had not told anyone when it came back', async () => {
  const store = memoryStore()
  const first = await serve({ store })
  const held: (() => void)[] = []
  const late: Store = {
    ...store,
    subscribe: (topic, listener) => store.subscribe(topic, message => held.push(() => listener(message))),
  }
  const second = await serveLive({ store: late })
  desks.push(second)
  const client = await second.connect('later')
  await client.subscribe()
  client.drop()
  await first.ask({ id: 'r', message: 'Pay?' }, { audience: { principals: ['bob'] } })
  await first.ask({ id: 'r2', message: 'Sure?' })
  expect(await client.reconnect()).toMatchObject({ type: 'replay', actions: [] })
  for (const tell of held.splice(0)) tell()
  await second.parts.order.readAfter(0)
  await client.ping()
  expect(client.envelopes).toMatchObject([{ action: { request: { id: 'r2' } } }])
  expect(client.outOfOrder).toEqual([])
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

describe.each(['older', 'later'] as const)('in the %s dialect', dialect => {
  it('a client that loses its connection anywhere ends where one that never did ends', async () => {
    const run = fc.asyncProperty(
      fc.array(step, { maxLength: 30 }),
      fc.constantFrom(200, 2_000, 1_000_000),
      async (steps, maxReplayBytes) => {
        const store = memoryStore()
        const desk = await serveTurn({ limits: { maxReplayBytes }, store })
        const node = await serveLive({ limits: { maxReplayBytes }, store })
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
    const channels = dialect === 'older' ? ['ahp-session:/s'] : ['ahp-session:/s', 'ahp-chat:/s']
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
          void desk.act({ type: 'turnComplete', turnId: `t${turn++}`, duration: 1 })
          void desk.act({
            type: 'turnStarted',
            turnId: `t${turn}`,
            message: { text: 'go' },
            startedAt: new Date(desk.clock.now()).toISOString(),
          })
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
    for (const { parts } of nodes) await parts.order.readAfter(0)
  }
  await Promise.all(clients.map(client => client.ping()))
}
