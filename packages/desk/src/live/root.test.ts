import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Served, serveLive, startTurn } from '../../test/live-served.js'

let desk: Served

beforeEach(async () => {
  desk = await serveLive()
})

afterEach(() => desk.close())

describe.each(['0.3', '1.0'] as const)('the root, in the %s dialect', dialect => {
  const time = (at: number) => (dialect === '0.3' ? at : new Date(at).toISOString())

  it('says of each session that it comes, changes and goes', async () => {
    const client = await desk.connect(dialect)
    expect(await client.subscribe('ahp-root://')).toEqual({ agents: [] })
    const now = time(desk.clock.now())
    const fixed = { resource: 'ahp-session:/s', provider: 'shop', createdAt: now }
    expect(await client.request('createSession', { channel: 'ahp-session:/s', provider: 'shop' })).toBeNull()
    await client.ping()
    expect(client.notifications).toEqual([
      {
        jsonrpc: '2.0',
        method: 'root/sessionAdded',
        params: { channel: 'ahp-root://', summary: { ...fixed, title: 's', status: 1, modifiedAt: now } },
      },
    ])

    await desk.clock.advance(1_000)
    const later = time(desk.clock.now())
    await startTurn(desk)
    await desk.ask({ id: 'r', message: 'Sure?' })
    const title = { type: 'session/titleChanged', title: 'Renamed' }
    expect(await client.reasonFor(title, 'ahp-session:/s')).toBeUndefined()
    expect(client.notifications.slice(1).map(({ params }) => params)).toEqual([
      { channel: 'ahp-root://', session: 'ahp-session:/s', changes: { title: 's', status: 8, modifiedAt: later } },
      { channel: 'ahp-root://', session: 'ahp-session:/s', changes: { title: 's', status: 24, modifiedAt: later } },
      {
        channel: 'ahp-root://',
        session: 'ahp-session:/s',
        changes: { title: 'Renamed', status: 24, modifiedAt: later },
      },
    ])
    expect(await client.request('listSessions', { channel: 'ahp-root://' })).toEqual({
      items: [{ ...fixed, title: 'Renamed', status: 24, modifiedAt: later }],
    })

    expect(await client.request('disposeSession', { channel: 'ahp-session:/s' })).toBeNull()
    await client.ping()
    expect(client.notifications.at(-1)).toMatchObject({
      method: 'root/sessionRemoved',
      params: { session: 'ahp-session:/s' },
    })
    expect(await client.request('listSessions', { channel: 'ahp-root://' })).toEqual({ items: [] })
  })

  it('refuses to make a session twice, to end one that is not there, and names that are none', async () => {
    const client = await desk.connect(dialect)
    const channel = 'ahp-session:/s'
    await client.request('createSession', { channel })
    expect(await client.failure('createSession', { channel })).toMatchObject({ code: -32003 })
    expect(await client.failure('disposeSession', { channel: 'ahp-session:/nowhere' })).toMatchObject({ code: -32001 })
    for (const name of ['ahp-session:/', 'ahp-session:/a/b', 'ahp-session:/a b', 'ahp-root://', 'x', 7, undefined]) {
      expect(await client.failure('createSession', { channel: name })).toMatchObject({ code: -32602 })
    }
    expect(await client.failure('createSession', { channel: `${channel}2`, provider: 7 })).toMatchObject({
      code: -32602,
    })
    expect(await client.failure('disposeSession', { channel: 'ahp-root://' })).toMatchObject({ code: -32602 })
  })

  it('makes and ends a session once when several ask for it at the same time', async () => {
    const clients = await Promise.all([1, 2, 3].map(() => desk.connect(dialect)))
    for (const [method, code] of [
      ['createSession', -32003],
      ['disposeSession', -32001],
    ] as const) {
      const asked = clients.map(client => client.request(method, { channel: 'ahp-session:/s' }))
      const results = await Promise.allSettled(asked)
      const refused = results.flatMap(result => (result.status === 'rejected' ? [result.reason.code] : []))
      expect(refused).toEqual([code, code])
    }
  })

  it('takes a session and a subscription to it in one breath', async () => {
    const client = await desk.connect(dialect)
    const created = client.request('createSession', { channel: 'ahp-session:/s' })
    const subscribed = client.subscribe()
    await created
    expect(await subscribed).toMatchObject({ turns: [] })
  })

  it('lists sessions newest first, page by page', async () => {
    const client = await desk.connect(dialect)
    const names = ['a', 'b', 'c', 'd', 'e']
    for (const name of names) {
      await desk.clock.advance(name === 'd' ? 0 : 10)
      await desk.session(name)
    }
    const pages: string[][] = []
    let cursor: unknown
    do {
      const page = await client.request('listSessions', { limit: 2, ...(cursor !== undefined && { cursor }) })
      pages.push((page.items as { resource: string }[]).map(({ resource }) => resource.replace('ahp-session:/', '')))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    // Of the same time, by their names.
    expect(pages).toEqual([['e', 'd'], ['c', 'b'], ['a']])
    expect(await client.failure('listSessions', { cursor: 'nonsense' })).toMatchObject({ code: -32602 })
    expect(await client.failure('listSessions', { limit: 0 })).toMatchObject({ code: -32602 })
  })
})

it('is silent about drafts, and to those who do not listen', async () => {
  await desk.session('s')
  await startTurn(desk)
  const questions = [{ id: 'name', kind: 'text', message: 'Name?' }] as const
  await desk.ask({ id: 'r', message: 'Order', questions: [...questions] })
  const [listener, other] = [await desk.connect('1.0'), await desk.connect('1.0')]
  await listener.subscribe('ahp-root://')
  const answer = { state: 'draft', value: { kind: 'text', value: 'A' } }
  for (let count = 0; count < 3; count++) {
    await desk.clock.advance(10)
    await other.reasonFor({ type: 'inputAnswerChanged', requestId: 'r', questionId: 'name', answer })
  }
  await listener.ping()
  expect(listener.notifications.length).toBeLessThanOrEqual(1)
  await desk.session('s2')
  await other.ping()
  expect(other.notifications).toEqual([])
})
