// Who is in a group is what the directory says now, on a real desk, over sockets and REST.
import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock } from 'beckon/test'
import { afterEach, describe, expect, it } from 'vitest'
import { LiveClient } from '../../test/live-client.js'
import { bearerAccess, createDesk, type Desk, type DeskOptions, type Person } from '../index.js'
import { groupsIn } from './directory.js'

const tokens: Record<string, Person> = {
  'token-of-ann-123456': { principal: 'ann' },
  'token-of-bob-123456': { principal: 'bob', groups: ['ops'] },
  'token-of-root-123456': { principal: 'root', role: 'admin' },
}
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function setUp(directory: DeskOptions['directory'], store?: Store) {
  const clock = createTestClock()
  const kept = store && { store }
  const desk = createDesk({ access: bearerAccess({ tokens, clock }), directory, clock, onError: () => {}, ...kept })
  closing.push(() => desk.close())
  const { url } = await desk.listen()
  const send = (who: 'ann' | 'bob' | 'root', method: string, path: string) =>
    fetch(`${url}${path}`, { method, headers: { authorization: `Bearer token-of-${who}-123456` } })
  return {
    desk,
    clock,
    async asks(who: 'ann' | 'bob') {
      const { asks } = (await (await send(who, 'GET', 'api/asks')).json()) as { asks: { id: string }[] }
      return asks.map(({ id }) => id)
    },
    async view(who: 'bob' | 'root', ask: string) {
      return (await (await send(who, 'GET', `api/asks/${ask}`)).json()) as { approval?: object }
    },
    async connect(who: 'ann' | 'bob') {
      const { ticket } = (await (await send(who, 'POST', 'ticket')).json()) as { ticket: string }
      const address = `${url.replace(/^http/, 'ws')}live?ticket=${ticket}`
      const client = new LiveClient({ url: address, dialect: '0.3', clientId: who, now: () => clock.now() })
      await client.dial()
      await client.initialize()
      return client
    },
  }
}

const ask = (desk: Desk) =>
  desk.open(
    { server: 'shop', call: 'c', tool: 'refund' },
    { id: 'r', message: 'Refund?' },
    { policy: { audience: { groups: ['approvers'] }, quorum: 1 }, expiresAt: Date.now() + 1e9 },
  )

describe('an approver who leaves the group between seeing and answering', () => {
  it('is refused at once, over the socket that was open, and then has to come in again', async () => {
    const approvers = new Set(['ann'])
    const { desk, clock, connect, asks } = await setUp(who => (approvers.has(who) ? ['approvers'] : []))
    const opened = await ask(desk)
    const ann = await connect('ann')
    const channel = 'ahp-session:/call-c'
    const { activeTurn } = (await ann.subscribe(channel)) as { activeTurn?: { id: string } }
    expect(await asks('ann')).toEqual(['c.r'])
    approvers.delete('ann')
    const accept = { type: 'inputCompleted', requestId: 'c.r', response: 'accept' }
    // To end what it is part of would take it from the others.
    for (const action of [accept, { type: 'turnCancelled', turnId: activeTurn?.id ?? '' }])
      expect(await ann.reasonFor(action, channel)).toBe('You are no longer in a group that is asked this.')
    await clock.advance(1_000)
    ann.dispatch(accept, channel)
    expect(await ann.closed).toEqual({ code: 1008 })
    expect(await asks('ann')).toEqual([])
    // Somebody who is in it by then decides.
    approvers.add('bob')
    const bob = await connect('bob')
    await bob.subscribe(channel)
    bob.dispatch(accept, channel)
    expect(await opened.outcome()).toMatchObject({ action: 'accept', by: [{ principal: 'bob' }] })
  })

  it('cannot answer while nobody can say who is in it', async () => {
    let isAway = false
    const { desk, connect } = await setUp(() => {
      if (isAway) throw new Error('The directory is away.')
      return ['approvers']
    })
    const opened = await ask(desk)
    const ann = await connect('ann')
    await ann.subscribe('ahp-session:/call-c')
    isAway = true
    ann.dispatch({ type: 'inputCompleted', requestId: 'c.r', response: 'accept' }, 'ahp-session:/call-c')
    await ann.ping()
    expect(await opened.outcome(AbortSignal.abort()).catch(() => 'open')).toBe('open')
    isAway = false
    ann.dispatch({ type: 'inputCompleted', requestId: 'c.r', response: 'accept' }, 'ahp-session:/call-c')
    expect(await opened.outcome()).toMatchObject({ action: 'accept' })
  })
})

describe('a directory', () => {
  it('says who is in a group instead of the sign-in, unless it does not know the person', async () => {
    const list = groupsIn({ approvers: ['ann', 'bob'], ops: ['ann'] })
    expect(await Promise.all(['ann', 'bob', 'eve'].map(list))).toEqual([['approvers', 'ops'], ['approvers'], []])
    const { desk, asks } = await setUp(who => (who === 'ann' ? ['approvers'] : undefined))
    await ask(desk)
    await desk.open(
      { server: 'shop', call: 'o' },
      { id: 'r', message: 'Deploy?' },
      { policy: { audience: { groups: ['ops'] } }, expiresAt: Date.now() + 1e9 },
    )
    expect([await asks('ann'), await asks('bob')]).toEqual([['c.r'], ['o.r']])
  })

  it.each<[string, DeskOptions['directory']]>([
    ['a function', who => (who === 'bob' ? ['ops'] : [])],
    ['the claims of a sign-in', undefined],
  ])('that is %s names those who were here, and says that there may be others', async (_, directory) => {
    const store = memoryStore()
    const { desk, asks, view } = await setUp(directory, store)
    const policy = { audience: { groups: ['ops'] }, quorum: 2 }
    await desk.open(
      { server: 'shop', call: 'o' },
      { id: 'r', message: 'Deploy?' },
      { policy, expiresAt: Date.now() + 1e9 },
    )
    expect(await asks('bob')).toEqual(['o.r'])
    expect(await view('bob', 'call-o/o.r')).toMatchObject({
      approval: { of: 2, by: [], missing: ['bob'], groups: ['ops'] },
    })
    // A node that starts later has them from the store.
    const later = await setUp(directory, store)
    await expect
      .poll(async () => (await later.view('root', 'call-o/o.r')).approval, { timeout: 20_000 })
      .toMatchObject({ missing: ['bob'], groups: ['ops'] })
  })

  it('is not asked about nobody in particular', async () => {
    expect(await groupsIn(() => ['ops'])('local')).toBeUndefined()
    expect(await groupsIn({ ops: ['local'] })('local')).toBeUndefined()
  })
})
