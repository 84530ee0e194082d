import { type AsksAction, type AsksState, reduceAsks } from '@beckon/core/asks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { questions, type Served, serveTurn, startTurn, text } from '../../test/live-served.js'
import { withdrawal } from '../asks/turn.js'

const channel = 'beckon-asks://'
let desk: Served

beforeEach(async () => {
  desk = await serveTurn()
})
afterEach(() => desk.close())

interface Told {
  readonly channel: string
  readonly action: AsksAction
}

async function snapshotFor(client: LiveClient): Promise<AsksState> {
  const { snapshot } = (await client.request('subscribe', { channel })) as { snapshot: { state: AsksState } }
  return snapshot.state
}

/** The state that a client has by what it was told. */
function followed(state: AsksState, told: readonly unknown[]): AsksState {
  return (told as Told[])
    .filter(one => one.channel === channel)
    .reduce((now, one) => reduceAsks(now, one.action), state)
}

describe.each(['older', 'later'] as const)('the channel of all asks, in the %s dialect', dialect => {
  it('tells what a snapshot says, whatever happens', async () => {
    const alice = await desk.connect(dialect)
    const start = await snapshotFor(alice)
    await desk.ask({ id: 'form', message: 'Fill in', questions })
    await desk.ask({ id: 'confirm', message: 'Sure?' }, { quorum: 2, expiresAt: desk.clock.now() + 500 })
    alice.dispatch({ type: 'inputAnswerChanged', requestId: 'form', questionId: 'name', answer: text('Al') })
    const answers = { name: text('Alice', 'submitted') }
    alice.dispatch({ type: 'inputCompleted', requestId: 'form', response: 'accept', answers })
    await alice.ping()
    await desk.act({ type: 'turnComplete', turnId: 't1', duration: 0 })
    await startTurn(desk, 't2')
    await desk.ask({ id: 'next', message: 'And now?' })
    alice.dispatch({ type: 'inputCompleted', requestId: 'next', response: 'decline', reason: 'no time' })
    await desk.parts.session('gone', { title: 'Gone', server: 'shop' })
    await desk.act({ type: 'sessionDisposed' }, 'gone')
    await alice.ping()

    const now = followed(start, alice.envelopes)
    expect(await snapshotFor(await desk.connect(dialect))).toEqual(now)
    expect(now.asks).toMatchObject([
      {
        server: 'shop',
        request: { id: 'form', answers },
        ending: { response: 'accept', by: 'alice' },
        turn: 'complete',
      },
      { request: { id: 'confirm' }, quorum: 2, ending: {}, turn: 'complete' },
      { request: { id: 'next' }, ending: { response: 'decline', by: 'alice', reason: 'no time' } },
    ])
    expect(now.asks[1]?.ending).not.toHaveProperty('response')
  })

  it('replays what someone missed', async () => {
    const alice = await desk.connect(dialect)
    await desk.ask({ id: 'before', message: 'Before' })
    const start = await snapshotFor(alice)
    alice.drop()
    await desk.ask({ id: 'after', message: 'After' })
    await desk.parts.order.change(state => withdrawal(state.session('s'), 'before', desk.clock.now()))
    await alice.dial()
    const { clientId } = alice.options
    const params = { channel: 'ahp-root://', clientId, lastSeenServerSeq: alice.lastSeen, subscriptions: [channel] }
    const { type, actions } = await alice.request('reconnect', { ...params, lastSeenServerSeq: 4 })
    expect(type).toBe('replay')
    const now = followed(start, actions as unknown[])
    expect(now.asks.map(({ request, ending }) => [request.id, ending?.response])).toEqual([
      ['before', 'cancel'],
      ['after', undefined],
    ])
  })

  it('sends a snapshot to whoever missed the end of a session', async () => {
    const alice = await desk.connect(dialect)
    await snapshotFor(alice)
    alice.drop()
    await desk.ask({ id: 'secret', message: 'Secret' }, { audience: { principals: ['bob'] } })
    await desk.act({ type: 'sessionDisposed' })
    await alice.dial()
    const { clientId } = alice.options
    const params = { channel: 'ahp-root://', clientId, lastSeenServerSeq: 2, subscriptions: [channel] }
    const result = await alice.request('reconnect', params)
    expect(result).toMatchObject({ type: 'snapshot', snapshots: [{ resource: channel, state: { asks: [] } }] })
  })

  it('tells nobody of what is not for them', async () => {
    const [alice, bob] = [await desk.connect(dialect, { as: 'alice' }), await desk.connect(dialect, { as: 'bob' })]
    const [hers, his] = [await snapshotFor(alice), await snapshotFor(bob)]
    await desk.ask({ id: 'his', message: 'For Bob' }, { audience: { principals: ['bob'] } })
    bob.dispatch({ type: 'inputCompleted', requestId: 'his', response: 'accept' })
    await bob.ping()
    await alice.ping()
    expect(followed(hers, alice.envelopes).asks).toEqual([])
    expect(followed(his, bob.envelopes).asks).toHaveLength(1)
    expect((await snapshotFor(alice)).asks).toEqual([])
    expect(JSON.stringify(alice.envelopes)).not.toContain('his')
  })

  it('takes no action of a client', async () => {
    const alice = await desk.connect(dialect)
    await snapshotFor(alice)
    expect(await alice.reasonFor({ type: 'asks/sessionRemoved', session: 's' }, channel)).toContain('cannot send')
  })
})

describe('something to try', () => {
  it('is not there unless the desk has it', async () => {
    const alice = await desk.dial('later')
    const { serverInfo } = await alice.initialize()
    expect(serverInfo).toMatchObject({ _meta: { 'beckon/principal': 'alice' } })
    expect(JSON.stringify(serverInfo)).not.toContain('tryIt')
    expect(await alice.failure('beckon/tryIt', { channel: 'ahp-root://' })).toMatchObject({ code: -32008 })
  })

  it('is called once for each request, and announced', async () => {
    let calls = 0
    await desk.close()
    desk = await serveTurn({ tryIt: () => calls++ })
    const alice = await desk.dial('later')
    expect((await alice.initialize()).serverInfo).toMatchObject({ _meta: { 'beckon/tryIt': true } })
    await alice.request('beckon/tryIt', { channel: 'ahp-root://' })
    expect(calls).toBe(1)
  })
})
