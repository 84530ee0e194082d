// An application's questions, put to the person of the call they belong to, by official clients of every era.
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../server/test/fake-clock.js'
import { type Answer, allEras, type Seen } from './clients.js'
import { type ActionStub, emptyForm, type Frame } from './raw-app.js'
import { mcp } from './raw-mcp.js'
import { agentOn, claimedApp, listeningApp, startGateway } from './setup.js'

/** Says what came back for a confirm. */
const confirming: ActionStub = {
  name: 'clearCompleted',
  annotations: { destructive: true, requiresConfirmation: true },
  run: async ({ ask }) => reply(await ask('Remove 5 completed todos?')),
}

const warehouse = { type: 'object', properties: { warehouseId: { type: 'string' } }, required: ['warehouseId'] }

/** Says what came back for a form. */
const eliciting: ActionStub = {
  name: 'checkStock',
  run: async ({ ask, input }) => reply(await ask('Which warehouse?', (input.schema as object) ?? warehouse)),
}

function reply({ result, error }: Frame): object {
  return error === undefined ? { result } : { error: { code: error.code, data: error.data } }
}

const accept: Answer = () => ({ action: 'accept', content: {} })

/** A person who has not answered; `seen` resolves when they see the question. */
function thinking() {
  let see: (seen: Seen) => void = () => {}
  const seen = new Promise<Seen>(resolve => {
    see = resolve
  })
  const answer: Answer = given => {
    see(given)
    return new Promise((_, reject) => given.signal.addEventListener('abort', () => reject(new Error('withdrawn'))))
  }
  return { seen, answer }
}

describe.each(allEras)('a client of %s', era => {
  it('claims an application that listens, and is asked by it', async () => {
    const { url, home } = await startGateway()
    const app = await listeningApp(home, { actions: [confirming] })
    const agent = await agentOn(url, era, { answer: accept })
    expect(JSON.parse(await agent.call('tesseron__claim_session', { code: app.code }))).toMatchObject({
      app_id: 'todo',
      actions: [{ action: 'clearCompleted', tool: 'todo__clearCompleted' }],
    })
    expect(app.offered).toEqual([`tesseron-gateway,tesseron-bind.${app.code}`])
    expect(await agent.call('todo__clearCompleted')).toBe('{"result":{"action":"accept"}}')
    expect(agent.asked.all).toMatchObject([
      { params: { message: 'Remove 5 completed todos?', requestedSchema: emptyForm } },
    ])
    const claimed = await (await app.connection()).when('tesseron/claimed')
    expect(claimed.params).toMatchObject({ agent: { id: 'agent' }, agentCapabilities: { elicitation: true } })
  })

  it('tells the application why a person declined, and that what no person said is not theirs', async () => {
    const { url } = await startGateway()
    const answer: Answer = () => ({ action: 'decline', content: { 'beckon/reason': 'Not on a Friday.' } })
    const agent = await agentOn(url, era, { answer })
    await claimedApp(url, agent, { actions: [confirming, eliciting] })
    const declined = '{"result":{"action":"decline","reason":"Not on a Friday."}}'
    expect(await agent.call('todo__clearCompleted')).toBe(declined)
    expect(await agent.call('todo__checkStock')).toBe(declined)
    const accepted: Answer = () => ({ action: 'accept', content: { 'beckon/by': ['bo'] } })
    const host = await agentOn(url, era, { answer: accepted })
    await claimedApp(url, host, { actions: [confirming] })
    expect(await host.call('todo__clearCompleted')).toBe('{"result":{"action":"accept","by":[{"name":"bo"}]}}')
    const withdrawn: Answer = () => ({ action: 'cancel', content: { 'beckon/why': 'withdrawn' } })
    const other = await agentOn(url, era, { answer: withdrawn })
    await claimedApp(url, other, { actions: [confirming] })
    expect(await other.call('todo__clearCompleted')).toBe('{"result":{"action":"cancel","why":"withdrawn"}}')
    const strict = await startGateway({ server: { person: { floorMs: 60_000 } } })
    const program = await agentOn(strict.url, era, { answer: accept })
    await claimedApp(strict.url, program, { actions: [confirming] })
    expect(await program.call('todo__clearCompleted')).toContain('{"result":{"action":"cancel","why":"no-person"}}')
  })

  it.each(['decline', 'cancel'] as const)('brings a %s back as it is', async action => {
    const { url } = await startGateway()
    const agent = await agentOn(url, era, { answer: () => ({ action }) })
    await claimedApp(url, agent, { actions: [confirming, eliciting] })
    expect(await agent.call('todo__clearCompleted')).toBe(`{"result":{"action":"${action}"}}`)
    expect(await agent.call('todo__checkStock')).toBe(`{"result":{"action":"${action}"}}`)
  })

  it('brings the value of a form back', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, era, {
      answer: () => ({ action: 'accept', content: { warehouseId: 'WH-7' } }),
    })
    await claimedApp(url, agent, { actions: [eliciting] })
    expect(await agent.call('todo__checkStock')).toBe('{"result":{"action":"accept","value":{"warehouseId":"WH-7"}}}')
  })

  it('takes what libraries write into a schema, and leaves rules to the application', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, era, {
      answer: () => ({ action: 'accept', content: { sku: 'ab', amount: 3 } }),
    })
    await claimedApp(url, agent, { actions: [eliciting] })
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { sku: { type: 'string', pattern: '^[a-z]+$' }, amount: { type: 'number', exclusiveMinimum: 0 } },
      required: ['sku'],
      additionalProperties: false,
    }
    expect(await agent.call('todo__checkStock', { schema })).toContain('"value":{"sku":"ab","amount":3}')
    expect(JSON.stringify(agent.asked.all[0]?.params)).not.toContain('pattern')
  })

  it('is shown what an application sends back to be mended, where the revision has defaults', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, era, { answer: () => ({ action: 'decline' }) })
    await claimedApp(url, agent, { actions: [eliciting] })
    const schema = { type: 'object', properties: { sku: { type: 'string', minLength: 3, default: 'ab' } } }
    await agent.call('todo__checkStock', { schema })
    const sku = { type: 'string', minLength: 3, ...(era.includes('2025-06') ? {} : { default: 'ab' }) }
    expect(agent.asked.all[0]?.params).toMatchObject({ requestedSchema: { properties: { sku } } })
  })

  it('is asked nothing by a schema that the protocol cannot carry: -32602 at its call site', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, era, { answer: accept })
    await claimedApp(url, agent, { actions: [eliciting] })
    const nested = { type: 'object', properties: { address: { type: 'object', properties: {} } } }
    const schemas = [
      nested,
      { type: 'string' },
      { type: 'object', oneOf: [warehouse], properties: {} },
      { type: 'object', properties: { password: { type: 'string' } } },
    ]
    for (const schema of schemas)
      expect(JSON.parse(await agent.call('todo__checkStock', { schema }))).toMatchObject({ error: { code: -32602 } })
    expect(await agent.call('todo__checkStock', { schema: nested })).toContain('"property":"address"')
    expect(agent.asked.all).toEqual([])
  })

  it('that cannot ask makes a confirm false, and a form -32007', async () => {
    const { url, home } = await startGateway()
    const app = await listeningApp(home, { actions: [confirming, eliciting] })
    const agent = await agentOn(url, era)
    await agent.call('tesseron__claim_session', { code: app.code })
    const connection = await app.connection()
    const hello = await connection.frames.when(frame => frame.result?.sessionId !== undefined)
    expect(hello.result).toMatchObject({
      sessionId: app.sessionId,
      resumeToken: app.resumeToken,
      capabilities: { elicitation: false, sampling: false },
    })
    expect(hello.result).not.toHaveProperty('claimCode')
    expect((await connection.when('tesseron/claimed')).params).toMatchObject({
      agentCapabilities: { elicitation: false },
    })
    expect(await agent.call('todo__clearCompleted')).toBe('{"result":{"action":"decline","why":"no-capability"}}')
    expect(JSON.parse(await agent.call('todo__checkStock'))).toMatchObject({ error: { code: -32007 } })
  })

  it('asks the person who called, when two agents are attached', async () => {
    const { url } = await startGateway()
    const first = await agentOn(url, era, { answer: accept, name: 'first' })
    const second = await agentOn(url, era, { answer: () => ({ action: 'decline' }), name: 'second' })
    const third = await agentOn(url, era, { name: 'third' })
    const app = await claimedApp(url, first, { actions: [confirming, eliciting] })
    expect(await second.call('todo__clearCompleted')).toContain('decline')
    expect(await third.call('todo__clearCompleted')).toContain('decline')
    expect(JSON.parse(await third.call('todo__checkStock'))).toMatchObject({ error: { code: -32007 } })
    expect(await first.call('todo__clearCompleted')).toContain('accept')
    expect([first, second].map(({ asked }) => asked.all.length)).toEqual([1, 1])
    const told = app.frames.all.filter(({ method }) => method === 'tesseron/claimed' || method === 'actions/invoke')
    expect(told.map(({ params = {} }) => (params.agentCapabilities ?? params.client) as object)).toMatchObject([
      { elicitation: true },
      { name: 'second' },
      { elicitation: false },
      { name: 'third' },
      { name: 'third' },
      { elicitation: true },
      { name: 'first' },
    ])
  })

  it('gets a clear error, at once, when the application goes away during an ask', async () => {
    const { url } = await startGateway()
    const { seen, answer } = thinking()
    const agent = await agentOn(url, era, { answer: era === '2026-07-28' ? accept : answer })
    let hangUp = (): void => {}
    const app = await claimedApp(url, agent, {
      actions: [
        {
          name: 'clearCompleted',
          run: ({ ask }) => {
            void ask('Sure?').then(() => hangUp())
            return new Promise(() => {})
          },
        },
      ],
    })
    hangUp = () => app.hangUp()
    const called = agent.call('todo__clearCompleted')
    if (era !== '2026-07-28') {
      const { signal } = await seen
      app.hangUp()
      expect(await called).toMatch(/^failed: "Todos" did not finish: The application went away/)
      if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
    }
    expect(await called).toMatch(/^failed: "Todos" did not finish: The application went away/)
    expect(await agent.call('todo__clearCompleted')).toMatch(/^failed: "Todos" is not connected/)
  })

  it('is not asked again by an invocation that has ended, one that never was, or that of another application', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, era, { answer: accept })
    const finished: string[] = []
    const app = await claimedApp(url, agent, {
      actions: [{ name: 'work', run: ({ id }) => finished.push(id) }],
    })
    await agent.call('todo__work')
    const other = await claimedApp(url, agent, {
      id: 'notes',
      actions: [
        {
          name: 'meddle',
          run: async ({ id, app: notes }) => ({
            finished: (await ask(notes, finished[0])).error?.code,
            madeUp: (await ask(notes, 'inv-1')).error?.code,
            foreign: (await ask(app, id)).error?.code,
            own: (await ask(notes, id)).result?.action,
          }),
        },
      ],
    })
    const ask = (from: typeof app, invocationId: unknown) =>
      from.request('elicitation/request', { invocationId, question: 'Sure?', schema: emptyForm })
    expect(JSON.parse(await agent.call('notes__meddle'))).toEqual({
      finished: -32009,
      madeUp: -32009,
      foreign: -32009,
      own: 'accept',
    })
    expect(agent.asked.all.length).toBe(1)
    expect((await ask(other, finished[0])).error?.code).toBe(-32009)
  })

  it('has as long as it likes: the time of a person counts against no timeout', async () => {
    const clock = new FakeClock()
    const { url } = await startGateway({ server: { clock } })
    const agent = await agentOn(url, era, {
      answer: () => {
        clock.advance(45 * 60_000)
        return { action: 'accept', content: {} }
      },
    })
    await claimedApp(url, agent, { actions: [{ ...confirming, timeoutMs: 1_000 }] })
    expect(await agent.call('todo__clearCompleted')).toBe('{"result":{"action":"accept"}}')
  })

  it('is told when an action takes longer than it may, and the action is cancelled', async () => {
    const clock = new FakeClock()
    const { url } = await startGateway({ server: { clock } })
    const agent = await agentOn(url, era)
    const app = await claimedApp(url, agent, { actions: [{ name: 'hang', timeoutMs: 1_000 }] })
    const called = agent.call('todo__hang')
    const invoked = await app.when('actions/invoke')
    clock.advance(1_000 + 5_000)
    expect(await called).toBe('failed: The action did not answer within 1000 ms.')
    expect((await app.when('actions/cancel')).params).toEqual({ invocationId: invoked.params?.invocationId })
  })
})

describe.each(['2025-06-18', '2025-11-25'] as const)('a client of %s', era => {
  it('that cancels a call has the action cancelled, and the question withdrawn', async () => {
    const { url } = await startGateway()
    const { seen, answer } = thinking()
    const agent = await agentOn(url, era, { answer })
    const app = await claimedApp(url, agent, { actions: [confirming] })
    const stop = new AbortController()
    const called = agent.client.callTool({ name: 'todo__clearCompleted' }, { signal: stop.signal })
    const { signal } = await seen
    stop.abort()
    await expect(called).rejects.toThrow()
    const invoked = await app.when('actions/invoke')
    expect((await app.when('actions/cancel')).params).toEqual({ invocationId: invoked.params?.invocationId })
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
    const withdrawn = await app.frames.when(frame => frame.error !== undefined)
    expect(withdrawn.error?.code).toBe(-32001)
  })

  it('that ends its session has the action cancelled', async () => {
    const { url } = await startGateway()
    const { seen, answer } = thinking()
    const agent = await agentOn(url, era, { answer })
    const app = await claimedApp(url, agent, { actions: [confirming] })
    const called = agent.call('todo__clearCompleted').catch(() => 'gone')
    await seen
    await (agent.transport as StreamableHTTPClientTransport).terminateSession()
    await app.when('actions/cancel')
    await agent.close()
    expect(await called).toBe('gone')
  })
})

describe('a client of 2026-07-28', () => {
  it('keeps the handler of the application alive from round to round', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28', { answer: accept })
    const app = await claimedApp(url, agent, {
      actions: [
        {
          name: 'wizard',
          run: async ({ ask }) => {
            const answers = []
            for (const step of [1, 2, 3]) answers.push((await ask(`Step ${step}?`)).result?.action)
            return answers
          },
        },
      ],
    })
    expect(await agent.call('todo__wizard')).toBe('["accept","accept","accept"]')
    expect(app.frames.all.filter(({ method }) => method === 'actions/invoke').length).toBe(1)
    expect(agent.asked.all.length).toBe(3)
  })

  it('that never comes back leaves nothing behind: the ask expires, and the action goes on without consent', async () => {
    const clock = new FakeClock()
    const { url } = await startGateway({ server: { clock }, pollMs: 10 * 60_000 })
    const agent = await agentOn(url, '2026-07-28', { answer: accept })
    const app = await claimedApp(url, agent, { actions: [confirming] })
    const asked = await mcp(url, 'tools/call', { name: 'todo__clearCompleted' }, { capabilities: { elicitation: {} } })
    expect(asked.result?.resultType).toBe('input_required')
    clock.advance(60 * 60_000)
    // Whether the ask or the whole call is given up first is one and the same to a person.
    const ended = await app.frames.when(frame => frame.id === 'app-2' && frame.method === undefined)
    expect(ended.result?.action ?? ended.error?.code).toBeOneOf(['cancel', -32001])
  })

  it('that goes away while an action works has it cancelled', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const app = await claimedApp(url, agent, { actions: [{ name: 'hang' }] })
    const stop = new AbortController()
    const called = agent.client.callTool({ name: 'todo__hang' }, { signal: stop.signal })
    await app.when('actions/invoke')
    stop.abort()
    await expect(called).rejects.toThrow()
    await app.when('actions/cancel')
  })
})
