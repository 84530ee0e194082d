import { type AskDesk, createServer, memoryStore } from 'beckon'
import { createTestClient, createTestClock } from 'beckon/test'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createParts, type DeskParts } from '../desk-parts.js'
import { encodeOlder } from '../dialects/states.js'
import type { Session } from '../model/session.js'
import { openSession } from './desk-session.js'
import { openOnDesk } from './open-ask.js'

const turn = async () => {
  for (let i = 0; i < 6; i++) await new Promise(resolve => setImmediate(resolve))
}

function setUp(identifiesPeople = false) {
  const clock = createTestClock()
  const parts = createParts({ clock })
  const desk: AskDesk = {
    open: (...asked) =>
      openOnDesk(parts.turns, asked, { linkTo: id => `https://desk.example/asks/${id}`, identifiesPeople }),
  }
  const server = createServer({ name: 'shop', version: '1.0.0', desk, clock })
  const made: Session[] = []
  parts.sessions.listen(({ event, after }) => {
    if (event.type === 'created' && after) made.push(after)
  })
  return { clock, parts, server, made }
}

/** The first open request of a session, as the older dialect has it. */
function requestIn(parts: DeskParts, session: Session | undefined) {
  const known = parts.sessions.known(session?.id ?? '')
  return known && encodeOlder(known).inputRequests?.[0]
}

it('opens nothing under an id that no address can have', async () => {
  const { clock, parts } = setUp()
  const where = { linkTo: (_: string, id: string) => encodeURIComponent(id), identifiesPeople: false }
  const about = { server: 'shop', call: 'c' }
  const opened = openOnDesk(
    parts.turns,
    [about, { id: '\ud800', message: 'Sure?' }, { expiresAt: clock.now() + 1 }],
    where,
  )
  await expect(opened).rejects.toMatchObject({ refusal: { code: 'request-invalid' } })
  expect(parts.sessions.known('call-c')).toBeUndefined()
})

it.each(['push', 'rounds'] as const)(
  'continues a call on %s when the same tool is called again, and delivers its result once',
  async wire => {
    const { clock, parts, server, made } = setUp()
    let runs = 0
    server.tool('order', { input: z.object({ n: z.number() }) }, async ({ n }, ctx) => {
      runs++
      const color = await ctx.elicit({ question: 'Which color?', schema: ['red', 'green'] })
      return ctx.text(`${n} ${color} ${await ctx.confirm('Sure?')}`)
    })
    server.tool('quiet', {}, async (_, ctx) => ctx.text('asks nothing'))
    const client = createTestClient(server, { wire, capabilities: {} })
    expect((await client.callTool('quiet')).content).toMatchObject([{ text: 'asks nothing' }])
    expect(made).toHaveLength(0)

    const first = client.callTool('order', { n: 1 })
    await turn()
    await clock.advance(20_000)
    const [{ text = '' } = {}] = (await first).content as { text?: string }[]
    expect(text).toContain('Which color?')
    expect(text).toContain('https://desk.example/asks/call-')
    const [session] = made
    expect(session).toMatchObject({ title: 'order', server: 'shop' })

    const answer = async (answers: object) => {
      const request = requestIn(parts, session)
      expect(request?._meta).toEqual({ 'beckon/tool': 'order', 'beckon/arguments': { n: 1 } })
      const action = { type: 'session/inputCompleted', requestId: request?.id, response: 'accept', answers }
      await parts.actions.dispatch(
        { principal: 'me', device: 'd' },
        { session: `${session?.id}`, on: 'session', dialect: '0.3', action },
      )
      await turn()
    }
    await answer({ value: { state: 'submitted', value: { kind: 'selected', value: 'green' } } })
    const second = client.callTool('order', { n: 1 })
    await turn()
    await answer({})
    expect((await second).content).toMatchObject([{ text: '1 green true' }])
    expect(runs).toBe(1)

    const anew = client.callTool('order', { n: 1 })
    await turn()
    expect(runs).toBe(2)
    await clock.advance(20_000)
    await anew
    await client.close()
    await server.close()
  },
)

it('asks again with what was typed and chosen, although it breaks a rule', async () => {
  const { parts, server, made } = setUp()
  const schema = z
    .object({ name: z.string(), colors: z.array(z.enum(['red', 'green'])) })
    .refine(({ name }) => name.length > 2, 'Longer, please.')
  server.tool('order', {}, async (_, ctx) => ctx.json(await ctx.elicit({ question: 'What?', schema })))
  const client = createTestClient(server, { wire: 'push', capabilities: {} })
  const called = client.callTool('order')
  await turn()
  const [session] = made
  const request = () => requestIn(parts, session)
  const answers = {
    name: { state: 'submitted', value: { kind: 'text', value: 'x' } },
    colors: { state: 'submitted', value: { kind: 'selected-many', value: ['green'] } },
  }
  const complete = (response: string) =>
    parts.actions.dispatch(
      { principal: 'me', device: 'd' },
      {
        session: `${session?.id}`,
        on: 'session',
        dialect: '0.3',
        action: { type: 'session/inputCompleted', requestId: request()?.id, response, answers },
      },
    )
  await complete('accept')
  await turn()
  expect(request()).toMatchObject({
    questions: [{ id: 'name', defaultValue: 'x' }, { id: 'colors' }],
    answers: { colors: { state: 'draft', value: { kind: 'selected-many', value: ['green'] } } },
  })
  await complete('decline')
  expect((await called).content).toMatchObject([{ text: 'null' }])
  await client.close()
  await server.close()
})

it('shows the asks of a principal to that principal alone, where the desk knows its people', async () => {
  const { parts, server, made } = setUp(true)
  server.tool('t', {}, async (_, ctx) => ctx.json(await ctx.confirm('Sure?')))
  const client = createTestClient(server, { wire: 'rounds', capabilities: {}, principal: 'alice' })
  const result = client.callTool('t')
  await turn()
  const [session] = made
  const request = requestIn(parts, session)
  const dispatch = (principal: string) =>
    parts.actions.dispatch(
      { principal, device: 'd' },
      {
        session: `${session?.id}`,
        on: 'session',
        dialect: '0.3',
        action: { type: 'session/inputCompleted', requestId: request?.id, response: 'accept' },
      },
    )
  expect(await dispatch('bob')).toMatchObject({ kind: 'refused' })
  expect(await dispatch('alice')).toMatchObject({ kind: 'accepted' })
  expect((await result).content).toMatchObject([{ text: 'true' }])
  await client.close()
  await server.close()
})

describe('an ask of a program', () => {
  const now = 0
  const asked = (message = 'Buy?', call = 'c', id = '1') =>
    [{ call, server: 'shop', tool: 'buy' }, { id, message }, { expiresAt: now + 60_000 }] as const

  function desk() {
    const clock = createTestClock()
    const parts = createParts({ clock })
    const open = (...of: Parameters<typeof asked>) => {
      const [subject, request] = asked(...of)
      const options = { expiresAt: clock.now() + 60_000 }
      return openOnDesk(parts.turns, [subject, request, options], { linkTo: id => id, identifiesPeople: false })
    }
    const answer = (id: string) =>
      parts.actions.dispatch(
        { principal: 'me', device: 'd' },
        {
          session: 'call-c',
          on: 'session',
          dialect: '0.3',
          action: { type: 'session/inputCompleted', requestId: id, response: 'accept' },
        },
      )
    return { parts, clock, open, answer, session: () => parts.sessions.known('call-c') }
  }

  it('is the same one when it is opened again, open or ended', async () => {
    const { open, answer, session } = desk()
    const first = await open()
    const again = await open()
    expect(session()?.open.size).toBe(1)
    await answer('c.1')
    expect(await first.outcome()).toMatchObject({ action: 'accept', by: [{ principal: 'me' }] })
    expect(await again.outcome()).toMatchObject({ action: 'accept', by: [{ principal: 'me' }] })
    expect(await (await open()).outcome()).toMatchObject({ action: 'accept', by: [{ principal: 'me' }] })
    expect(session()?.asks).toBe(1)
  })

  it('is refused where its id stands for something else', async () => {
    const { open, parts, clock, answer } = desk()
    await open()
    await answer('c.1')
    await expect(open('Sell?')).rejects.toMatchObject({ code: 'conflict' })
    const [subject, request] = asked()
    const options = { linkTo: (id: string) => id, identifiesPeople: true }
    const expiresAt = clock.now() + 60_000
    const others = [
      [{ ...subject, input: { amount: 1_000_000 } }, { expiresAt }],
      [{ ...subject, destructive: true }, { expiresAt }],
      [{ ...subject, principal: 'bob' }, { expiresAt }],
      [{ ...subject, server: 'bank' }, { expiresAt }],
      [subject, { expiresAt, policy: { quorum: 2 } }],
    ] as const
    for (const [about, terms] of others)
      await expect(openOnDesk(parts.turns, [about, request, terms], options)).rejects.toMatchObject({
        code: 'conflict',
      })
  })

  it('is not opened in a session that somebody made under the name of its call', async () => {
    const { open, parts } = desk()
    const mallory = { principal: 'mallory', device: 'd' }
    expect(await parts.actions.createSession(mallory, 'call-c')).toMatchObject({
      code: 'name-reserved',
      params: { prefix: 'call-' },
    })
    await openSession(parts.turns, { id: 'call-c', title: 'Mine', server: 'shop' })
    await expect(open()).rejects.toMatchObject({ code: 'conflict' })
  })

  it('is no answer to another question that a turn asks under its id', async () => {
    const { parts } = desk()
    const session = await openSession(parts.turns, { id: 's', title: 's', server: 'ci' })
    const first = await session.startTurn()
    const outcome = first.ask({ id: 'confirm', question: 'Deploy to staging?' })
    await turn()
    const action = { type: 'session/inputCompleted', requestId: 'confirm', response: 'accept' }
    await parts.actions.dispatch(
      { principal: 'me', device: 'd' },
      { session: 's', on: 'session', dialect: '0.3', action },
    )
    expect(await outcome).toMatchObject({ action: 'accept' })
    await first.complete()
    const second = await session.startTurn()
    await expect(second.ask({ id: 'confirm', question: 'Drop production?' })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('stays open when nobody waits for it any more', async () => {
    const { open, answer } = desk()
    const opened = await open()
    const stop = new AbortController()
    const given = opened.outcome(stop.signal)
    stop.abort(new Error('Enough.'))
    await expect(given).rejects.toThrow('Enough.')
    await answer('c.1')
    expect(await opened.outcome()).toMatchObject({ action: 'accept' })
  })

  it('has a turn for as long as one of its call is open, and the next begins another', async () => {
    const { open, answer, session } = desk()
    await Promise.all([open('A?', 'c', '1'), open('B?', 'c', '2')])
    await answer('c.1')
    expect(session()?.activeTurn).toBeDefined()
    await answer('c.2')
    expect(session()).toMatchObject({ turns: [{ state: 'complete' }] })
    expect(session()?.activeTurn).toBeUndefined()
    const third = await open('C?', 'c', '3')
    await third.withdraw()
    expect(session()).toMatchObject({ turns: [{ state: 'complete' }, { state: 'cancelled' }] })
    expect(await third.outcome()).toEqual({ action: 'cancel', why: 'withdrawn' })
  })

  it.each([
    ['1', '2'],
    ['null', '1e400'],
    ['-1e400', '1e400'],
  ])('is not the same about a limit of %s as about one of %s', async (first, second) => {
    const parts = createParts()
    const open = (input: string) => {
      const subject = { server: 'agent', tool: 'pay', call: 'run-1', input: JSON.parse(input), principal: 'rex' }
      const request = { id: 'approval-1', message: 'Let "pay" run?', approves: true }
      const terms = { expiresAt: Date.now() + 60_000 }
      return openOnDesk(parts.turns, [subject, request, terms], { linkTo: () => '', identifiesPeople: false })
    }
    await open(`{"limit":${first}}`).catch(() => {})
    await expect(open(`{"limit":${second}}`)).rejects.toMatchObject({ name: 'RefusedError' })
    await parts.close()
  })

  it('is written once, with its session and its turn', async () => {
    const store = memoryStore()
    const append = vi.spyOn(store, 'append')
    const parts = createParts({ store })
    await openOnDesk(parts.turns, asked(), { linkTo: id => id, identifiesPeople: false })
    expect(append.mock.calls.filter(([log]) => log.includes('/session/'))).toHaveLength(1)
    await parts.close()
  })
})
