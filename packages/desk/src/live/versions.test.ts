// Frames as they are on the wire, of every version that is offered, against the tables of the specification.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { type Served, serveTurn, text } from '../../test/live-served.js'

let desk: Served
beforeEach(async () => {
  desk = await serveTurn()
})
afterEach(() => desk.close())

/** One of each minor version that is offered, and what it was given of what changed: written from the specification. */
const versions = [
  { version: '0.3.0', dialect: '0.3' },
  { version: '0.6.0', dialect: '0.6' },
  { version: '0.7.0', dialect: '0.6' },
  { version: '0.8.3', dialect: '0.6' },
  { version: '0.9.0', dialect: '0.9' },
  { version: '1.0.0', dialect: '1.0' },
  { version: '1.1.0', dialect: '1.0' },
] as const

const sessionChannel = 'ahp-session:/s'
const chatChannel = 'ahp-chat:/s'
const failure = { errorType: 'E', message: 'broke' }
const question = { id: 'why', kind: 'text', message: 'Why?' } as const

async function connect(version: string, options: { as?: string; locale?: string } = {}): Promise<LiveClient> {
  const { dialect } = versions.find(known => known.version === version) ?? { dialect: '1.0' as const }
  const client = await desk.dial(dialect, options)
  const { locale } = options
  await client.initialize({ protocolVersions: [version], ...(locale && { locale }) })
  return client
}

/** What was told on a channel, as it was sent. */
function toldOn(client: LiveClient, channel: string): object[] {
  return client.envelopes.filter(envelope => envelope.channel === channel).map(({ action }) => action)
}

const chatVersions = versions.map(({ version }) => version).filter(version => version !== '0.3.0')
const isFrom = (version: string, first: string) => version.localeCompare(first, 'en', { numeric: true }) >= 0
const isoNow = () => new Date(desk.clock.now()).toISOString()

describe.each(versions.map(({ version }) => version))('every frame of %s', version => {
  const hasChats = version !== '0.3.0'
  const on = hasChats ? 'chat' : 'session'
  const turnsChannel = hasChats ? chatChannel : sessionChannel
  const request = { id: 'r', message: 'Sure?', questions: [question] }

  it('that answers the handshake is as the specification has it', async () => {
    const { dialect } = versions.find(known => known.version === version) ?? { dialect: '1.0' as const }
    const client = await desk.dial(dialect)
    const answer = await client.initialize({
      protocolVersions: [version, '9.0.0'],
      initialSubscriptions: ['ahp-root://'],
    })
    expect(answer).toEqual({
      protocolVersion: version,
      serverSeq: expect.any(Number),
      serverInfo: { name: 'beckon', title: 'Beckon desk' },
      _meta: { 'beckon/principal': 'alice' },
      snapshots: [{ resource: 'ahp-root://', state: { agents: [] }, fromSeq: answer.serverSeq }],
    })
  })

  it('that tells of a turn is as the specification has it', async () => {
    const client = await connect(version)
    await client.subscribe(turnsChannel)
    await desk.clock.advance(1_000)
    await desk.ask(request)
    const answer = text('Because')
    await client.reasonFor({ type: 'inputAnswerChanged', requestId: 'r', questionId: 'why', answer })
    await client.reasonFor({ type: 'inputAnswerChanged', requestId: 'r', questionId: 'why' })
    await client.reasonFor({ type: 'inputCompleted', requestId: 'r', response: 'accept', answers: { why: answer } })
    await desk.clock.advance(500)
    await desk.happen({ type: 'turnEnded', turn: 't1', state: 'complete' })
    await desk.happen({ type: 'turnStarted', turn: 't2', message: { text: 'go on' } })
    await desk.happen({ type: 'turnEnded', turn: 't2', state: 'cancelled' })
    await desk.happen({ type: 'truncated', turn: 't1' })
    await desk.happen({ type: 'truncated' })
    await client.ping()
    const lasted = (duration: number) => (hasChats ? { duration } : {})
    const began = hasChats ? { startedAt: isoNow() } : {}
    expect(toldOn(client, turnsChannel)).toEqual([
      { type: `${on}/inputRequested`, request },
      { type: `${on}/inputAnswerChanged`, requestId: 'r', questionId: 'why', answer },
      { type: `${on}/inputAnswerChanged`, requestId: 'r', questionId: 'why' },
      { type: `${on}/inputCompleted`, requestId: 'r', response: 'accept', answers: { why: answer } },
      { type: `${on}/turnComplete`, turnId: 't1', ...lasted(1_500) },
      { type: `${on}/turnStarted`, turnId: 't2', message: { text: 'go on' }, ...began },
      { type: `${on}/turnCancelled`, turnId: 't2', ...lasted(0) },
      { type: `${on}/truncated`, turnId: 't1' },
      { type: `${on}/truncated` },
    ])
    // And nothing is in a frame that the specification does not know, but for the client's own numbers.
    for (const envelope of client.envelopes)
      expect(['channel', 'action', 'serverSeq', 'origin']).toEqual(expect.arrayContaining(Object.keys(envelope)))
  })

  it('that gives a state has the fields of the specification, and no others', async () => {
    await desk.clock.advance(1_000)
    const began = desk.clock.now() - 1_000
    await desk.ask(request)
    const client = await connect(version)
    const state = await client.subscribe(turnsChannel)
    const turn = { id: 't1', message: { text: 'go' } }
    const iso = new Date(began).toISOString()
    const entry = {
      resource: chatChannel,
      title: 'Session',
      status: 24,
      modifiedAt: isFrom(version, '1.0.0') ? iso : isoNow(),
    }
    if (!hasChats) {
      const now = desk.clock.now()
      const times = { createdAt: began, modifiedAt: now }
      expect(state).toEqual({
        summary: { resource: sessionChannel, provider: 'shop', title: 'Session', status: 24, ...times },
        lifecycle: 'ready',
        turns: [],
        activeTurn: { ...turn, responseParts: [] },
        inputRequests: [request],
      })
      return
    }
    expect(state).toEqual({
      ...entry,
      turns: [],
      activeTurn: { ...turn, startedAt: iso, responseParts: [{ kind: 'inputRequest', request }] },
    })
    expect(await client.subscribe(sessionChannel)).toEqual({
      provider: 'shop',
      title: 'Session',
      status: 24,
      lifecycle: 'ready',
      chats: [entry],
      activeClients: [],
      inputNeeded: [{ kind: 'chatInput', id: 'r', chat: chatChannel, request }],
    })
  })

  it('of a list has its times, and those of a change', async () => {
    const client = await connect(version)
    const { state } = (await client.request('subscribe', { channel: 'ahp-root://' })).snapshot as { state: object }
    expect(state).toEqual({ agents: [] })
    await desk.clock.advance(1_000)
    const began = desk.clock.now() - 1_000
    const written = (at: number) => (hasChats ? new Date(at).toISOString() : at)
    const time = written(isFrom(version, '1.0.0') ? began : desk.clock.now())
    await desk.ask(request)
    await client.until(() => client.notifications.length > 0)
    expect(client.notifications).toEqual([
      {
        jsonrpc: '2.0',
        method: 'root/sessionSummaryChanged',
        params: {
          channel: 'ahp-root://',
          session: sessionChannel,
          changes: { title: 'Session', status: 24, modifiedAt: time },
        },
      },
    ])
    expect(await client.request('listSessions', { channel: 'ahp-root://' })).toEqual({
      items: [
        {
          resource: sessionChannel,
          provider: 'shop',
          title: 'Session',
          status: 24,
          createdAt: written(began),
          modifiedAt: time,
        },
      ],
    })
  })
})

describe('when a chat was modified', () => {
  async function modified(version: string): Promise<readonly string[]> {
    const client = await connect(version)
    for (const channel of [chatChannel, sessionChannel]) await client.subscribe(channel)
    const times: string[] = []
    const look = async () => {
      await client.ping()
      const { modifiedAt } = client.confirmed(chatChannel) as { modifiedAt: string }
      const { chats } = client.confirmed(sessionChannel) as { chats: { modifiedAt: string }[] }
      // Who watched, who comes later, and the list of chats say the same.
      expect(chats[0]?.modifiedAt).toBe(modifiedAt)
      expect((await client.subscribe(chatChannel)).modifiedAt).toBe(modifiedAt)
      times.push(modifiedAt)
    }
    const start = desk.clock.now()
    await look()
    for (const step of [
      () => desk.ask({ id: 'r', message: 'Sure?' }),
      () => desk.happen({ type: 'askEnded', ask: 'r', response: 'accept' }),
      () => desk.happen({ type: 'turnEnded', turn: 't1', state: 'complete' }),
      () => desk.happen({ type: 'turnStarted', turn: 't2', message: { text: 'go' } }),
      () => desk.happen({ type: 'truncated', turn: 't1' }),
    ]) {
      await desk.clock.advance(1_000)
      await step()
      await look()
    }
    return times.map(time => `+${Date.parse(time) - start}`)
  }

  it.each(['0.6.0', '0.8.3', '0.9.0'])('is in %s when it was touched at all', async version => {
    expect(await modified(version)).toEqual(['+0', '+1000', '+2000', '+3000', '+4000', '+5000'])
  })

  it.each(['1.0.0', '1.1.0'])('is in %s when a turn of it began or ended', async version => {
    expect(await modified(version)).toEqual(['+0', '+0', '+0', '+3000', '+4000', '+4000'])
  })
})

describe('a mark', () => {
  const isRead = { type: 'isReadChanged', isRead: true }

  it.each(['0.9.0', '1.0.0', '1.1.0'])('is the chat’s own in %s', async version => {
    const client = await connect(version)
    await client.subscribe(chatChannel)
    expect(await client.reasonFor(isRead)).toBeUndefined()
    expect(toldOn(client, chatChannel)).toEqual([{ type: 'chat/isReadChanged', isRead: true }])
    expect(client.confirmed(chatChannel)).toMatchObject({ status: 8 | 32 })
    expect(await client.subscribe(chatChannel)).toMatchObject({ status: 8 | 32 })
  })

  it.each(['0.6.0', '0.7.0', '0.8.3'])('is the session’s alone in %s, which has none for chats', async version => {
    const client = await connect(version)
    for (const channel of [chatChannel, sessionChannel]) await client.subscribe(channel)
    for (const mark of [isRead, { type: 'isArchivedChanged', isArchived: true }])
      expect(await client.reasonFor(mark)).toMatch(/not/)
    expect(await client.reasonFor({ ...isRead, type: 'session/isReadChanged' }, sessionChannel)).toBeUndefined()
    // What makes it unread to those who do not see why is not told in words that the version does not have.
    await desk.ask({ id: 'r', message: 'Sure?' }, { audience: { principals: ['bob'] } })
    await client.ping()
    const told = client.envelopes.filter(({ rejectionReason }) => rejectionReason === undefined)
    expect(told.map(({ channel, action }) => [channel, action.type])).toEqual([
      [sessionChannel, 'session/isReadChanged'],
    ])
    for (const channel of [chatChannel, sessionChannel])
      expect(client.confirmed(channel)).toEqual(await client.subscribe(channel))
    expect(client.confirmed(chatChannel)).toMatchObject({ status: 8 })
  })
})

describe('a number for each channel', () => {
  const subscriptions = [{ channel: 'ahp-session:/s', lastSeenServerSeq: 0 }]

  it.each(versions.map(({ version }) => version))(
    'when it comes back is for 1.x, and %s is held to that',
    async version => {
      const client = await connect(version)
      await client.subscribe(sessionChannel)
      client.drop()
      await client.dial()
      const params = { channel: 'ahp-root://', clientId: client.options.clientId, subscriptions }
      if (isFrom(version, '1.0.0'))
        expect(await client.request('reconnect', params)).toMatchObject({ channels: [{ channel: sessionChannel }] })
      else expect(await client.failure('reconnect', params)).toMatchObject({ code: -32602 })
    },
  )
})

describe('a turn that fails', () => {
  const fail = () => desk.happen({ type: 'turnEnded', turn: 't1', state: 'error', error: failure })

  it('has its error in 0.3 beside it', async () => {
    const client = await connect('0.3.0')
    await client.subscribe(sessionChannel)
    await fail()
    await client.ping()
    expect(toldOn(client, sessionChannel)).toEqual([{ type: 'session/error', turnId: 't1', error: failure }])
    expect((await client.subscribe(sessionChannel)).turns).toMatchObject([{ state: 'error', error: failure }])
  })

  it.each(['0.6.0', '0.7.0', '0.8.3'])('has its error in %s beside it, too', async version => {
    const client = await connect(version)
    await client.subscribe(chatChannel)
    await fail()
    await client.ping()
    expect(toldOn(client, chatChannel)).toEqual([{ type: 'chat/error', turnId: 't1', duration: 0, error: failure }])
    const [turn] = (await client.subscribe(chatChannel)).turns as object[]
    expect(turn).toMatchObject({ state: 'error', error: failure, responseParts: [] })
  })

  it.each(['0.9.0', '1.0.0', '1.1.0'])('has its error in %s as the last part of its response', async version => {
    await desk.ask({ id: 'r', message: 'Sure?' })
    const client = await connect(version)
    await client.subscribe(chatChannel)
    await fail()
    await client.ping()
    const part = { kind: 'error', error: failure }
    expect(toldOn(client, chatChannel)).toEqual([{ type: 'chat/error', turnId: 't1', duration: 0, part }])
    const [turn] = (await client.subscribe(chatChannel)).turns as object[]
    expect(turn).toMatchObject({ state: 'error', responseParts: [{ kind: 'inputRequest' }, part] })
    expect(turn).not.toHaveProperty('error')
  })
})

describe.each(chatVersions)('in %s', version => {
  it('the list of chats says that one waits, for as long as it does, to those who see what for', async () => {
    const [alice, bob] = [await connect(version, { as: 'alice' }), await connect(version, { as: 'bob' })]
    for (const client of [alice, bob]) await client.subscribe(sessionChannel)
    await desk.ask({ id: 'r', message: 'Sure?' }, { audience: { principals: ['alice'] } })
    await Promise.all([alice.ping(), bob.ping()])
    const modifiedAt = new Date(desk.clock.now()).toISOString()
    expect(toldOn(alice, sessionChannel)).toEqual([
      expect.objectContaining({ type: 'session/inputNeededSet' }),
      { type: 'session/chatUpdated', chat: chatChannel, changes: { status: 24, modifiedAt } },
    ])
    expect(toldOn(bob, sessionChannel)).toEqual([])
    const statusFor = async (client: LiveClient) => {
      const { chats } = (await client.subscribe(sessionChannel)) as { chats: { status: number }[] }
      return chats[0]?.status
    }
    expect([await statusFor(alice), await statusFor(bob)]).toEqual([24, 8])
    await alice.reasonFor({ type: 'inputCompleted', requestId: 'r', response: 'accept' })
    expect(toldOn(alice, sessionChannel).slice(-2)).toEqual([
      { type: 'session/inputNeededRemoved', id: 'r' },
      { type: 'session/chatUpdated', chat: chatChannel, changes: { status: 8, modifiedAt } },
    ])
  })

  it('what is waited for follows drafts', async () => {
    await desk.ask({ id: 'r', message: 'Sure?', questions: [question] })
    const client = await connect(version)
    await client.subscribe(sessionChannel)
    const answer = text('Because')
    await client.reasonFor({ type: 'inputAnswerChanged', requestId: 'r', questionId: 'why', answer })
    const request = { id: 'r', message: 'Sure?', questions: [question], answers: { why: answer } }
    expect(toldOn(client, sessionChannel)).toEqual([
      { type: 'session/inputNeededSet', request: { kind: 'chatInput', id: 'r', chat: chatChannel, request } },
    ])
  })

  it('a chat is removed before its session goes', async () => {
    const client = await connect(version)
    for (const channel of ['ahp-root://', sessionChannel]) await client.subscribe(channel)
    await desk.parts.actions.disposeSession({ principal: 'root', device: 'd', role: 'admin' }, 's')
    await client.ping()
    expect(toldOn(client, sessionChannel)).toEqual([{ type: 'session/chatRemoved', chat: chatChannel }])
    expect(client.notifications.map(({ method }) => method)).toContain('root/sessionRemoved')
  })

  it('turns are loaded by page, into the state of who asked for fewer', async () => {
    await desk.happen({ type: 'turnEnded', turn: 't1', state: 'complete' })
    for (let count = 2; count <= 60; count++) {
      await desk.happen({ type: 'turnStarted', turn: `t${count}`, message: { text: 'go' } })
      await desk.happen({ type: 'turnEnded', turn: `t${count}`, state: 'complete' })
    }
    const client = await connect(version)
    const all = (await client.subscribe(chatChannel)).turns as object[]
    expect(all).toHaveLength(60)
    client.notify('unsubscribe', { channel: chatChannel })
    const { snapshot } = await client.request('subscribe', { channel: chatChannel, view: { turns: 3 } })
    const { state } = snapshot as { state: { turns: object[]; turnsNextCursor: string } }
    expect(state.turns).toEqual(all.slice(-3))
    expect(await client.request('fetchTurns', { channel: chatChannel, cursor: state.turnsNextCursor })).toEqual({})
    const loaded = toldOn(client, chatChannel).at(-1) as { turnsNextCursor: string }
    expect(loaded).toMatchObject({ type: 'chat/turnsLoaded', turns: all.slice(7, 57) })
    await client.request('fetchTurns', { channel: chatChannel, cursor: loaded.turnsNextCursor })
    expect(toldOn(client, chatChannel).at(-1)).toEqual({ type: 'chat/turnsLoaded', turns: all.slice(0, 7) })
    expect(await client.request('fetchTurns', { channel: chatChannel })).toEqual({})
    for (const cursor of ['nonsense', 7, ''])
      expect(await client.failure('fetchTurns', { channel: chatChannel, cursor })).toMatchObject({ code: -32602 })
  })
})

it('in 0.3 turns are fetched by page', async () => {
  await desk.happen({ type: 'turnEnded', turn: 't1', state: 'complete' })
  await desk.happen({ type: 'turnStarted', turn: 't2', message: { text: 'go' } })
  await desk.happen({ type: 'turnEnded', turn: 't2', state: 'complete' })
  const client = await connect('0.3.0')
  const fetch = (params: object) => client.request('fetchTurns', { channel: sessionChannel, ...params })
  expect(await fetch({ limit: 1 })).toMatchObject({ turns: [{ id: 't2' }], hasMore: true })
  expect(await fetch({ before: 't2', limit: 1 })).toMatchObject({ turns: [{ id: 't1' }], hasMore: false })
  expect(await client.failure('fetchTurns', { channel: sessionChannel, before: 't9' })).toMatchObject({ code: -32602 })
  expect(await client.failure('fetchTurns', { channel: 'ahp-session:/no' })).toMatchObject({ code: -32001 })
})

it('whoever has the last turns alone gets the others before they are cut off, and a snapshot when they come back', async () => {
  await desk.happen({ type: 'turnEnded', turn: 't1', state: 'complete' })
  await desk.happen({ type: 'turnStarted', turn: 't2', message: { text: 'go' } })
  await desk.happen({ type: 'turnEnded', turn: 't2', state: 'complete' })
  const [one, other] = [await connect('1.0.0'), await connect('1.0.0')]
  for (const client of [one, other])
    await client.request('subscribe', { channel: chatChannel, view: { turns: 1 } }, ({ snapshot }) =>
      client.mirrors.set(chatChannel, {
        confirmed: (snapshot as { state: object }).state as never,
        seq: 0,
        pending: [],
      }),
    )
  other.drop()
  await desk.happen({ type: 'truncated', turn: 't1' })
  await one.ping()
  expect(toldOn(one, chatChannel)).toMatchObject([
    { type: 'chat/turnsLoaded', turns: [{ id: 't1' }, { id: 't2' }] },
    { type: 'chat/truncated', turnId: 't1' },
  ])
  expect(one.confirmed(chatChannel)?.turns).toMatchObject([{ id: 't1' }])
  expect(await other.reconnect()).toMatchObject({ type: 'snapshot' })
  expect(other.confirmed(chatChannel)?.turns).toMatchObject([{ id: 't1' }])
})

describe('what people are told', () => {
  const accept = { type: 'inputCompleted', requestId: 'r', response: 'accept' }

  it.each([
    ['de-AT', 'Diese Frage ist nicht mehr offen.'],
    ['en-GB', 'This request is no longer open.'],
    ['tlh', 'This request is no longer open.'],
    [undefined, 'This request is no longer open.'],
  ])('is in the language of the client, where there is one: %s', async (locale, expected) => {
    await desk.ask({ id: 'r', message: 'Sure?' })
    const client = await connect('1.0.0', locale === undefined ? {} : { locale })
    await client.subscribe()
    expect(await client.reasonFor(accept)).toBeUndefined()
    expect(await client.reasonFor(accept)).toBe(expected)
    // Also after it has come back.
    client.drop()
    await client.reconnect()
    expect(await client.reasonFor(accept)).toBe(expected)
  })
})
