// Frames as they are on the wire, of every version that is offered, against the tables of the specification.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { type Served, serveTurn, text } from '../../test/live-served.js'

let desk: Served
beforeEach(async () => {
  desk = await serveTurn()
})
afterEach(() => desk.close())

const sessionChannel = 'ahp-session:/s'
const chatChannel = 'ahp-chat:/s'
const failure = { errorType: 'E', message: 'broke' }
const question = { id: 'why', kind: 'text', message: 'Why?' } as const

async function connect(version: string, options: { as?: string; locale?: string } = {}): Promise<LiveClient> {
  const client = await desk.dial(version.startsWith('0.3') ? 'older' : 'latest', options)
  const { locale } = options
  await client.initialize({ protocolVersions: [version], ...(locale && { locale }) })
  return client
}

/** What was told on a channel, as it was sent. */
function toldOn(client: LiveClient, channel: string): object[] {
  return client.envelopes.filter(envelope => envelope.channel === channel).map(({ action }) => action)
}

const chatVersions = ['0.6.0', '0.7.0', '0.8.3', '0.9.0', '1.0.0', '1.1.0']

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
