// Every row of the protocol's validation table, and what the desk checks beyond it, over a real socket in every dialect.
import { dialects } from '@beckon/core/live'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { questions, type Served, serveTurn, startTurn, text } from '../../test/live-served.js'
import { encodeOlder } from '../dialects/states.js'
import type { Session } from '../model/session.js'

describe.each(dialects)('a client of the %s dialect', dialect => {
  let desk: Served
  let client: LiveClient
  let other: LiveClient

  beforeEach(async () => {
    desk = await serveTurn()
    await desk.ask({ id: 'r', message: 'Order', questions })
    client = await desk.connect(dialect, { as: 'alice' })
    other = await desk.connect(dialect, { as: 'bob' })
    await client.subscribe()
    await other.subscribe()
  })

  afterEach(() => desk.close())

  /** Rejected for its sender alone, with the last number, and nothing moves. */
  async function isRejected(action: { type: string } & Record<string, unknown>, reason: RegExp): Promise<void> {
    const before = client.confirmed()
    const shown = (session: Session | undefined) => session && encodeOlder(session)
    const session = await desk.read()
    const { lastSeen } = client
    const told = other.envelopes.length
    expect(await client.reasonFor(action)).toMatch(reason)
    expect(client.rejections.at(-1)).toMatchObject({
      channel: client.chatChannel,
      serverSeq: lastSeen,
      origin: { clientId: client.options.clientId },
      action: { ...action, type: `${client.prefix}/${action.type}` },
    })
    await other.ping()
    expect(other.envelopes).toHaveLength(told)
    expect(shown(await desk.read())).toEqual(shown(session))
    expect(client.confirmed()).toBe(before)
    expect(client.optimistic()).toEqual(before)
    expect(await client.subscribe()).toEqual(before)
  }

  const changed = (questionId: string, answer?: unknown) => ({
    type: 'inputAnswerChanged',
    requestId: 'r',
    questionId,
    ...(answer !== undefined && { answer }),
  })
  const completed = (response: unknown, answers?: unknown) => ({
    type: 'inputCompleted',
    requestId: 'r',
    response,
    ...(answers !== undefined && { answers }),
  })
  const submitted = (kind: string, value: unknown) => ({ state: 'submitted', value: { kind, value } })

  it.each([
    ['an unknown request', { ...changed('name', text('Ada')), requestId: 'nope' }, /no such ask/],
    ['a request that is no text', { ...changed('name', text('Ada')), requestId: 7 }, /no such ask/],
    ['a question that is not there', changed('nope', text('Ada')), /no such question/],
    ['a question of another name', changed('__proto__', text('Ada')), /no such question/],
    [
      'an answer without a state',
      changed('name', { value: { kind: 'text', value: 'Ada' } }),
      /draft, submitted or skipped/,
    ],
    ['an answer without its value', changed('name', { state: 'draft' }), /value must be/],
    ['a submitted answer without its value', changed('name', { state: 'submitted' }), /value must be/],
    ['an answer that is no object', changed('name', 'Ada'), /an object with a state/],
    ['a value of the wrong kind', changed('name', submitted('number', 7)), /kind must be "text"/],
    ['a number that was typed as text', changed('count', submitted('text', '3')), /kind must be "number"/],
    ['a value that is not of its kind', changed('name', submitted('text', 7)), /./],
    ['a number that is none', changed('price', submitted('number', 'NaN')), /./],
    ['a text that is too short', changed('name', submitted('text', 'A')), /./],
    ['a text that is too long', changed('name', submitted('text', 'A'.repeat(11))), /./],
    ['a text that is no address', changed('mail', submitted('text', 'nobody')), /./],
    ['a number out of bounds', changed('price', submitted('number', 11)), /./],
    ['a number that is not whole', changed('count', submitted('number', 1.5)), /./],
    ['an option that does not exist', changed('size', submitted('selected', 'xl')), /./],
    ['one option of several that does not exist', changed('tags', submitted('selected-many', ['a', 'x'])), /./],
    ['more options than may be', changed('tags', submitted('selected-many', ['a', 'b', 'c'])), /./],
    [
      'other words where there are none',
      changed('size', { state: 'submitted', value: { kind: 'selected', value: 's', freeformValues: ['huge'] } }),
      /other words/,
    ],
  ])('may not answer with %s', (_, action, reason) => isRejected(action, reason))

  it.each([
    ['an unknown request', { ...completed('accept'), requestId: 'nope' }, /no such ask/],
    ['a response that there is not', completed('yes'), /accept, decline or cancel/],
    ['a required answer missing', completed('accept'), /required/],
    ['a required answer only in draft', completed('accept', { name: text('Ada') }), /required/],
    ['a required answer skipped', completed('accept', { name: { state: 'skipped' } }), /required/],
    ['answers that are no object', completed('accept', 'Ada'), /object/],
    ['an answer to a question that is not there', completed('accept', { nope: text('Ada') }), /no such question/],
    ['an answer out of bounds', completed('accept', { name: submitted('text', 'A') }), /./],
    ['an answer of the wrong kind to a decline', completed('decline', { name: submitted('number', 7) }), /./],
  ])('may not complete with %s', (_, action, reason) => isRejected(action, reason))

  it('may not accept while a required answer of someone else is only a draft', async () => {
    expect(await other.reasonFor(changed('name', text('Ada')))).toBeUndefined()
    await client.ping()
    await isRejected(completed('accept'), /required/)
    expect(await other.reasonFor(changed('name', text('Ada', 'submitted')))).toBeUndefined()
    expect(await client.reasonFor(completed('accept'))).toBeUndefined()
  })

  it('may not replace what somebody submitted by a draft that would not be taken', async () => {
    expect(await other.reasonFor(changed('count', submitted('number', 3)))).toBeUndefined()
    await client.ping()
    for (const value of [1.5, 99])
      await isRejected(changed('count', { state: 'draft', value: { kind: 'number', value } }), /./)
    // A draft of one's own that is not yet good is a draft like any other.
    expect(
      await client.reasonFor(changed('price', { state: 'draft', value: { kind: 'number', value: 99 } })),
    ).toBeUndefined()
    expect(JSON.stringify(await client.subscribe())).toContain(
      '"count":{"state":"submitted","value":{"kind":"number","value":3}}',
    )
  })

  it('may not complete or answer what is complete', async () => {
    expect(await other.reasonFor(completed('decline'))).toBeUndefined()
    await client.ping()
    await isRejected(completed('accept', { name: text('Ada', 'submitted') }), /open/)
    await isRejected(completed('decline'), /open/)
    await isRejected(changed('name', text('Ada')), /open/)
  })

  it.each([
    ['only the desk can send', { type: 'inputRequested', request: { id: 'x' } }],
    ['end a turn well', { type: 'turnComplete', turnId: 't1' }],
    ['do not exist', { type: 'nonsense' }],
  ])('may not send actions that %s', (_, action) => isRejected(action, /cannot send/))

  it.each([
    ['start a turn while one goes on', { type: 'turnStarted', turnId: 't2', message: { text: 'go' } }, /in progress/],
    ['cancel another turn', { type: 'turnCancelled', turnId: 't2' }, /not in progress/],
    ['truncate at a turn that is not there', { type: 'truncated', turnId: 't2' }, /no such turn/],
  ])('may not %s', (_, action, reason) => isRejected(action, reason))

  it('may not send what is no action', async () => {
    for (const action of [null, 7, 'turnCancelled', [], {}]) {
      client.notify('dispatchAction', { channel: client.chatChannel, clientSeq: 1_000, action })
      await client.ping()
      expect(client.rejections.at(-1)).toMatchObject({
        origin: { clientSeq: 1_000 },
        rejectionReason: expect.stringMatching(/./),
      })
    }
  })

  it('cannot tell an ask that is for others from one that is not there', async () => {
    await desk.ask({ id: 'secret', message: 'Pay?' }, { audience: { principals: ['bob'] } })
    const reason = await client.reasonFor({ type: 'inputCompleted', requestId: 'secret', response: 'accept' })
    expect(reason).toBe(await client.reasonFor({ type: 'inputCompleted', requestId: 'nope', response: 'accept' }))
    expect(JSON.stringify([client.envelopes, await client.subscribe()])).not.toContain('Pay?')
    expect(await other.reasonFor({ type: 'inputCompleted', requestId: 'secret', response: 'accept' })).toBeUndefined()
    await client.ping()
    expect(
      client.envelopes.filter(({ action }) => action.requestId === 'secret' && action.response === undefined),
    ).toEqual([])
  })

  it('is told that an accept was recorded, and nothing moves until there are enough', async () => {
    await desk.ask({ id: 'two', message: 'Delete?' }, { quorum: 2 })
    await client.ping()
    const accept = { type: 'inputCompleted', requestId: 'two', response: 'accept' }
    await isRejected(accept, /recorded: 1 of 2 have/)
    await isRejected(accept, /recorded: 1 of 2 have/)
    expect(await other.reasonFor(accept)).toBeUndefined()
    await client.ping()
    expect(client.envelopes.at(-1)).toMatchObject({ action: { requestId: 'two', response: 'accept' } })
  })

  it('may do everything else that a client can', async () => {
    const valid: [string, unknown][] = [
      ['name', text('Ada', 'submitted')],
      ['mail', submitted('text', 'ada@example.org')],
      ['price', submitted('number', 9.5)],
      ['count', submitted('number', 5)],
      ['sure', submitted('boolean', false)],
      ['size', submitted('selected', 'l')],
      ['tags', submitted('selected-many', ['a', 'c'])],
      ['mail', { state: 'skipped' }],
      ['name', text('Bob')],
      ['name', text('A')],
      ['name', undefined],
    ]
    for (const [question, answer] of valid) {
      expect(await client.reasonFor(changed(question, answer))).toBeUndefined()
    }
    const answers = { name: text('Ada', 'submitted'), mail: submitted('text', 'ada@example.org') }
    expect(await client.reasonFor(completed('accept', answers))).toBeUndefined()
    expect(await client.reasonFor({ type: 'turnCancelled', turnId: 't1' })).toBeUndefined()
    const message = { text: 'again', origin: { kind: 'user' } }
    expect(await client.reasonFor({ type: 'turnStarted', turnId: 't2', message })).toBeUndefined()
    expect(await client.reasonFor({ type: 'truncated', turnId: 't1' })).toBeUndefined()
    await other.ping()
    for (const each of [client, other]) {
      expect(each.rejections).toEqual([])
      expect(each.confirmed()).toEqual(await each.subscribe())
      expect(each.confirmed()).toMatchObject({ turns: [{ id: 't1', state: 'cancelled' }] })
    }
  })
})

describe.each(dialects)('requests in the %s dialect', dialect => {
  let desk: Served
  let client: LiveClient

  beforeEach(async () => {
    desk = await serveTurn()
    client = await desk.connect(dialect)
    await client.subscribe()
  })

  afterEach(() => desk.close())

  const status = (): number => Number(dialect === '0.3' ? summary().status : state().status)
  const state = () => client.confirmed() as Record<string, unknown>
  const summary = () => state().summary as Record<string, unknown>
  /** The open requests, wherever the dialect has them. */
  const open = (): unknown[] => {
    if (dialect === '0.3') return (state().inputRequests ?? []) as unknown[]
    const { responseParts = [] } = (state().activeTurn ?? {}) as {
      responseParts?: { request: unknown; response?: string }[]
    }
    return responseParts.filter(({ response }) => response === undefined).map(({ request }) => request)
  }
  const draft = (answer?: unknown) => ({
    type: 'inputAnswerChanged',
    requestId: 'r',
    questionId: 'name',
    ...(answer !== undefined && { answer }),
  })
  const accept = { type: 'inputCompleted', requestId: 'r', response: 'accept' }

  /** Live and fresh subscribers have the same. */
  async function settle(): Promise<void> {
    await client.ping()
    const live = client.confirmed()
    expect(await client.subscribe()).toEqual(live)
  }

  it('appear, and need input', async () => {
    expect(status()).toBe(8)
    await desk.ask({ id: 'r', message: 'Name?', questions })
    await settle()
    expect(open()).toEqual([{ id: 'r', message: 'Name?', questions }])
    expect(status()).toBe(24)
    expect(client.envelopes[0]).not.toHaveProperty('origin')
  })

  it('make what was read unread', async () => {
    const channel = 'ahp-session:/s'
    if (dialect !== '0.3') await client.subscribe(channel)
    expect(await client.reasonFor({ type: 'session/isReadChanged', isRead: true }, channel)).toBeUndefined()
    await desk.ask({ id: 'r', message: 'Name?' })
    await settle()
    expect(status() & 32).toBe(0)
  })

  it('are asked once while they are open: who asks the same again waits for the same answer', async () => {
    const turn = (await desk.session('s')).activeTurn()
    const first = turn?.ask({ id: 'r', message: 'Name?', questions })
    await client.until(() => open().length === 1)
    await client.reasonFor(draft(text('Ada')))
    const told = client.envelopes.length
    await expect(turn?.ask({ id: 'r', message: 'Your name?', questions })).rejects.toThrow('asks something else')
    const second = turn?.ask({ id: 'r', message: 'Name?', questions })
    await desk.ask({ id: 'r2', message: 'Other?' })
    await settle()
    expect(client.envelopes.slice(told)).toMatchObject([{ action: { request: { id: 'r2' } } }])
    expect(open()).toMatchObject([{ id: 'r', message: 'Name?', answers: { name: text('Ada') } }, { id: 'r2' }])
    await client.reasonFor({ ...accept, response: 'decline' })
    expect(await Promise.all([first, second])).toEqual([
      { action: 'decline', by: [{ principal: 'alice' }] },
      { action: 'decline', by: [{ principal: 'alice' }] },
    ])
  })

  it('lose an answer that is cleared', async () => {
    await desk.ask({ id: 'r', message: 'Name?', questions })
    await client.reasonFor(draft(text('Ada')))
    expect(open()).toMatchObject([{ answers: { name: text('Ada') } }])
    await client.reasonFor(draft())
    await settle()
    expect(open()[0]).not.toHaveProperty('answers')
  })

  it('are over when they are completed, and others stay', async () => {
    await desk.ask({ id: 'r', message: 'One?' })
    await desk.ask({ id: 'r2', message: 'Two?' })
    await client.reasonFor(accept)
    expect(status()).toBe(24)
    expect(open()).toMatchObject([{ id: 'r2' }])
    await client.reasonFor({ ...accept, requestId: 'r2', response: 'cancel' })
    await settle()
    expect(status()).toBe(8)
    expect(state()).not.toHaveProperty('inputRequests')
  })

  it('are merged with the final answers', async () => {
    await desk.ask({ id: 'r', message: 'Name?', questions })
    await client.reasonFor({
      ...draft({ state: 'draft', value: { kind: 'boolean', value: true } }),
      questionId: 'sure',
    })
    await client.reasonFor({ ...accept, answers: { name: text('Ada', 'submitted') } })
    await settle()
    const [ended] = (await desk.read())?.ended ?? []
    expect(ended?.drafts).toMatchObject({ name: text('Ada', 'submitted'), sure: { state: 'draft' } })
  })

  it('count as new when they come again after their end', async () => {
    await desk.ask({ id: 'r', message: 'One?' })
    await client.reasonFor(accept)
    await desk.ask({ id: 'r', message: 'Again?' })
    await settle()
    expect(open()).toMatchObject([{ id: 'r', message: 'Again?' }])
    expect(await client.reasonFor(accept)).toBeUndefined()
  })

  it.each([
    ['completes', { type: 'turnEnded', turn: 't1', state: 'complete' }, 1],
    ['is cancelled', { type: 'turnEnded', turn: 't1', state: 'cancelled' }, 1],
    ['fails', { type: 'turnEnded', turn: 't1', state: 'error', error: { errorType: 'E', message: 'broke' } }, 2],
    ['is truncated', { type: 'truncated' }, 1],
  ] as const)('are abandoned when their turn %s', async (_, event, expected) => {
    await desk.ask({ id: 'r', message: 'Name?' })
    await desk.happen(event)
    await settle()
    expect(status()).toBe(expected)
    expect(open()).toEqual([])
    expect(await client.reasonFor(accept)).toMatch(event.type === 'truncated' ? /no such ask/ : /no longer open/)
    if (dialect !== '0.3' && event.type !== 'truncated') {
      const [{ responseParts } = {}] = state().turns as unknown as { responseParts?: object[] }[]
      expect(responseParts?.[0]).toMatchObject({ kind: 'inputRequest', request: { id: 'r' } })
    }
  })

  it.each(['complete', 'cancelled'] as const)('stay when another turn is %s', async state => {
    await desk.ask({ id: 'r', message: 'Name?' })
    await desk.happen({ type: 'turnEnded', turn: 'other', state })
    await settle()
    expect(open()).toMatchObject([{ id: 'r' }])
    expect(status()).toBe(24)
  })

  it('go with the turns after the one that is kept', async () => {
    await desk.happen({ type: 'turnEnded', turn: 't1', state: 'complete' })
    await startTurn(desk, 't2')
    await desk.ask({ id: 'r', message: 'Name?' })
    expect(await client.reasonFor({ type: 'truncated', turnId: 't1' })).toBeUndefined()
    await settle()
    expect(open()).toEqual([])
    expect(status()).toBe(1)
    expect(state().turns).toMatchObject([{ id: 't1' }])
  })

  if (dialect !== '0.3') {
    it('are mirrored on the session', async () => {
      const channel = 'ahp-session:/s'
      await client.subscribe(channel)
      await desk.ask({ id: 'r', message: 'Name?' })
      await client.ping()
      expect(client.confirmed(channel)).toMatchObject({
        status: 24,
        inputNeeded: [{ kind: 'chatInput', id: 'r', chat: 'ahp-chat:/s', request: { id: 'r', message: 'Name?' } }],
      })
      await client.reasonFor(accept)
      expect(client.confirmed(channel)).toMatchObject({ status: 8 })
      expect(client.confirmed(channel)).not.toHaveProperty('inputNeeded')
      const live = client.confirmed(channel)
      expect(await client.subscribe(channel)).toEqual(live)
    })

    it('can be answered without a subscription to the chat', async () => {
      client.notify('unsubscribe', { channel: client.chatChannel })
      await desk.ask({ id: 'r', message: 'Name?' })
      expect(await client.reasonFor(accept)).toBeUndefined()
      expect((await desk.read())?.ended).toMatchObject([{ id: 'r', ending: { response: 'accept' } }])
    })
  }
})
