// A store that cannot be reached for a while, seen by people over real sockets.
import { memoryStore } from 'beckon'
import { createTestClock } from 'beckon/test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { awayStore } from '../../test/away-store.js'
import { questions, type Served, serveLive, serveTurn, text } from '../../test/live-served.js'
import { encodeChat } from '../dialects/states.js'

const desks: Served[] = []
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close()
})

const draft = (value: string) => ({
  type: 'inputAnswerChanged',
  requestId: 'r',
  questionId: 'name',
  answer: text(value),
})

async function serveNodes() {
  const clock = createTestClock()
  const shared = memoryStore({ clock })
  const store = awayStore(shared)
  // Hours pass at once here, in which no client could show that it lives.
  const limits = { heartbeatMs: 1e9 }
  const node = await serveTurn({ store, clock, limits })
  const other = await serveLive({ store: shared, clock, limits })
  desks.push(node, other)
  await node.ask({ id: 'r', message: 'Order', questions })
  return { store, node, other }
}

/** A state without when it was changed, which each side has by its own clock. */
function timeless(state: unknown): unknown {
  return JSON.parse(JSON.stringify(state), (key, value) => (key === 'modifiedAt' ? undefined : value))
}

/** Lets a node look for what it missed, and waits until it has. */
async function lookUp({ clock, parts, read }: Served): Promise<void> {
  await clock.advance(30_000)
  await parts.sessions.lookAgain()
  await read().catch(() => {})
}

describe.each(['0.3', '1.0'] as const)('while the store is away, in the %s dialect', dialect => {
  it('nothing is acknowledged, what is known can be read, and the node goes on by itself', async () => {
    const { store, node, other } = await serveNodes()
    const client = await node.connect(dialect)
    await client.subscribe()
    await client.reasonFor(draft('Ada'))
    const before = client.confirmed()

    store.isAway = true
    const refusals = [
      await client.reasonFor(draft('Bob')),
      await client.reasonFor({ type: 'inputCompleted', requestId: 'r', response: 'decline' }),
    ]
    expect(refusals).toEqual([expect.stringContaining('Send it again'), expect.stringContaining('Send it again')])
    expect(client.confirmed()).toEqual(before)
    expect(client.optimistic()).toEqual(before)
    // Whoever comes, or comes back, sees what the node knows.
    const late = await node.connect(dialect, { as: 'bob' })
    expect(await late.subscribe()).toEqual(before)
    late.drop()
    expect(await late.reconnect()).toMatchObject({ type: 'snapshot' })
    expect(late.confirmed()).toEqual(before)
    expect(await client.failure('createSession', { channel: 'ahp-session:/new' })).toMatchObject({ code: -32603 })
    // What there is beside it, only the store knows.
    expect(await client.failure('listSessions', { channel: 'ahp-root://' })).toMatchObject({ code: -32603 })
    expect(await client.failure('subscribe', { channel: 'ahp-session:/unknown' })).toMatchObject({ code: -32603 })

    // Others go on, and this node hears nothing of it.
    const elsewhere = await other.connect(dialect, { as: 'carol' })
    await elsewhere.subscribe()
    await elsewhere.reasonFor(draft('Carol'))
    await lookUp(node)
    await client.ping()
    expect(client.confirmed()).toEqual(before)

    store.isAway = false
    await lookUp(node)
    await client.ping()
    expect(timeless(client.confirmed())).toEqual(timeless(elsewhere.confirmed()))
    expect(timeless(client.confirmed())).not.toEqual(timeless(before))
    expect(await client.reasonFor(draft('Ada again'))).toBeUndefined()
    await other.read()
    await elsewhere.ping()
    expect(timeless(elsewhere.confirmed())).toEqual(timeless(client.confirmed()))
    expect([...client.outOfOrder, ...elsewhere.outOfOrder, ...late.outOfOrder]).toEqual([])
  })

  it('what was written though the store did not say so comes once, to its sender too', async () => {
    const { store, node } = await serveNodes()
    const client = await node.connect(dialect)
    await client.subscribe()
    store.isDeaf = true
    expect(await client.reasonFor(draft('Ada'))).toContain('Send it again')
    store.isDeaf = false
    await lookUp(node)
    await client.ping()
    expect(client.envelopes.filter(({ rejectionReason }) => rejectionReason === undefined)).toHaveLength(1)
    expect(timeless(client.confirmed())).toEqual(timeless(await client.subscribe()))
    expect(JSON.stringify(client.confirmed())).toContain('Ada')
  })
})

it('an ask whose time ends while the store is away expires when it is back', async () => {
  const { store, node } = await serveNodes()
  const client = await node.connect('1.0')
  await client.subscribe()
  store.isAway = true
  await node.clock.advance(3_600_000)
  // Not even that it is over: someone may have answered in time.
  expect(await client.reasonFor(draft('Ada'))).toContain('Send it again')
  store.isAway = false
  const isOver = () => client.envelopes.some(({ action }) => action.type === 'chat/inputCompleted')
  while (!isOver()) {
    await lookUp(node)
    await client.ping()
  }
  // The node that ended it writes its audit a moment later.
  const events = async () => (await node.parts.audit.query({ request: 'r' })).map(({ event }) => event)
  await vi.waitFor(async () => expect(await events()).toEqual(['asked', 'expired']), { timeout: 30_000 })
})

it('an ask that is withdrawn while the store is away is gone when it is back', async () => {
  const { store, node } = await serveNodes()
  const turn = (await node.session('s')).activeTurn()
  const call = new AbortController()
  const outcome = turn?.ask({ id: 'w', message: 'Sure?' }, { signal: call.signal })
  const client = await node.connect('0.3')
  await client.subscribe()
  await client.until(() => JSON.stringify(client.confirmed()).includes('"w"'))
  store.isAway = true
  call.abort()
  await lookUp(node)
  store.isAway = false
  const isGone = () => !JSON.stringify(client.confirmed()).includes('"w"')
  while (!isGone()) {
    await lookUp(node)
    await client.ping()
  }
  expect(await outcome).toEqual({ action: 'cancel', why: 'withdrawn' })
})

it('clients of a node that missed more than the log of a session keeps are sent to come back, and miss nothing', async () => {
  const { store, node, other } = await serveNodes()
  const client = await node.connect('1.0')
  await client.subscribe()
  store.isAway = true
  for (let count = 0; count < 1_000; count++) await other.happen({ type: 'titleChanged', title: `Title ${count}` })
  await other.ask({ id: 'r2', message: 'Another?' })
  store.isAway = false
  await lookUp(node)
  expect(await client.closed).toEqual({ code: 4008 })
  await client.reconnect()
  const session = await other.read()
  expect(client.confirmed()).toEqual(session && encodeChat(session, ask => ask, '1.0'))
  expect(await client.reasonFor(draft('Ada'))).toBeUndefined()
  // What time does to an ask, it also does to one that was opened meanwhile.
  const seen = () => client.envelopes.flatMap(({ action }) => ('requestId' in action ? [action.requestId] : []))
  await node.clock.advance(3_600_000)
  await client.until(() => seen().includes('r2'))
})
