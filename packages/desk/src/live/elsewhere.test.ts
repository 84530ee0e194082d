// What happens on another node, to asks and lists of people who follow no session: they hear of it by hints, or a while later.
import type { AsksState } from '@beckon/core/asks'
import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { questions, type Served, serveLive, serveTurn, text } from '../../test/live-served.js'

const asks = 'beckon-asks://'
const root = 'ahp-root://'
let clock: TestClock
let isSilent: boolean
let here: Served
let there: Served

beforeEach(async () => {
  clock = createTestClock()
  isSilent = false
  const store = memoryStore({ clock })
  const quiet: Store = {
    ...store,
    publish: async (topic, message) => (isSilent ? undefined : store.publish(topic, message)),
  }
  const limits = { heartbeatMs: 1e9 }
  there = await serveTurn({ store: quiet, clock, limits })
  here = await serveLive({ store: quiet, clock, limits })
})
afterEach(async () => {
  await here.close()
  await there.close()
})

const shown = (client: LiveClient) =>
  (client.confirmed(asks) as unknown as AsksState).asks.map(({ request, ending }) => [
    request.id,
    Object.keys(request.answers ?? {}),
    ending === undefined ? 'open' : (ending.response ?? 'abandoned'),
  ])

describe.each(['0.3', '1.0'] as const)('in the %s dialect', dialect => {
  /** Someone who looks at all of their asks, and at the list of sessions, here. */
  async function watch(as: string): Promise<LiveClient> {
    const client = await here.connect(dialect, { as })
    await client.subscribe(asks)
    await client.subscribe(root)
    return client
  }

  /** Until it looks so, and to whoever comes now, too. */
  async function isShown(client: LiveClient, expected: readonly unknown[]): Promise<void> {
    await client.until(() => JSON.stringify(shown(client)) === JSON.stringify(expected))
    await there.parts.index.drained()
    const late = await here.connect(dialect, { as: new URL(client.options.url).searchParams.get('as') ?? '' })
    await late.subscribe(asks)
    expect(shown(late)).toEqual(expected)
    late.drop()
  }

  it('an ask comes, is drafted and goes', async () => {
    const alice = await watch('alice')
    await there.ask({ id: 'r', message: 'Order', questions })
    await isShown(alice, [['r', [], 'open']])
    await there.happen({ type: 'drafted', ask: 'r', question: 'name', answer: text('Ada') })
    await isShown(alice, [['r', ['name'], 'open']])
    await there.happen({ type: 'askEnded', ask: 'r', response: 'decline' })
    await isShown(alice, [['r', ['name'], 'decline']])
    await there.ask({ id: 'r2', message: 'Sure?' })
    await isShown(alice, [
      ['r', ['name'], 'decline'],
      ['r2', [], 'open'],
    ])
    await there.happen({ type: 'turnEnded', turn: 't1', state: 'complete' })
    await isShown(alice, [
      ['r', ['name'], 'decline'],
      ['r2', [], 'abandoned'],
    ])
    expect(alice.outOfOrder).toEqual([])
  })

  it('an ask comes to those whom it is for, and to those who are asked instead', async () => {
    const [alice, bob] = [await watch('alice'), await watch('bob')]
    await there.ask({ id: 'r', message: 'Pay?' }, { audience: { principals: ['alice'] } })
    await isShown(alice, [['r', [], 'open']])
    expect(shown(bob)).toEqual([])
    await there.happen({ type: 'escalated', ask: 'r', audience: { principals: ['bob'] } })
    await isShown(bob, [['r', [], 'open']])
    await isShown(alice, [['r', [], 'cancel']])
    await there.happen({ type: 'askEnded', ask: 'r', response: 'decline' })
    await isShown(bob, [['r', [], 'decline']])
    expect(shown(alice)).toEqual([['r', [], 'cancel']])
  })

  it('what nobody gave a hint of is found in a while', async () => {
    const alice = await watch('alice')
    isSilent = true
    await there.ask({ id: 'r', message: 'Order', questions })
    await clock.advance(30_000)
    await isShown(alice, [['r', [], 'open']])
    await there.happen({ type: 'askEnded', ask: 'r', response: 'decline' })
    await clock.advance(30_000)
    await isShown(alice, [['r', [], 'decline']])
  })

  it('sessions come, change and go in lists, and their asks with them', async () => {
    const alice = await watch('alice')
    const other = await there.connect(dialect)
    const channel = 'ahp-session:/new'
    const told = (method: string) =>
      alice.until(() =>
        alice.notifications.some(
          ({ method: said, params }) =>
            said === method &&
            (params.session === channel || (params.summary as { resource?: string })?.resource === channel),
        ),
      )
    await other.request('createSession', { channel })
    await told('root/sessionAdded')
    await other.reasonFor({ type: 'session/titleChanged', title: 'Renamed' }, channel)
    await told('root/sessionSummaryChanged')
    await other.request('disposeSession', { channel })
    await told('root/sessionRemoved')
    await there.ask({ id: 'r', message: 'Sure?' })
    await isShown(alice, [['r', [], 'open']])
    await other.request('disposeSession', { channel: 'ahp-session:/s' })
    await isShown(alice, [])
  })
})

describe.each(['0.3', '1.0'] as const)('a call, in the %s dialect', dialect => {
  const channel = 'ahp-session:/call-1'
  const people = { principals: ['alice'] }

  beforeEach(async () => {
    await there.happen({ type: 'created', id: 'call-1', title: 'pay', server: 'shop', isCall: true }, 'call-1')
    await there.happen({ type: 'turnStarted', turn: 't', message: { text: 'go' } }, 'call-1')
  })

  const open = () =>
    there.happen(
      {
        type: 'asked',
        request: { id: 'r', message: 'Pay?' },
        policy: { audience: people, expiresAt: clock.now() + 3_600_000 },
        instance: 'i',
        digest: 'd',
        bytes: 0,
        node: 'n',
      },
      'call-1',
    )
  const resources = async (client: LiveClient) => {
    const { items } = await client.request('listSessions', { channel: root })
    return (items as { resource: string }[]).map(({ resource }) => resource)
  }
  const answer = (client: LiveClient) =>
    client.prefixed({ type: 'inputCompleted', requestId: 'r', response: 'decline' })

  it('is there for those whom it asks, and for nobody else', async () => {
    for (const node of [there, here]) {
      const [alice, mallory] = [
        await node.connect(dialect, { as: 'alice' }),
        await node.connect(dialect, { as: 'mallory' }),
      ]
      for (const client of [alice, mallory]) await client.subscribe(root)
      if (node === there) {
        expect(await alice.failure('subscribe', { channel })).toMatchObject({ code: -32001 })
        await open()
        await alice.until(() => alice.notifications.some(({ method }) => method === 'root/sessionAdded'))
      }
      expect(await alice.subscribe(channel)).toBeDefined()
      expect(await resources(alice)).toContain(channel)

      expect(await mallory.failure('subscribe', { channel })).toMatchObject({ code: -32001 })
      expect(await resources(mallory)).not.toContain(channel)
      expect(await mallory.failure('disposeSession', { channel })).toMatchObject({ code: -32001 })
      const chat = dialect === '0.3' ? channel : 'ahp-chat:/call-1'
      mallory.notify('dispatchAction', { channel: chat, clientSeq: 1, action: answer(mallory) })
      await mallory.ping()
      expect(mallory.envelopes).toEqual([])
      const params = { channel: chat, clientSeq: 2, action: answer(mallory) }
      const nowhere = { ...params, channel: chat.replace('call-1', 'call-2') }
      expect(await mallory.failure('dispatchAction', params)).toEqual(await mallory.failure('dispatchAction', nowhere))
      expect(JSON.stringify(mallory.notifications)).not.toContain('call-1')
    }
    expect((await there.read('call-1'))?.open.has('r')).toBe(true)
  })

  it('stays in the lists of those whom it asked', async () => {
    await open()
    const alice = await here.connect(dialect, { as: 'alice' })
    const chat = dialect === '0.3' ? channel : 'ahp-chat:/call-1'
    expect(await alice.request('dispatchAction', { channel: chat, clientSeq: 1, action: answer(alice) })).toBeNull()
    await here.parts.index.drained()
    expect(await resources(alice)).toContain(channel)
    expect(await alice.subscribe(channel)).toBeDefined()
  })
})
