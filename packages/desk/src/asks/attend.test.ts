import { type AskDesk, createServer } from 'beckon'
import { createTestClient, createTestClock } from 'beckon/test'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { openParts } from '../desk-parts.js'
import { attend } from './attend.js'

const turn = async () => {
  for (let i = 0; i < 6; i++) await new Promise(resolve => setImmediate(resolve))
}

async function setUp(tellsApart = false) {
  const clock = createTestClock()
  const parts = await openParts({ clock })
  const desk: AskDesk = {
    attend: call =>
      attend(call, {
        session: parts.session,
        linkTo: id => `https://desk.example/#${id}`,
        tellsApart,
        now: () => clock.now(),
      }),
  }
  const server = createServer({ name: 'shop', version: '1.0.0', desk, clock })
  return { clock, parts, server }
}

it.each(['push', 'rounds'] as const)(
  'continues a call on %s when the same tool is called again, and delivers its result once',
  async wire => {
    const { clock, parts, server } = await setUp()
    let runs = 0
    server.tool('order', { input: z.object({ n: z.number() }) }, async ({ n }, ctx) => {
      runs++
      const color = await ctx.elicit({ question: 'Which color?', schema: ['red', 'green'] })
      return ctx.text(`${n} ${color} ${await ctx.confirm('Sure?')}`)
    })
    server.tool('quiet', {}, async (_, ctx) => ctx.text('asks nothing'))
    const client = createTestClient(server, { wire, capabilities: {} })
    expect((await client.callTool('quiet')).content).toMatchObject([{ text: 'asks nothing' }])
    expect([...parts.order.state.sessions()]).toHaveLength(0)

    const first = client.callTool('order', { n: 1 })
    await turn()
    await clock.advance(20_000)
    const [{ text = '' } = {}] = (await first).content as { text?: string }[]
    expect(text).toContain('Which color?')
    expect(text).toContain('https://desk.example/#call-')
    const [session] = [...parts.order.state.sessions()]
    expect(session).toMatchObject({ title: 'order', server: 'shop' })

    const answer = async (answers: object) => {
      const request = parts.order.state.session(`${session?.id}`)?.older.inputRequests?.[0]
      expect(request?._meta).toEqual({ 'beckon/tool': 'order', 'beckon/arguments': { n: 1 } })
      const action = { type: 'session/inputCompleted', requestId: request?.id, response: 'accept', answers }
      await parts.gate.dispatch(
        { principal: 'me', device: 'd' },
        { session: `${session?.id}`, on: 'session', dialect: 'older', action },
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
  const { parts, server } = await setUp()
  const schema = z
    .object({ name: z.string(), colors: z.array(z.enum(['red', 'green'])) })
    .refine(({ name }) => name.length > 2, 'Longer, please.')
  server.tool('order', {}, async (_, ctx) => ctx.json(await ctx.elicit({ question: 'What?', schema })))
  const client = createTestClient(server, { wire: 'push', capabilities: {} })
  const called = client.callTool('order')
  await turn()
  const [session] = [...parts.order.state.sessions()]
  const request = () => parts.order.state.session(`${session?.id}`)?.older.inputRequests?.[0]
  const answers = {
    name: { state: 'submitted', value: { kind: 'text', value: 'x' } },
    colors: { state: 'submitted', value: { kind: 'selected-many', value: ['green'] } },
  }
  const complete = (response: string) =>
    parts.gate.dispatch(
      { principal: 'me', device: 'd' },
      {
        session: `${session?.id}`,
        on: 'session',
        dialect: 'older',
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

it('shows the asks of a principal to that principal alone, where people are told apart', async () => {
  const { parts, server, clock } = await setUp(true)
  server.tool('t', {}, async (_, ctx) => ctx.json(await ctx.confirm('Sure?')))
  const client = createTestClient(server, { wire: 'rounds', capabilities: {}, principal: 'alice' })
  const result = client.callTool('t')
  await turn()
  const [session] = [...parts.order.state.sessions()]
  const request = session?.older.inputRequests?.[0]
  const dispatch = (principal: string) =>
    parts.gate.dispatch(
      { principal, device: 'd' },
      {
        session: `${session?.id}`,
        on: 'session',
        dialect: 'older',
        action: { type: 'session/inputCompleted', requestId: request?.id, response: 'accept' },
      },
    )
  expect(await dispatch('bob')).toMatchObject({ kind: 'refused' })
  expect(await dispatch('alice')).toMatchObject({ kind: 'accepted' })
  expect((await result).content).toMatchObject([{ text: 'true' }])
  void clock
})
