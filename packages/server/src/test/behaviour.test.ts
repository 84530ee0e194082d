import { afterEach, describe, expect, it, vi } from 'vitest'
import { AskExpiredError, type BeckonServer, createServer } from '../index.js'
import { createTestClient, createTestClock, type TestClient, type TestClientOptions, type TestWire } from './index.js'
import './vitest.js'

const clients: TestClient[] = []
afterEach(() => Promise.all(clients.splice(0).map(client => client.close())))

const wires: TestWire[] = ['push', 'rounds', 'tasks']
const hourMs = 60 * 60 * 1000

function connect(server: BeckonServer, options: TestClientOptions = {}): TestClient {
  const client = createTestClient(server, options)
  clients.push(client)
  return client
}

function empty(): BeckonServer {
  return createServer({ name: 's', version: '1' })
}

function toolCalls({ messages }: TestClient): number {
  return messages.filter(({ message }) => 'method' in message && message.method === 'tools/call').length
}

describe('replay', () => {
  function counting() {
    const effect = vi.fn()
    const inStep = vi.fn()
    const server = empty().tool('act', {}, async (_input, ctx) => {
      effect()
      await ctx.step('once', () => inStep())
      await ctx.confirm('One?')
      await ctx.confirm('Two?')
    })
    return { server, effect, inStep }
  }

  it('finds an effect outside a step, by default', async () => {
    const { server, effect, inStep } = counting()
    await connect(server, { answer: [true, true] }).callTool('act')
    expect(effect).toHaveBeenCalledTimes(3)
    expect(inStep).toHaveBeenCalledTimes(1)
  })

  it.each(['when-needed', 'never'] as const)('goes on where it was with %s', async replay => {
    const { server, effect } = counting()
    await connect(server, { replay, answer: [true, true] }).callTool('act')
    expect(effect).toHaveBeenCalledTimes(1)
  })

  it("leaves the server's own choice alone", async () => {
    const { server, effect } = counting()
    await connect(server, { answer: [true, true] }).callTool('act')
    await connect(server, { replay: 'when-needed', answer: [true, true] }).callTool('act')
    expect(effect).toHaveBeenCalledTimes(3 + 1)
  })

  it('finds a message that changes on every run', async () => {
    let run = 0
    const server = empty().tool('act', {}, async (_input, ctx) => String(await ctx.confirm(`Sure? (${++run})`)))
    await expect(connect(server, { answer: () => true }).callTool('act')).rejects.toMatchObject({
      code: -32603,
      data: { kind: 'ReplayMismatch' },
    })
  })
})

it('puts asks that are made together in one round', async () => {
  const server = empty().tool('act', {}, async (_input, ctx) => {
    const both = await Promise.all([ctx.confirm('One?'), ctx.confirm('Two?')])
    return ctx.json([...both, await ctx.confirm('Three?')])
  })
  const client = connect(server, { answer: [true, false, true] })
  expect(await client.callTool('act')).toHaveText('[true,false,true]')
  expect(toolCalls(client)).toBe(3)
})

describe.each(wires)('on %s', wire => {
  it('has no one to ask when the capability is missing', async () => {
    const server = empty()
      .tool('confirm', { annotations: { requiresConfirmation: true }, task: 'optional' }, async (_input, ctx) =>
        String(await ctx.confirm('Sure?')),
      )
      .tool('elicit', { task: 'optional' }, async (_input, ctx) =>
        String(await ctx.elicit({ question: 'x', schema: String })),
      )
    const client = connect(server, { wire, capabilities: {}, answer: [true] })
    expect(await client.callTool('confirm')).toHaveText('false')
    const elicit = client.callTool('elicit')
    if (wire === 'push') expect(await elicit).toBeToolError('The client cannot show a form')
    else await expect(elicit).rejects.toMatchObject({ code: -32021 })
    expect(client).toHaveAskedTimes(0)
  })

  it('names the mode that a client would have to declare', async () => {
    const server = empty().tool('open', { task: 'optional' }, async (_input, ctx) =>
      ctx.json(await ctx.elicit.url('Pay', 'https://pay.example')),
    )
    const call = connect(server, { wire, capabilities: { elicitation: { form: {} } } }).callTool('open')
    if (wire === 'push') expect(await call).toBeToolError('The client cannot show a url')
    else
      await expect(call).rejects.toMatchObject({
        message: expect.stringContaining('does not declare elicitation.url'),
        data: { requiredCapabilities: { elicitation: { url: {} } } },
      })
  })

  it('fails a tool that says requiresConfirmation and forgets to ask', async () => {
    const server = empty()
    const config = { annotations: { requiresConfirmation: true }, task: 'optional' } as const
    server.tool('forgets', config, async () => 'Removed.')
    server.tool('fails', config, async (_input, ctx) => ctx.error('No.'))
    server.tool('asks', config, async (_input, ctx) => ((await ctx.confirm('Sure?')) ? 'Removed.' : 'Nothing removed.'))
    server.tool('other', { task: 'optional' }, async () => 'Fine.')
    const client = connect(server, { wire, answer: [false, true] })
    await expect(client.callTool('forgets')).rejects.toThrow(
      '"forgets" says requiresConfirmation, and finished without',
    )
    expect(await client.callTool('forgets', {}, { allowUnconfirmed: true })).toHaveText('Removed.')
    expect(await client.callTool('fails')).toBeToolError('No.')
    expect(await client.callTool('asks')).toHaveText('Nothing removed.')
    expect(await client.callTool('asks')).toHaveText('Removed.')
    expect(await client.callTool('other')).toHaveText('Fine.')
  })

  it('lets asks expire by the clock', async () => {
    const seen: unknown[] = []
    const server = empty()
      .tool('confirm', { task: 'optional' }, async (_input, ctx) => {
        seen.push(await ctx.confirm({ question: 'Sure?', timeoutMs: hourMs }))
        return String(seen.at(-1))
      })
      .tool('elicit', { task: 'optional' }, async (_input, ctx) => {
        seen.push(await ctx.elicit({ question: 'Name?', schema: String, timeoutMs: hourMs }).catch(error => error))
        throw seen.at(-1)
      })
    const clock = createTestClock()
    const client = connect(server, {
      wire,
      clock,
      answer: async () => {
        await clock.advance(hourMs)
        return 'accept'
      },
    })
    expect(await client.callTool('confirm')).toHaveText('false')
    expect(await client.callTool('elicit')).toBeToolError('Nobody answered the ask')
    // In rounds a handler whose ask expires goes on by itself, and is replayed for the client that comes late.
    const runs = wire === 'rounds' ? 2 : 1
    const error = expect.any(AskExpiredError)
    expect(seen).toEqual([...Array(runs).fill(false), ...Array(runs).fill(error)])
    expect(client).toHaveAskedTimes(2)
  })

  it('lets one of two asks expire', async () => {
    const server = empty().tool('act', { task: 'optional' }, async (_input, ctx) =>
      ctx.json(
        await Promise.all([
          ctx.confirm({ question: 'Short?', timeoutMs: hourMs }),
          ctx.confirm({ question: 'Long?', timeoutMs: 3 * hourMs }),
        ]),
      ),
    )
    const clock = createTestClock()
    const client = connect(server, {
      wire,
      clock,
      answer: async ({ message }) => {
        if (message === 'Long?') await clock.advance(2 * hourMs)
        else await new Promise(resolve => clock.after(hourMs, () => resolve(true)))
        return true
      },
    })
    expect(await client.callTool('act')).toHaveText('[false,true]')
  })

  it('waits for a page to be done', async () => {
    const server = empty().tool('pay', { task: 'optional' }, async (_input, ctx) =>
      ctx.json(await ctx.elicit.url('Pay', 'https://pay.example', { waitForCompletion: true, elicitationId: 'p1' })),
    )
    const client = connect(server, {
      wire,
      async answer() {
        queueMicrotask(() => server.completeElicitation('p1'))
        return true
      },
    })
    expect((await client.callTool('pay')).structuredContent).toEqual({ action: 'accept' })
  })

  it('gives JSON-RPC errors as what they are', async () => {
    const client = connect(empty(), { wire })
    await expect(client.callTool('nothing')).rejects.toMatchObject({ code: -32602, message: 'Unknown tool: nothing' })
  })

  it('sends raw requests', async () => {
    const server = empty().tool('act', { task: 'optional' }, async (_input, ctx) => String(await ctx.confirm('Sure?')))
    const client = connect(server, { wire, answer: [true] })
    const result = await client.request('tools/call', { name: 'act' })
    if (wire === 'push') expect(result).toHaveText('true')
    else expect(result.resultType).toBe(wire === 'tasks' ? 'task' : 'input_required')
    expect(await client.listTools()).toMatchObject([{ name: 'act' }])
    await client.notify('notifications/cancelled', { requestId: 999 })
  })
})

describe('raw requests in rounds', () => {
  it('show what a forged state gets', async () => {
    const server = empty().tool('act', {}, async (_input, ctx) => String(await ctx.confirm('Sure?')))
    const client = connect(server)
    const forged = client.request('tools/call', { name: 'act', requestState: 'forged', inputResponses: {} })
    await expect(forged).rejects.toMatchObject({ code: -32602, data: { kind: 'StateRejected' } })
  })
})

it("gives the server's own clock back", async () => {
  const server = empty().tool('old', {}, async (_input, ctx) =>
    String(await ctx.confirm({ question: 'x', timeoutMs: 5 })),
  )
  const first = createTestClient(server, { clock: createTestClock(0) })
  const second = createTestClient(server, { clock: createTestClock(0) })
  await first.close()
  await second.close()
  // By a clock that stands still the ask would never expire.
  const client = connect(server, { wire: 'push', answer: () => new Promise(() => {}) })
  expect(await client.callTool('old')).toHaveText('false')
})

it('rejects what is no server', () => {
  expect(() => createTestClient({} as BeckonServer)).toThrow('takes a server from createServer()')
})

describe('a step', () => {
  it.each(['push', 'rounds', 'tasks'] as const)('in which something is asked fails, on %s', async wire => {
    const server = createServer({ name: 'shop', version: '1.0.0' })
    server.tool(
      't',
      { task: 'optional' },
      async (_input, ctx) => `${await ctx.step('send', () => ctx.confirm('Send?'))}`,
    )
    const { content } = await createTestClient(server, { wire, answer: [true] }).callTool('t')
    expect(content).toMatchObject([
      { text: 'The step "send" asks a person. Ask before ctx.step, and use the answer in it.' },
    ])
  })

  it('whose result JSON would lose fails', async () => {
    const server = createServer({ name: 'shop', version: '1.0.0' })
    server.tool('t', {}, async (_input, ctx) => `${await ctx.step('list', () => ({ found: new Map([[1, 2]]) }))}`)
    const { content } = await createTestClient(server).callTool('t')
    expect(content).toMatchObject([{ text: expect.stringContaining('The step "list" gave a Map.') }])
  })
})
