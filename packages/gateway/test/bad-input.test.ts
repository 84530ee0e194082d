// Applications that do everything wrong: the gateway lives on, and so do the others.
import { describe, expect, it, onTestFinished } from 'vitest'
import { FakeClock } from '../../server/test/fake-clock.js'
import { connectApp, emptyForm, ListeningApp, type RawApp } from './raw-app.js'
import { agentOn, claimedApp, startGateway, temporaryHome } from './setup.js'

async function open(url: string, options: ConstructorParameters<typeof ListeningApp>[0] = {}): Promise<RawApp> {
  const app = await connectApp(url, options)
  onTestFinished(() => app.hangUp())
  return app
}

const reply = (app: RawApp) => app.frames.when(frame => frame.error !== undefined)

describe('a frame', () => {
  it('of 50 MB ends the connection, before and after the claim', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const huge = 'x'.repeat(50 * 1024 * 1024)
    const app = await open(url)
    app.notify('log', { message: huge })
    expect(await app.closed).toBe('1009')
    const claimed = await claimedApp(url, agent, { actions: [{ name: 'hang' }] })
    const called = agent.call('todo__hang')
    await claimed.when('actions/invoke')
    claimed.notify('log', { message: huge })
    expect(await called).toMatch(/^failed: "Todos" did not finish: The application went away/)
  })

  it('of 50 MB ends a Unix socket', async () => {
    const { url, home } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const app = await new ListeningApp({ actions: [{ name: 'hang' }] }).listenUds(`${temporaryHome()}/s`)
    onTestFinished(() => app.close())
    app.publish(home)
    await agent.call('tesseron__claim_session', { code: app.code })
    const connection = await app.connection()
    const called = agent.call('todo__hang')
    await connection.when('actions/invoke')
    connection.sendRaw('x'.repeat(50 * 1024 * 1024))
    expect(await called).toMatch(/went away \(a message is too large\)/)
  })

  it.each([
    ['no JSON', 'garbage', -32700],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"tesseron/hello"}]', -32600],
    ['a number', '7', -32600],
    ['no JSON-RPC', '{"id":1,"method":"tesseron/hello"}', -32600],
    ['without a method', '{"jsonrpc":"2.0","id":1}', -32600],
    ['with an id that is none', '{"jsonrpc":"2.0","id":{},"method":"x"}', -32600],
    ['with params that are none', '{"jsonrpc":"2.0","id":1,"method":"tesseron/hello","params":[1]}', -32602],
    ['nested without end', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, -32600],
  ])('that is %s is answered with an error, and hello is still taken', async (_, text, code) => {
    const { url } = await startGateway()
    const app = await open(url)
    app.sendRaw(text)
    expect((await reply(app)).error?.code).toBe(code)
    expect((await app.hello()).result?.claimCode).toEqual(expect.any(String))
  })

  it('after frame of garbage ends the connection', async () => {
    const { url } = await startGateway()
    const app = await open(url)
    for (let nth = 0; nth < 20; nth++) app.sendRaw('garbage')
    expect(await app.closed).toBe('1008')
  })

  it('that answers what nobody asked is passed over', async () => {
    const { url } = await startGateway()
    const app = await open(url)
    app.send({ id: 99, result: {} })
    app.send({ id: 'x', error: { code: 1, message: '' } })
    app.notify('actions/progress', { invocationId: 'inv' })
    expect((await app.hello()).result).toBeDefined()
  })
})

describe('a hello', () => {
  it.each(['2.0.0', '0.9.0', '11.0.0', ''])(
    'of protocol %j is refused with -32000, and closed',
    async protocolVersion => {
      const { url } = await startGateway()
      const app = await open(url, { protocolVersion })
      expect((await app.hello()).error?.code).toBe(-32000)
      expect(await app.closed).toBe('1008')
    },
  )

  it('of another minor version is taken', async () => {
    const { url } = await startGateway()
    const app = await open(url, { protocolVersion: '1.99.0' })
    expect((await app.hello()).result?.protocolVersion).toBe('1.2.0')
  })

  it.each([
    ...['Todo', '1todo', 'to-do', 'to do', '', 'x'.repeat(65)],
    ...['tesseron', 'mcp', 'system', 'tesseron__claim_session', 'tesseron__', 'mcp__x', 'system__x'],
  ])('of the id %j is refused', async id => {
    const { url } = await startGateway()
    const app = await open(url, { id })
    expect((await app.hello()).error?.code).toBe(-32602)
  })

  it.each([
    ['tesserons', 'tesserons'],
    ['tesseron_claim_session', 'tesseron_claim_session'],
    ['beckon', 'beckon'],
    ['beckon__x', 'beckon_-_x'],
    ['system_', 'system_-'],
  ])('of the id %j, which only begins like one of ours, has tools of its own', async (id, written) => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const before = await agent.toolNames()
    const actions = ['claim_session', '_claim_session', 'list_actions'].map(name => ({ name, run: () => name }))
    await claimedApp(url, agent, { id, actions })
    expect(await agent.toolNames()).toEqual([...before, ...actions.map(({ name }) => `${written}__${name}`)])
    for (const { name } of actions) expect(await agent.call(`${written}__${name}`)).toBe(name)
    expect(await agent.call('tesseron__list_pending_claims')).toBe('{"pending":[]}')
  })

  it.each([
    { app: null },
    { actions: null },
    { actions: [{}] },
    { actions: ['x'] },
    { actions: new Array(1_001).fill({ name: 'a' }) },
    { resources: 7 },
  ])('with %o is refused', async wrong => {
    const { url } = await startGateway()
    const app = await open(url)
    const { error } = await app.request('tesseron/hello', { ...app.helloParams(), ...wrong })
    expect(error?.code).toBe(-32602)
  })

  it('that does not come first ends the connection', async () => {
    const { url } = await startGateway()
    const app = await open(url)
    expect((await app.request('actions/list', {})).error?.code).toBe(-32600)
    expect(await app.closed).toBe('1008')
  })

  it('that never comes ends it too', async () => {
    const clock = new FakeClock()
    const { url } = await startGateway({ server: { clock } })
    const app = await open(url)
    app.sendRaw('garbage')
    await reply(app)
    clock.advance(10_000)
    expect(await app.closed).toBe('1008')
  })
})

describe('an application', () => {
  it('that answers an invocation twice is heard once', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const app = await claimedApp(url, agent, { actions: [{ name: 'twice' }, { name: 'next', run: () => 'next' }] })
    const called = agent.call('todo__twice')
    const { id, params } = await app.when('actions/invoke')
    for (const output of ['first', 'second']) app.send({ id, result: { invocationId: params?.invocationId, output } })
    expect(await called).toBe('first')
    expect(await agent.call('todo__next')).toBe('next')
  })

  it('that answers with something that is no result is a failure', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const app = await claimedApp(url, agent, { actions: [{ name: 'odd' }] })
    const called = agent.call('todo__odd')
    const { id } = await app.when('actions/invoke')
    app.send({ id, result: 7 })
    expect(await called).toBe('failed: The application answered with something that is not a result.')
  })

  it('that floods asks is held to so many at once, and in all', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2025-11-25', { answer: () => ({ action: 'accept', content: {} }) })
    await claimedApp(url, agent, {
      actions: [
        {
          name: 'flood',
          run: async ({ ask }) => {
            const atOnce = await Promise.all(Array.from({ length: 40 }, () => ask('Sure?')))
            const codes = atOnce.map(({ error }) => error?.code)
            let asked = codes.filter(code => code === undefined).length
            for (;;) {
              const { error } = await ask('Sure?')
              if (error !== undefined)
                return { refused: codes.filter(code => code === -32009).length, asked, code: error.code }
              asked++
            }
          },
        },
      ],
    })
    expect(JSON.parse(await agent.call('todo__flood'))).toEqual({ refused: 24, asked: 256, code: -32009 })
    expect(agent.asked.all.length).toBe(256)
  })

  it.each([
    { question: 7, schema: emptyForm },
    { question: 'Sure?' },
    { question: 'Sure?', schema: null },
    { question: 'Sure?', schema: [] },
    { question: 'Sure?', schema: {} },
  ])('that asks with %o is told -32602', async params => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28', { answer: () => ({ action: 'accept' }) })
    await claimedApp(url, agent, {
      actions: [
        {
          name: 'ask',
          run: async ({ id: invocationId, app }) =>
            (await app.request('elicitation/request', { invocationId, ...params })).error?.code,
        },
      ],
    })
    expect(await agent.call('todo__ask')).toBe('-32602')
    expect(agent.asked.all).toEqual([])
  })

  it('whose schemas are no schemas is offered all the same', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    await claimedApp(url, agent, {
      actions: [
        {
          name: 'odd',
          inputSchema: { type: 'string', properties: 7 },
          outputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } },
          run: () => ({ a: 1 }),
        },
      ],
    })
    expect(await agent.toolNames()).toContain('todo__odd')
    await agent.call('todo__odd')
    expect(await agent.call('tesseron__list_pending_claims')).toBe('{"pending":[]}')
  })

  it('finds the door closed when a hundred others wait to be claimed', async () => {
    const { url } = await startGateway()
    for (let nth = 0; nth < 100; nth++) await (await open(url)).hello()
    const late = await open(url)
    expect(await late.closed).toBe('1013')
  })
})
