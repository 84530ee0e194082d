import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Served, serveTurn } from '../../test/live-served.js'

let desk: Served

beforeEach(async () => {
  desk = await serveTurn()
})

afterEach(() => desk.close())

describe('initialize', () => {
  it.each([
    [['0.3.0'], '0.3.0', '0.3'],
    [['0.3.7', '0.2.0'], '0.3.7', '0.3'],
    [['0.6.0'], '0.6.0', '0.6'],
    [['0.3.0', '0.8.0', '0.5.1'], '0.8.0', '0.6'],
    [['0.8.9', '0.9.0', '0.10.0'], '0.9.0', '0.9'],
    [['0.10.0', '1.1.0', '1.0.0', '2.0.0'], '1.1.0', '1.0'],
  ])('of %j picks %s', async (protocolVersions, expected, dialect) => {
    const client = await desk.dial('0.3')
    const result = await client.initialize({ protocolVersions, initialSubscriptions: ['ahp-session:/s'] })
    expect(result).toMatchObject({
      protocolVersion: expected,
      serverSeq: expect.any(Number),
      serverInfo: { name: 'beckon' },
      snapshots: [{ resource: 'ahp-session:/s', fromSeq: result.serverSeq }],
    })
    expect('summary' in (client.confirmed('ahp-session:/s') ?? {})).toBe(dialect === '0.3')
  })

  it.each([
    [['0.4.0', '0.5.2']],
    [['0.2.0']],
    [['0.10.0', '0.11.3']],
    [['2.0.0']],
    [['1', 'v1.0.0', null, '0.3']],
    [[]],
  ])('refuses %j with the versions it has, and closes', async protocolVersions => {
    const client = await desk.dial('0.3')
    const failure = await client.failure('initialize', { channel: 'ahp-root://', protocolVersions, clientId: 'c' })
    expect(failure).toMatchObject({
      code: -32005,
      data: { supportedVersions: ['>=1.0.0 <2.0.0', '>=0.9.0 <0.10.0', '>=0.6.0 <0.9.0', '>=0.3.0 <0.4.0'] },
    })
    expect(await client.closed).toEqual({ code: 1002 })
  })

  it.each([
    [{ protocolVersions: '0.3.0', clientId: 'c' }],
    [{ protocolVersions: ['0.3.0'] }],
    [{ protocolVersions: ['0.3.0'], clientId: '' }],
    [{ protocolVersions: ['0.3.0'], clientId: 'x'.repeat(201) }],
    [{ protocolVersions: ['0.3.0'], clientId: 'c', initialSubscriptions: [7] }],
  ])('refuses %j', async params => {
    const client = await desk.dial('0.3')
    expect(await client.failure('initialize', params)).toMatchObject({ code: -32602 })
    expect(await client.initialize()).toMatchObject({ protocolVersion: '0.3.0' })
  })

  it('leaves out channels that are not there', async () => {
    const client = await desk.dial('1.0')
    const initialSubscriptions = ['ahp-root://', 'ahp-chat:/nowhere', 'ahp-chat:/s', 'file:///etc']
    const { snapshots } = await client.initialize({ initialSubscriptions })
    expect((snapshots as { resource: string }[]).map(({ resource }) => resource)).toEqual([
      'ahp-root://',
      'ahp-chat:/s',
    ])
  })

  it('happens once, and before anything but ping', async () => {
    const client = await desk.dial('1.0')
    await client.ping()
    for (const method of ['subscribe', 'listSessions', 'createSession', 'disposeSession', 'nonsense']) {
      expect(await client.failure(method, { channel: 'ahp-session:/s' })).toMatchObject({ code: -32600 })
    }
    client.dispatch({ type: 'turnCancelled', turnId: 't1' })
    await client.initialize()
    expect(await client.failure('initialize', { protocolVersions: ['1.0.0'], clientId: 'c' })).toMatchObject({
      code: -32600,
    })
    await client.subscribe()
    expect(client.confirmed()).toMatchObject({ activeTurn: { id: 't1' } })
  })

  it('keeps a clientId for the one who has it, while they are here', async () => {
    const alice = await desk.connect('1.0', { as: 'alice', clientId: 'mine' })
    const mallory = await desk.dial('1.0', { as: 'mallory', clientId: 'mine' })
    const params = { channel: 'ahp-root://', protocolVersions: ['1.0.0'], clientId: 'mine' }
    expect(await mallory.failure('initialize', params)).toMatchObject({ code: -32009 })
    const again = { channel: 'ahp-root://', clientId: 'mine', lastSeenServerSeq: 0, subscriptions: ['ahp-chat:/s'] }
    expect(await mallory.failure('reconnect', again)).toMatchObject({ code: -32008 })
    await alice.ping()
    await desk.connect('0.3', { as: 'alice', clientId: 'mine' })
  })
})

describe('subscribe', () => {
  it.each(['0.3', '1.0'] as const)('gives the state as of a number, in the %s dialect', async dialect => {
    const client = await desk.connect(dialect)
    expect(await client.request('subscribe', { channel: client.chatChannel })).toMatchObject({
      snapshot: { resource: client.chatChannel, fromSeq: expect.any(Number), state: { activeTurn: { id: 't1' } } },
    })
  })

  it('refuses what is not there', async () => {
    const [older, later] = [await desk.connect('0.3'), await desk.connect('1.0')]
    expect(await older.failure('subscribe', { channel: 'ahp-session:/nowhere' })).toMatchObject({ code: -32001 })
    expect(await older.failure('subscribe', { channel: 'ahp-chat:/s' })).toMatchObject({ code: -32008 })
    expect(await later.failure('subscribe', { channel: 'ahp-chat:/nowhere' })).toMatchObject({ code: -32008 })
    expect(await later.failure('subscribe', { channel: 'file:///etc/passwd' })).toMatchObject({ code: -32008 })
    expect(await later.failure('subscribe', {})).toMatchObject({ code: -32602 })
  })

  it('ends with unsubscribe', async () => {
    const client = await desk.connect('1.0')
    await client.subscribe()
    await desk.ask({ id: 'r', message: 'One?' })
    client.notify('unsubscribe', { channel: client.chatChannel })
    await client.ping()
    await desk.ask({ id: 'r2', message: 'Two?' })
    await client.ping()
    expect(client.envelopes.map(({ action }) => action.type)).toEqual(['chat/inputRequested'])
  })

  it('has a limit, which unsubscribing makes room in', async () => {
    await desk.close()
    desk = await serveTurn({ limits: { maxSubscriptions: 2 } })
    const client = await desk.connect('1.0')
    await client.subscribe('ahp-root://')
    await client.subscribe('ahp-chat:/s')
    await client.subscribe('ahp-chat:/s')
    expect(await client.failure('subscribe', { channel: 'ahp-session:/s' })).toMatchObject({ code: -32009 })
    client.notify('unsubscribe', { channel: 'ahp-root://' })
    await client.subscribe('ahp-session:/s')
    const other = await desk.dial('1.0')
    const initialSubscriptions = ['ahp-root://', 'ahp-chat:/s', 'ahp-session:/s']
    const params = { protocolVersions: ['1.0.0'], clientId: 'c', initialSubscriptions }
    expect(await other.failure('initialize', params)).toMatchObject({ code: -32009 })
  })

  it('is in the audit, once for a session', async () => {
    const client = await desk.connect('1.0', { as: 'alice' })
    await client.subscribe('ahp-session:/s')
    await client.subscribe('ahp-chat:/s')
    await client.ping()
    expect(await desk.parts.audit.query({ principal: 'alice' })).toMatchObject([{ event: 'viewed', session: 's' }])
  })
})
