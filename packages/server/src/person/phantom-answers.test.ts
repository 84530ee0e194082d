// Clients that answer by themselves, on every wire: what they say does not count where something can be destroyed.
import { afterEach, describe, expect, it } from 'vitest'
import {
  type BeckonServer,
  createServer,
  knownClients,
  type PersonRule,
  type ServerOptions,
  type ToolConfig,
} from '../index.js'
import {
  createTestClient,
  createTestClock,
  createTestDesk,
  type TestAnswer,
  type TestClient,
  type TestClientOptions,
  type TestWire,
} from '../test/index.js'
import '../test/vitest.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const guarded: ToolConfig = { annotations: { destructive: true }, task: 'optional' }

function serverWith(options: Partial<ServerOptions> = {}, config: ToolConfig = guarded): BeckonServer {
  const server = createServer({ name: 's', version: '1', ...options })
  server.tool('drop', config, async (_input, ctx) => ctx.json(await ctx.confirm.outcome('Drop it?')))
  server.tool('fill', config, async (_input, ctx) =>
    ctx.json({
      value: await ctx.elicit({ question: 'Which?', schema: String, key: 'which' }),
      form: await ctx.elicit.form('Which one?', { type: 'object', properties: {} }),
      page: await ctx.elicit.url('Read', 'https://a.example'),
    }),
  )
  server.tool('both', config, async (_input, ctx) => `${await ctx.confirm('First?')} ${await ctx.confirm('Second?')}`)
  closing.push(() => server.close())
  return server
}

/** A client whose answers come after so many milliseconds each, by turns. */
function connect(
  server: BeckonServer,
  answer: TestAnswer,
  delays: readonly number[],
  options: TestClientOptions = {},
): TestClient {
  const clock = createTestClock()
  let asked = 0
  const client = createTestClient(server, {
    clock,
    answersItself: true,
    ...options,
    answer: async () => {
      await clock.advance(delays[Math.min(asked++, delays.length - 1)] ?? 0)
      return answer
    },
  })
  closing.push(() => client.close())
  return client
}

async function until<T>(found: () => T | undefined | false): Promise<T> {
  for (;;) {
    const is = found()
    if (is) return is
    await new Promise(resolve => setImmediate(resolve))
  }
}

const told = 'answered by the client itself'

describe.each<TestWire>(['push', 'rounds', 'tasks'])('a client that answers by itself on %s', wire => {
  it.each(['accept', 'decline', 'cancel'])('is not believed when it says %s', async action => {
    const client = connect(serverWith(), action, [20], { wire })
    const { structuredContent, content } = await client.callTool('drop')
    expect(structuredContent).toEqual({ action: 'cancel', why: 'no-person' })
    expect(JSON.stringify(content)).toContain(told)
    expect(client).toHaveAskedTimes(1)
  })

  it('gives null for a form, and cancels what tells the two apart', async () => {
    const client = connect(serverWith(), { value: 'x' }, [20], { wire })
    const { structuredContent } = await client.callTool('fill')
    expect(structuredContent).toEqual({
      value: null,
      form: { action: 'cancel', why: 'no-person', content: {} },
      page: { action: 'cancel', why: 'no-person' },
    })
  })

  it.each(['accept', 'decline'])('has its %s pass, and the person at the desk is asked', async action => {
    const desk = createTestDesk()
    const client = connect(serverWith({ desk, wait: 'hold' }), action, [20], { wire, principal: 'ann' })
    const result = client.callTool('drop')
    const ann = desk.person('ann')
    await until(() => ann.asks().length === 1)
    await ann.answer('Drop it?', { action: 'decline', reason: 'It is the wrong one.' })
    const { structuredContent, content } = await result
    expect(structuredContent).toEqual({
      action: 'decline',
      reason: 'It is the wrong one.',
      by: [{ principal: 'ann' }],
    })
    expect(JSON.stringify(content)).not.toContain(told)
    expect([client.asked.length, desk.asked.length]).toEqual([1, 1])
  })

  it('is believed where nothing can be destroyed, where any answer counts, and where it is let be', async () => {
    const any: [Partial<ServerOptions>, ToolConfig][] = [
      [{}, { task: 'optional' }],
      [{ person: { floorMs: 500 } }, { task: 'optional' }],
      [{ person: 'unchecked' }, guarded],
      [{ person: 'present' }, { ...guarded, person: 'unchecked' }],
      [{}, { ...guarded, person: { floorMs: 20 } }],
      [{ person: { floorMs: 20 } }, guarded],
    ]
    for (const [options, config] of any) {
      const client = connect(serverWith(options, config), 'accept', [20], { wire })
      expect((await client.callTool('drop')).structuredContent, JSON.stringify([options, config])).toEqual({
        action: 'accept',
      })
    }
  })

  it('is not believed wherever a person is wanted', async () => {
    const any: [Partial<ServerOptions>, ToolConfig][] = [
      [{ person: 'present' }, { task: 'optional' }],
      [{}, { task: 'optional', person: 'present' }],
      [{}, { task: 'optional', annotations: { requiresConfirmation: true } }],
      [{ person: 'unchecked' }, { ...guarded, person: 'present' }],
      [{}, { task: 'optional', person: { floorMs: 21 } }],
      [{ person: { floorMs: 5_000 } }, guarded],
    ]
    for (const [options, config] of any) {
      const client = connect(serverWith(options, config), 'accept', [20], { wire })
      const { structuredContent } = await client.callTool('drop')
      expect(structuredContent, JSON.stringify([options, config])).toEqual({ action: 'cancel', why: 'no-person' })
    }
  })

  it('is checked as the ask itself says', async () => {
    const server = createServer({ name: 's', version: '1' })
    server.tool('ask', { task: 'optional' }, async (_input, ctx) => {
      const asks: (PersonRule | undefined)[] = ['present', 'unchecked', { floorMs: 30 }, { floorMs: 10 }, undefined]
      const outcomes: string[] = []
      for (const person of asks)
        outcomes.push((await ctx.confirm.outcome({ question: 'Go on?', ...(person && { person }) })).action)
      return outcomes.join(' ')
    })
    closing.push(() => server.close())
    const client = connect(server, 'accept', [20], { wire })
    expect((await client.callTool('ask')).content[0]?.text).toBe('cancel accept cancel accept accept')
  })

  it('counts as a person with 400 ms on a word, and stays one for the rest of the call', async () => {
    const slow = connect(serverWith(), true, [400, 1], { wire })
    expect(await slow.callTool('both')).toHaveText('true true')
    const fast = connect(serverWith(), true, [1, 400], { wire })
    expect((await fast.callTool('both')).content[0]?.text).toBe('false true')
  })

  it('is a person in a test that does not say otherwise', async () => {
    const client = connect(serverWith(), true, [0], { wire, answersItself: false })
    expect(await client.callTool('both')).toHaveText('true true')
  })

  it('is not asked at all where it is known for that', async () => {
    const quirks = [{ client: 'robot', answersItself: true }] as const
    const client = connect(serverWith({ quirks }), 'accept', [5_000], { wire, client: { name: 'robot', version: '1' } })
    const { structuredContent, content } = await client.callTool('drop')
    expect(structuredContent).toEqual({ action: 'cancel', why: 'no-person' })
    expect(JSON.stringify(content)).toContain(told)
    expect(client).toHaveAskedTimes(0)
    const unchecked = serverWith({ quirks, person: 'unchecked' })
    const again = connect(unchecked, 'accept', [0], { wire, client: { name: 'robot', version: '1' } })
    expect((await again.callTool('drop')).structuredContent).toEqual({ action: 'accept' })
  })
})

it.each(knownClients)('does not ask $client where a person has to be there, by default', async ({ client: known }) => {
  const name = String(known)
  const client = connect(serverWith(), 'accept', [5_000], { client: { name, version: '1' } })
  expect((await client.callTool('drop')).structuredContent).toEqual({ action: 'cancel', why: 'no-person' })
  expect(client).toHaveAskedTimes(0)
})

it('has a model relay nothing that a person is wanted for', async () => {
  const server = createServer({ name: 's', version: '1', fallback: 'relay' })
  server.tool('ask', {}, async (_input, ctx) =>
    ctx.json(await ctx.confirm.outcome({ question: 'Go on?', fallback: 'relay', person: 'present' })),
  )
  closing.push(() => server.close())
  const client = connect(server, 'accept', [0], { capabilities: {} })
  expect((await client.callTool('ask')).structuredContent).toEqual({ action: 'cancel', why: 'no-person' })
})

it('takes no answer that came before the question where a person is wanted', async () => {
  const server = createServer({ name: 's', version: '1' })
  server.tool('ask', {}, async (_input, ctx) =>
    String(await ctx.elicit({ question: 'Which?', schema: String, key: 'which', person: 'present' })),
  )
  closing.push(() => server.close())
  const client = connect(server, 'decline', [5_000], {})
  const inputResponses = { which: { action: 'accept', content: { value: 'mine' } } }
  const result = await client.request('tools/call', { name: 'ask', arguments: {}, inputResponses })
  expect(result).toMatchObject({ resultType: 'input_required' })
})

it('says in the list that a person has to be asked, unless the author says otherwise', async () => {
  const server = serverWith()
  server.tool('confirmed', { annotations: { requiresConfirmation: true } }, () => 'x')
  server.tool('mine', { ...guarded, _meta: { 'anthropic/requiresUserInteraction': false } }, () => 'x')
  server.tool('any', { ...guarded, person: 'unchecked' }, () => 'x')
  server.tool('plain', {}, () => 'x')
  const client = connect(server, true, [0])
  const listed = Object.fromEntries(
    (await client.listTools()).map(({ name, _meta }) => [name, _meta?.['anthropic/requiresUserInteraction']]),
  )
  expect(listed).toMatchObject({ drop: true, confirmed: true, mine: false, any: undefined, plain: undefined })
})

it.each<[unknown]>([['asleep'], [{}], [{ floorMs: -1 }], [{ floorMs: '1' }], [null]])(
  'refuses %j for a rule, before anybody is asked',
  rule => {
    const person = rule as PersonRule
    expect(() => createServer({ name: 's', version: '1', person })).toThrow("`person` of the server must be 'present'")
    expect(() => createServer({ name: 's', version: '1' }).tool('t', { person }, () => '')).toThrow(
      '`person` of the tool "t"',
    )
  },
)
