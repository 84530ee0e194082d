// What a client that nobody here wrote may count on, through the public interface and the address that a program is given.
import type { Question } from '@beckon/core'
import { dialects, dialectTraits } from '@beckon/core/live'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LiveClient } from '../../test/live-client.js'
import { createDesk, type Desk } from '../create-desk.js'
import type { DeskSession } from '../turns/desk-session.js'

const options = [
  { id: 's', label: 'Small' },
  { id: 'l', label: 'Large', description: 'Twice as much', recommended: true },
]
/** One of every kind. */
const questions: Question[] = [
  {
    id: 'name',
    title: 'Name',
    message: 'Your name?',
    required: true,
    kind: 'text',
    min: 2,
    max: 9,
    defaultValue: 'Ada',
  },
  { id: 'price', message: 'Price?', kind: 'number', min: 0, max: 1 },
  { id: 'count', message: 'Count?', kind: 'integer', defaultValue: 3 },
  { id: 'sure', message: 'Sure?', kind: 'boolean' },
  { id: 'size', message: 'Size?', kind: 'single-select', options, allowFreeformInput: true },
  { id: 'tags', message: 'Tags?', kind: 'multi-select', options, allowFreeformInput: true, min: 1 },
  { id: 'note', message: 'A note?', kind: 'text' },
]
const submitted = (kind: string, value: unknown, freeformValues?: string[]) => ({
  state: 'submitted',
  value: { kind, value, ...(freeformValues && { freeformValues }) },
})
const draft = (kind: string, value: unknown) => ({ state: 'draft', value: { kind, value } })

describe.each(dialects)('a client of the %s dialect', dialect => {
  const { hasChats, hasChatMarks } = dialectTraits[dialect]
  let clock: TestClock
  let desk: Desk
  let session: DeskSession
  let client: LiveClient
  let other: LiveClient
  let channel: string
  const clients: LiveClient[] = []

  async function connect(url: string): Promise<LiveClient> {
    const one = new LiveClient({ url, dialect, clientId: `c${clients.length}`, now: () => clock.now() })
    clients.push(one)
    await one.dial()
    return one
  }

  beforeEach(async () => {
    clock = createTestClock()
    desk = createDesk({ clock })
    const { socketUrl } = await desk.listen()
    session = await desk.session('s', { title: 'Orders', server: 'shop' })
    client = await connect(socketUrl)
    other = await connect(socketUrl)
    await client.initialize()
    await other.initialize()
    channel = client.chatChannel
    await client.subscribe(channel)
    await other.subscribe(channel)
  })

  afterEach(async () => {
    for (const one of clients.splice(0)) one.drop()
    await desk.close()
  })

  const state = (of = client) => of.confirmed(channel) as Record<string, never>
  const status = (of = client): unknown => {
    const { summary, status: flat } = state(of) as { summary?: { status: number }; status?: number }
    return summary?.status ?? flat
  }
  const told = (type: string) => client.until(() => client.envelopes.some(({ action }) => action.type.endsWith(type)))
  const change = (questionId: string, answer?: unknown) => ({
    type: 'inputAnswerChanged',
    requestId: 'order',
    questionId,
    ...(answer !== undefined && { answer }),
  })
  const complete = (response: string, more: object = {}) => ({
    type: 'inputCompleted',
    requestId: 'order',
    response,
    ...more,
  })
  /** As everyone sees it now. */
  const requests = (of = client): Record<string, unknown>[] => {
    if (dialect === '0.3') return (state(of).inputRequests ?? []) as Record<string, unknown>[]
    const { responseParts = [] } = (state(of).activeTurn ?? {}) as { responseParts?: { request: never }[] }
    return responseParts.map(({ request }) => request)
  }

  it('gets a request as it was put, with keys that nobody knows', async () => {
    const turn = await session.startTurn()
    const request = { id: 'order', message: 'Order', questions, 'x-priority': 7, _meta: { why: ['a', { b: null }] } }
    const outcome = turn.ask(request)
    await told('inputRequested')
    expect(requests()).toEqual([request])
    await turn.complete()
    expect(await outcome).toEqual({ action: 'cancel', why: 'withdrawn' })
  })

  it('answers every kind of question, together with others, and the asker gets what was submitted', async () => {
    const outcome = (await session.startTurn()).ask({ id: 'order', message: 'Order', questions })
    await told('inputRequested')
    expect(await client.reasonFor(change('name', submitted('text', 'Eve')))).toBeUndefined()
    expect(await other.reasonFor(change('price', submitted('number', 0.5)))).toBeUndefined()
    expect(await client.reasonFor(change('count', submitted('number', 4)))).toBeUndefined()
    expect(await other.reasonFor(change('sure', draft('boolean', true)))).toBeUndefined()
    expect(await other.reasonFor(change('note', submitted('text', 'Soon')))).toBeUndefined()
    await client.ping()
    expect(requests()[0]?.answers).toEqual({
      name: submitted('text', 'Eve'),
      price: submitted('number', 0.5),
      count: submitted('number', 4),
      sure: draft('boolean', true),
      note: submitted('text', 'Soon'),
    })
    const answers = {
      name: submitted('text', 'Ada'),
      size: submitted('selected', 's', ['Huge']),
      tags: submitted('selected-many', ['l'], ['odd', 'blue']),
      note: { state: 'skipped' },
    }
    expect(await client.reasonFor(complete('accept', { answers }))).toBeUndefined()
    expect(await outcome).toEqual({
      action: 'accept',
      content: { name: 'Ada', price: 0.5, count: 4, size: 'Huge', tags: ['l', 'odd', 'blue'] },
      by: [{ principal: 'local' }],
    })
  })

  it.each([
    ['yes or no', { message: 'Sure?' }],
    ['a page', { message: 'Look', url: 'https://example.com/plan' }],
  ])('answers what has no questions: %s', async (_what, request) => {
    const turn = await session.startTurn()
    for (const [response, action] of [
      ['accept', { action: 'accept', content: {} }],
      ['decline', { action: 'decline', reason: 'No.' }],
      ['cancel', { action: 'cancel' }],
    ] as const) {
      const outcome = turn.ask({ ...request, id: response })
      await client.until(() => requests().some(({ id }) => id === response))
      const more = response === 'decline' ? { reason: 'No.' } : {}
      expect(await client.reasonFor({ ...complete(response, more), requestId: response })).toBeUndefined()
      expect(await outcome).toEqual({ ...action, by: [{ principal: 'local' }] })
    }
  })

  it('is told by nobody that an ask was withdrawn, and may draft it no more', async () => {
    const withdrawal = new AbortController()
    const outcome = (await session.startTurn()).ask(
      { id: 'order', message: 'Order', questions },
      { signal: withdrawal.signal },
    )
    await told('inputRequested')
    withdrawal.abort()
    expect(await outcome).toEqual({ action: 'cancel', why: 'withdrawn' })
    await told('inputCompleted')
    const last = client.envelopes.at(-1)
    expect(last).toMatchObject({ channel, action: { requestId: 'order', response: 'cancel' } })
    expect(last).not.toHaveProperty('origin')
    expect(await client.reasonFor(change('name', draft('text', 'Ada')))).toMatch(/open/)
  })

  it('starts and cancels turns, one at a time, and is told so alone', async () => {
    const start = (turnId: string) => ({
      type: 'turnStarted',
      turnId,
      message: { text: 'Go', origin: { kind: 'user' }, attachments: [] },
    })
    expect(await client.reasonFor(start('t1'))).toBeUndefined()
    expect(status()).toBe(8)
    await other.ping()
    const before = other.envelopes.length
    const { serverSeq } = client.envelopes.at(-1) ?? {}
    expect(await client.reasonFor(start('t2'))).toMatch(/in progress/)
    expect(client.envelopes.at(-1)).toMatchObject({ serverSeq, origin: { clientId: 'c0', clientSeq: 2 } })
    await other.ping()
    expect(other.envelopes).toHaveLength(before)
    await clock.advance(1_500)
    expect(await other.reasonFor({ type: 'turnCancelled', turnId: 't1' })).toBeUndefined()
    await client.ping()
    const message = { text: 'Go', origin: { kind: 'user' }, attachments: [] }
    const turn = { id: 't1', message, responseParts: [], state: 'cancelled' }
    const timed = { startedAt: new Date(clock.now() - 1_500).toISOString(), duration: 1_500 }
    expect(state().turns).toEqual([dialect === '0.3' ? turn : { ...turn, ...timed }])
    expect(await client.reasonFor(start('t1'))).toMatch(/already/)
  })

  it.runIf(hasChatMarks || !hasChats)('keeps its marks beside what the session does', async () => {
    const marks = dialect === '0.3' ? 'session' : 'chat'
    for (const type of ['isReadChanged', 'isArchivedChanged']) {
      const mark = { type: `${marks}/${type}`, [type.replace('Changed', '')]: true }
      expect(await client.reasonFor(mark, channel)).toBeUndefined()
    }
    expect(status()).toBe(1 | 32 | 64)
    const turn = await session.startTurn()
    await told('turnStarted')
    expect(status()).toBe(8 | 64)
    expect(await client.reasonFor({ type: `${marks}/isReadChanged`, isRead: true }, channel)).toBeUndefined()
    const outcome = turn.ask({ id: 'order', message: 'Sure?' })
    await told('inputRequested')
    expect(status()).toBe(24 | 64)
    expect(await client.reasonFor({ type: `${marks}/isReadChanged`, isRead: true }, channel)).toBeUndefined()
    expect(await client.reasonFor(complete('accept'))).toBeUndefined()
    await outcome
    expect(status()).toBe(8 | 32 | 64)
    await turn.fail(new Error('It broke.'))
    await told('error')
    expect(status()).toBe(2 | 32 | 64)
    const fresh = await client.subscribe(channel)
    expect(fresh).toEqual(state())
  })

  it('hears of a channel once however often it subscribes, and no more once it has left', async () => {
    await client.subscribe(channel)
    await client.subscribe(channel)
    const turn = await session.startTurn()
    await told('turnStarted')
    expect(client.envelopes).toHaveLength(1)
    expect(await client.request('unsubscribe', { channel })).toBeNull()
    await turn.complete()
    await other.until(() => other.envelopes.length === 2)
    await client.ping()
    expect(client.envelopes).toHaveLength(1)
    client.notify('unsubscribe', { channel: 'ahp-session:/nowhere' })
    await client.ping()
  })

  it('gets back in order what it missed, on its channels alone, and is told which are gone', async () => {
    const root = 'ahp-root://'
    await desk.session('gone')
    await desk.session('kept')
    await client.subscribe(root)
    await client.subscribe('ahp-session:/gone')
    const from = client.lastSeen
    client.drop()
    const turn = await session.startTurn()
    const outcome = turn.ask({ id: 'order', message: 'Order', questions })
    await other.until(() => other.envelopes.length === 2)
    expect(await other.request('disposeSession', { channel: 'ahp-session:/gone' })).toBeNull()
    await other.reasonFor({ type: 'session/titleChanged', title: 'Kept' }, 'ahp-session:/kept')
    await other.reasonFor(change('name', draft('text', 'Ada')))
    await other.reasonFor(complete('decline'))
    await outcome
    const { type, actions, missing } = await client.reconnect()
    expect({ type, missing }).toEqual({ type: 'replay', missing: ['ahp-session:/gone'] })
    const replayed = actions as { channel: string; action: { type: string }; serverSeq: number }[]
    expect(replayed.map(one => [one.channel, one.action.type.replace(/.*\//, '')])).toEqual([
      [channel, 'turnStarted'],
      [channel, 'inputRequested'],
      [channel, 'inputAnswerChanged'],
      [channel, 'inputCompleted'],
    ])
    const numbers = replayed.map(({ serverSeq }) => serverSeq)
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    expect(numbers[0]).toBeGreaterThan(from)
    // What lists are told is not told again.
    expect(client.notifications).toEqual([])
    expect(state()).toEqual(state(other))
    expect(client.confirmed(root)).toEqual({ agents: [] })
  })

  it('is told times as its dialect has them', async () => {
    const { items } = (await client.request('listSessions', { channel: 'ahp-root://' })) as { items: object[] }
    const now = clock.now()
    const time = dialect === '0.3' ? now : new Date(now).toISOString()
    const summary = { resource: 'ahp-session:/s', provider: 'shop', title: 'Orders', status: 1 }
    expect(items).toEqual([{ ...summary, createdAt: time, modifiedAt: time }])
    expect(state()).toEqual(
      dialect === '0.3'
        ? { summary: { ...summary, createdAt: now, modifiedAt: now }, lifecycle: 'ready', turns: [] }
        : { resource: channel, title: 'Orders', status: 1, modifiedAt: time, turns: [] },
    )
  })
})
