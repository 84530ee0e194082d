import { type AsksAction, type AsksState, reduceAsks } from '@beckon/core/asks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { questions, type Served, serveTurn, startTurn, text } from '../../test/live-served.js'

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
  return (await client.subscribe(channel)) as unknown as AsksState
}

/** The state that a client has by what it was told. */
function followed(state: AsksState, told: readonly unknown[]): AsksState {
  return (told as Told[])
    .filter(one => one.channel === channel)
    .reduce((now, one) => reduceAsks(now, one.action), state)
}

describe.each(['0.3', '1.0'] as const)('the channel of all asks, in the %s dialect', dialect => {
  it('tells what a snapshot says, whatever happens', async () => {
    const alice = await desk.connect(dialect)
    const start = await snapshotFor(alice)
    await desk.ask({ id: 'form', message: 'Fill in', questions })
    await desk.ask({ id: 'confirm', message: 'Sure?' }, { quorum: 2, expiresAt: desk.clock.now() + 500 })
    alice.dispatch({ type: 'inputAnswerChanged', requestId: 'form', questionId: 'name', answer: text('Al') })
    const answers = { name: text('Alice', 'submitted') }
    alice.dispatch({ type: 'inputCompleted', requestId: 'form', response: 'accept', answers })
    await alice.ping()
    await desk.happen({ type: 'turnEnded', turn: 't1', state: 'complete' })
    await startTurn(desk, 't2')
    await desk.ask({ id: 'next', message: 'And now?' })
    alice.dispatch({ type: 'inputCompleted', requestId: 'next', response: 'decline', reason: 'no time' })
    await desk.session('gone', { title: 'Gone', server: 'shop' })
    await desk.happen({ type: 'disposed' }, 'gone')
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
    await desk.happen({ type: 'askEnded', ask: 'before', response: 'cancel' })
    await alice.dial()
    const { clientId } = alice.options
    const params = { channel: 'ahp-root://', clientId, lastSeenServerSeq: alice.lastSeen, subscriptions: [channel] }
    const { type, actions } = await alice.request('reconnect', params)
    expect(type).toBe('replay')
    const now = followed(start, actions as unknown[])
    expect(now.asks.map(({ request, ending }) => [request.id, ending?.response])).toEqual([
      ['before', 'cancel'],
      ['after', undefined],
    ])
  })

  it('tells whoever missed the end of a session, and not what was asked of others in it', async () => {
    const alice = await desk.connect(dialect)
    await desk.ask({ id: 'hers', message: 'Sure?' })
    await snapshotFor(alice)
    alice.drop()
    await desk.ask({ id: 'secret', message: 'Secret' }, { audience: { principals: ['bob'] } })
    await desk.happen({ type: 'disposed' })
    const result = await alice.reconnect()
    expect(result).toMatchObject({ type: 'replay', actions: [{ action: { type: 'asks/sessionRemoved' } }] })
    expect(JSON.stringify(result)).not.toMatch(/secret/i)
    expect(alice.confirmed(channel)).toEqual({ asks: [] })
  })

  it('gives a first page, and says how many more there are', async () => {
    for (let count = 0; count < 103; count++) {
      await desk.clock.advance(1)
      await desk.ask({ id: `a${count}`, message: 'Sure?' })
    }
    const alice = await desk.connect(dialect)
    const { asks, more } = await snapshotFor(alice)
    const ids = Array.from({ length: 100 }, (_, index) => `a${index + 3}`)
    expect({ ids: asks.map(({ request }) => request.id), more }).toEqual({ ids, more: 3 })
    // Ended, the last first, there are as many.
    for (let count = 0; count < 103; count++) {
      await desk.clock.advance(1)
      await desk.happen({ type: 'askEnded', ask: `a${count}`, response: 'decline' })
    }
    await desk.parts.index.drained()
    const over = await snapshotFor(alice)
    expect(over.asks.map(({ request }) => request.id)).toEqual(ids)
    expect(over).not.toHaveProperty('more')
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

  it('keeps for a client that comes back what nobody else here is told, also of what its groups are asked by then', async () => {
    const alice = await desk.connect(dialect)
    await snapshotFor(alice)
    const { clientId } = alice.options
    const comeBack = async (groups: string[]) => {
      const back = await desk.dial(dialect, { clientId, groups })
      const params = { clientId, lastSeenServerSeq: alice.lastSeen, subscriptions: [channel] }
      const result = await back.request('reconnect', { channel: 'ahp-root://', ...params })
      back.drop()
      while (desk.live.connections > 0) await new Promise(resolve => setImmediate(resolve))
      return { kind: result.type, text: JSON.stringify(result) }
    }
    alice.drop()
    while (desk.live.connections > 0) await new Promise(resolve => setImmediate(resolve))
    await desk.ask({ id: 'hers', message: 'Hers?' }, { audience: { principals: ['alice'] } })
    await desk.ask({ id: 'theirs', message: 'Theirs?' }, { audience: { groups: ['finance'] } })
    const same = await comeBack([])
    expect([same.kind, same.text.includes('Hers?'), same.text.includes('Theirs?')]).toEqual(['replay', true, false])
    const joined = await comeBack(['finance'])
    expect([joined.kind, joined.text.includes('Theirs?')]).toEqual(['snapshot', true])
  })

  it('takes no action of a client', async () => {
    const alice = await desk.connect(dialect)
    await snapshotFor(alice)
    expect(await alice.reasonFor({ type: 'asks/sessionRemoved', session: 's' }, channel)).toContain('cannot send')
  })
})

describe('something to try', () => {
  it('is not there unless the desk has it', async () => {
    const alice = await desk.dial('1.0')
    const { _meta } = await alice.initialize()
    expect(_meta).toEqual({ 'beckon/principal': 'alice' })
    expect(await alice.failure('beckon/tryIt', { channel: 'ahp-root://' })).toMatchObject({ code: -32008 })
  })

  it('is called once for each request, and announced', async () => {
    let calls = 0
    await desk.close()
    desk = await serveTurn({ tryIt: () => calls++ })
    const alice = await desk.dial('1.0')
    expect(await alice.initialize()).toMatchObject({ _meta: { 'beckon/tryIt': true } })
    await alice.request('beckon/tryIt', { channel: 'ahp-root://' })
    expect(calls).toBe(1)
  })
})
