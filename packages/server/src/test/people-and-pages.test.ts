import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { AskPolicy } from '../call/ask-policy.js'
import { createServer, memoryStore } from '../index.js'
import { credentials } from '../middleware/credentials/credentials.js'
import { urlAction } from '../middleware/url-action/url-action.js'
import { createTestClient, createTestClock, createTestDesk, createTestProcess, type TestClient } from './index.js'

const text = (result: { content: { text?: unknown }[] }) => result.content[0]?.text
const turns = async () => {
  for (let nth = 0; nth < 10; nth++) await new Promise(resolve => setImmediate(resolve))
}

const login = credentials({
  message: 'Sign in to the warehouse.',
  schema: z.object({ username: z.string(), password: z.string(), stay: z.boolean().optional() }),
  verify: ({ username, password, stay }) => (password === 'correct horse' ? { id: username, stay } : null),
})

describe.each(['push', 'rounds', 'tasks'] as const)('a page, on %s', wire => {
  it('is opened, filled in and sent by the person whom the call is for', async () => {
    const server = createServer({ name: 's', version: '1.0.0', identify: () => undefined })
    server.tool('stock', { use: [login], task: 'optional' }, async (_input, ctx) => ({
      who: await ctx.session.get('credentials'),
    }))
    const pages: string[] = []
    const client: TestClient = createTestClient(server, {
      wire,
      principal: 'ada',
      async answer(ask) {
        const wrong = await client.visit(ask, { username: 'ada', password: 'battery staple' })
        const right = await client.visit(ask, { username: 'ada', password: 'correct horse', stay: true })
        pages.push(`${wrong.status} ${wrong.title}`, `${right.status} ${right.title}`)
        return 'accept'
      },
    })
    expect((await client.callTool('stock')).structuredContent).toEqual({ who: { id: 'ada', stay: true } })
    expect(pages).toEqual(['401 Sign in', expect.stringMatching(/^200 /)])
    await client.close()
    await server.close()
  })

  it('says where it leads, and is none where it leads elsewhere at once', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    const signed = urlAction({
      message: 'Sign the contract first.',
      url: ({ elicitationId }) => `https://sign.example/start?state=${elicitationId}&page=1`,
    })
    server.tool('publish', { use: [signed], task: 'optional' }, () => 'Published.')
    server.tool('look', {}, async (_input, ctx) => (await ctx.elicit.url('Look', 'https://a.example/')).action)
    server.tool('sure', {}, async (_input, ctx) => `${await ctx.confirm('Sure?')}`)
    const client: TestClient = createTestClient(server, {
      wire,
      async answer(ask) {
        if (ask.kind !== 'url') expect(() => client.visit(ask)).toThrow('leads to no page')
        else if (ask.tool === 'look') await expect(client.visit(ask)).rejects.toThrow('not a page of this server')
        else {
          const { leadsTo = '' } = await client.visit(ask)
          const { searchParams, origin } = new URL(leadsTo)
          expect(origin).toBe('https://sign.example')
          await server.completeElicitation(searchParams.get('state') ?? '')
        }
        return 'accept'
      },
    })
    expect(text(await client.callTool('publish'))).toBe('Published.')
    expect(text(await client.callTool('look'))).toBe('accept')
    expect(text(await client.callTool('sure'))).toBe('true')
    await client.close()
    await server.close()
  })

  it('is found out where a test types what it does not ask for', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('stock', { use: [login] }, () => 'Five.')
    const client: TestClient = createTestClient(server, {
      wire,
      async answer(ask) {
        await expect(client.visit(ask, { pin: 1234 })).rejects.toThrow('no field "pin"')
        return 'decline'
      },
    })
    expect(await client.callTool('stock')).toMatchObject({ isError: true })
    await client.close()
    await server.close()
  })

  it('may be declined with a reason, which the handler gets', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('buy', { task: 'optional' }, async (_input, ctx) => {
      const outcome = await ctx.elicit.form('Which seat?', String)
      return outcome.action === 'decline' ? `No: ${outcome.reason}` : outcome.action
    })
    const client = createTestClient(server, {
      wire,
      answer: [{ action: 'decline', reason: 'Too dear.' }, { action: 'decline' }],
    })
    expect(text(await client.callTool('buy'))).toBe('No: Too dear.')
    expect(text(await client.callTool('buy'))).toBe('No: undefined')
    await client.close()
  })
})

describe.each(['push', 'rounds', 'tasks'] as const)('a yes or no on %s', wire => {
  it('is told with who gave it in the client, and why nobody did', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('buy', { task: 'optional' }, async (_input, ctx) => ctx.json(await ctx.confirm.outcome('Buy?')))
    const answer = [
      { action: 'accept', by: ['bo', 'cy'] },
      { action: 'decline', reason: 'Too dear.', by: ['bo'] },
      { action: 'cancel', why: 'withdrawn' },
      { action: 'cancel' },
    ]
    const told = async (principal?: string) => {
      const client = createTestClient(server, { wire, answer, ...(principal !== undefined && { principal }) })
      const outcomes = []
      for (const _ of answer) outcomes.push((await client.callTool('buy')).structuredContent)
      await client.close()
      return outcomes
    }
    expect(await told()).toEqual([
      { action: 'accept', by: [{ name: 'bo' }, { name: 'cy' }] },
      { action: 'decline', reason: 'Too dear.', by: [{ name: 'bo' }] },
      { action: 'cancel', why: 'withdrawn' },
      { action: 'cancel' },
    ])
    // A name proves nothing: the principal is that of the call, whatever its client says.
    expect(await told('ann')).toMatchObject([
      {
        by: [
          { principal: 'ann', name: 'bo' },
          { principal: 'ann', name: 'cy' },
        ],
      },
      { by: [{ principal: 'ann', name: 'bo' }] },
      { action: 'cancel', why: 'withdrawn' },
      { action: 'cancel', by: [{ principal: 'ann' }] },
    ])
    await server.close()
  })

  it('takes nothing but names for who gave it', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('buy', { task: 'optional' }, async (_input, ctx) => ctx.json(await ctx.confirm.outcome('Buy?')))
    const odd = [{ principal: 'root' }, 7, '', '\u202ebo', ...Array.from({ length: 100 }, (_, at) => `p${at}`)]
    const client = createTestClient(server, {
      wire,
      answer: [{ action: 'accept', content: { 'beckon/by': odd as never, 'beckon/rule': ['r'], principal: 'root' } }],
    })
    const { by } = (await client.callTool('buy')).structuredContent as { by: object[] }
    expect(by).toHaveLength(47)
    expect(by[0]).toEqual({ name: '[U+202E]bo' })
    expect(JSON.stringify(by)).not.toMatch(/root|rule|principal/)
    await client.close()
    await server.close()
  })
})

describe('a desk with several people', () => {
  function setUp() {
    const desk = createTestDesk()
    const server = createServer({ name: 'shop', version: '1.0.0', desk, wait: 'hold' })
    server.tool('deploy', { input: z.object({ env: z.string() }) }, async ({ env }, ctx) => {
      const outcome = await ctx.elicit.form(`Deploy to ${env}?`, z.object({ why: z.string() }))
      if (outcome.action === 'accept') return `Deployed: ${outcome.content.why}`
      return outcome.action === 'decline' ? `No: ${outcome.reason}` : outcome.action
    })
    const call = (principal: string, env: string) =>
      createTestClient(server, { principal, capabilities: {} }).callTool('deploy', { env })
    return { desk, server, call }
  }

  it('shows each their own asks, and takes the first answer', async () => {
    const { desk, call } = setUp()
    const [ann, bob] = [desk.person('ann'), desk.person('bob')]
    const [hers, his] = [call('ann', 'prod'), call('bob', 'test')]
    await turns()
    expect(ann.asks()).toMatchObject([{ kind: 'form', message: 'Deploy to prod?', tool: 'deploy', principal: 'ann' }])
    expect(bob.asks()).toHaveLength(1)
    await expect(bob.answer('Deploy to prod?', { why: 'me' })).rejects.toThrow('bob sees no open ask')
    await ann.answer('Deploy to prod?', { why: 'Friday' })
    await expect(ann.answer('Deploy to prod?', { why: 'again' })).rejects.toThrow('no open ask')
    await bob.answer('Deploy to test?', { action: 'decline', reason: 'Not on a Friday.' })
    expect(text(await hers)).toBe('Deployed: Friday')
    expect(text(await his)).toBe('No: Not on a Friday.')
    expect(desk.asked.map(({ answeredBy }) => answeredBy)).toEqual(['ann', 'bob'])
  })

  it('lets anybody answer for a caller whom nothing identifies, and has what was cancelled withdrawn', async () => {
    const desk = createTestDesk()
    const server = createServer({ name: 'shop', version: '1.0.0', desk, wait: 'hold', whenGone: 'cancel' })
    server.tool('ring', {}, async (_input, ctx) => `${await ctx.confirm('Ring?')}`)
    const client = createTestClient(server, { capabilities: {} })
    const first = client.callTool('ring')
    await turns()
    await desk.person('ann').answer('Ring?', true)
    expect(text(await first)).toBe('true')
    const aborter = new AbortController()
    const second = client.callTool('ring', {}, { signal: aborter.signal })
    const gone = expect(second).rejects.toThrow()
    await turns()
    expect(desk.person('bob').asks()).toHaveLength(1)
    aborter.abort(new Error('Enough.'))
    await gone
    await expect.poll(() => desk.person('bob').asks()).toEqual([])
  })
})

describe('a process that dies', () => {
  it('between two rounds has another one go on, from what was written', async () => {
    const runs: string[] = []
    let nth = 0
    const process = createTestProcess(store => {
      const name = `process ${++nth}`
      return createServer({ name: 'shop', version: '1.0.0', store }).tool('order', {}, async (_input, ctx) => {
        runs.push(name)
        const color = await ctx.elicit({ question: 'Which color?', schema: ['red', 'green'] })
        const paid = await ctx.step('pay', () => name)
        return `${color}, paid in ${paid}, ${await ctx.confirm('Send it?')}`
      })
    })
    const client = createTestClient(process, {
      replay: 'when-needed',
      answer(ask) {
        process.crash()
        return ask.kind === 'confirm' ? true : 'red'
      },
    })
    expect(text(await client.callTool('order'))).toBe('red, paid in process 2, true')
    expect(runs).toEqual(['process 1', 'process 2', 'process 3'])
    await client.close()
    await process.close()
  })

  it('while a task waits has another one take it over', async () => {
    const clock = createTestClock()
    const store = memoryStore({ clock })
    let runs = 0
    const process = createTestProcess(
      own =>
        createServer({ name: 'shop', version: '1.0.0', store: own, clock }).tool(
          'order',
          { task: 'required' },
          async (_input, ctx) => {
            runs++
            return `${await ctx.confirm('Send it?')}`
          },
        ),
      { store },
    )
    const client = createTestClient(process, {
      wire: 'tasks',
      async answer() {
        process.crash()
        for (let second = 0; second < 60; second++) {
          await clock.advance(1_000)
          await turns()
        }
        return true
      },
    })
    expect(text(await client.callTool('order'))).toBe('true')
    expect(runs).toBe(2)
    await client.close()
    await process.close()
  })

  it('ends a call of 2025 that waited, and the same client goes on', async () => {
    const process = createTestProcess(store =>
      createServer({ name: 'shop', version: '1.0.0', store }).tool(
        'ring',
        {},
        async (_input, ctx) => `${await ctx.confirm('Ring?')}`,
      ),
    )
    let isFirst = true
    const client = createTestClient(process, {
      wire: 'push',
      answer() {
        if (isFirst) process.crash()
        isFirst = false
        return true
      },
    })
    await expect(client.callTool('ring')).rejects.toThrow('closed')
    expect(text(await client.callTool('ring'))).toBe('true')
    await client.close()
    await process.close()
  })
})

describe('a test desk with an approval', () => {
  const deploys = (approval: AskPolicy) => {
    const desk = createTestDesk()
    const server = createServer({ name: 'deploys', version: '1.0.0', desk, wait: 'hold' })
    server.tool('deploy', { approval }, async (_input, ctx) =>
      ctx.json(await ctx.confirm.outcome({ question: 'Deploy?' })),
    )
    const result = createTestClient(server, { principal: 'ann' }).callTool('deploy')
    const asked = () => vi.waitFor(() => expect(desk.asked).toHaveLength(1))
    return { desk, result, asked }
  }

  it('asks those whom the approval names, and not who called', async () => {
    const { desk, result, asked } = deploys({ audience: { principals: ['ann', 'bob'], groups: ['leads'] } })
    await asked()
    const [ann, bob, cleo, dora] = [
      desk.person('ann'),
      desk.person('bob'),
      desk.person('cleo', { groups: ['leads'] }),
      desk.person('dora'),
    ]
    expect([ann, bob, cleo, dora].map(person => person.asks().length)).toEqual([0, 1, 1, 0])
    await expect(ann.answer('Deploy?', true)).rejects.toThrow('ann sees no open ask')
    await cleo.answer('Deploy?', true)
    expect((await result).structuredContent).toEqual({ action: 'accept', by: [{ principal: 'cleo' }] })
  })

  it('waits until as many different people accepted as a quorum wants', async () => {
    const { desk, result, asked } = deploys({ audience: { groups: ['leads'] }, quorum: 2 })
    await asked()
    const [bob, cleo] = ['bob', 'cleo'].map(name => desk.person(name, { groups: ['leads'] }))
    await bob?.answer('Deploy?', true)
    await expect(bob?.answer('Deploy?', true)).rejects.toThrow('bob sees no open ask')
    await cleo?.answer('Deploy?', true)
    expect((await result).structuredContent).toMatchObject({ by: [{ principal: 'bob' }, { principal: 'cleo' }] })
  })
})
