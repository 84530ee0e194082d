// Actions as tools and resources as resources, as official clients see them.
import { describe, expect, it, onTestFinished } from 'vitest'
import { allEras } from './clients.js'
import { Mailbox } from './mailbox.js'
import { connectApp } from './raw-app.js'
import { mcpText } from './raw-mcp.js'
import { agentOn, claimedApp, startGateway } from './setup.js'

describe.each(allEras)('a client of %s', era => {
  it('sees an action with everything that MCP has a place for', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, era)
    const inputSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
    const outputSchema = { type: 'object', properties: { removed: { type: 'integer' } }, required: ['removed'] }
    await claimedApp(url, agent, {
      actions: [
        {
          name: 'clear',
          title: 'Clear',
          description: 'Removes what is done.',
          inputSchema,
          outputSchema,
          annotations: { destructive: true, requiresConfirmation: true, readOnly: false },
        },
      ],
    })
    const { tools } = await agent.client.listTools()
    expect(tools.find(({ name }) => name === 'todo__clear')).toMatchObject({
      title: 'Clear',
      description: 'Removes what is done.',
      inputSchema,
      outputSchema,
      annotations: { destructiveHint: true, readOnlyHint: false },
      _meta: { 'beckon/requiresConfirmation': true },
    })
  })

  it('gets what an action returns, structured where that is an object', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, era)
    const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
    await claimedApp(url, agent, {
      actions: [
        { name: 'object', outputSchema, run: ({ input }) => ({ n: input.n }) },
        { name: 'text', outputSchema: { type: 'string' }, run: () => 'hello' },
        { name: 'list', run: () => [1, 2] },
        { name: 'nothing', run: () => null },
      ],
    })
    const result = await agent.client.callTool({ name: 'todo__object', arguments: { n: 3 } })
    expect(result).toMatchObject({ structuredContent: { n: 3 }, content: [{ text: '{"n":3}' }] })
    expect(await agent.call('todo__text')).toBe('hello')
    expect(await agent.call('todo__list')).toBe('[1,2]')
    expect(await agent.call('todo__nothing')).toBe('null')
    expect(await agent.call('todo__object', { n: 'three' })).toMatch(
      /^failed: The result of the tool "todo__object" does not fit/,
    )
  })

  it('is told of progress, with its data', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, era)
    await claimedApp(url, agent, {
      actions: [
        {
          name: 'import',
          run: async ({ id: invocationId, app }) => {
            app.notify('actions/progress', { invocationId, percent: 40, message: 'Reading.', data: { rows: 12 } })
            app.notify('actions/progress', { invocationId, message: 'Still reading.' })
            app.notify('actions/progress', { invocationId, percent: 20 })
            app.notify('actions/progress', { invocationId: 'another', percent: 99 })
            return 'done'
          },
        },
      ],
    })
    const seen: { progress: number; message?: string | undefined; total?: number | undefined; _meta?: unknown }[] = []
    await agent.client.callTool({ name: 'todo__import' }, { onprogress: progress => void seen.push(progress) })
    expect(seen).toMatchObject([{ progress: 40, total: 100, message: 'Reading.' }, { message: 'Still reading.' }, {}])
    expect(seen.every(({ progress }, index) => progress > (seen[index - 1]?.progress ?? 0))).toBe(true)
  })

  it('is told of the errors of an action in words', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, era)
    const fail = (error: object) => () => {
      throw error
    }
    const issues = [{ message: 'Expected a number', path: ['amount'] }]
    await claimedApp(url, agent, {
      actions: [
        { name: 'handler', run: fail({ code: -32005, message: 'The disk is full.' }) },
        { name: 'input', run: fail({ code: -32004, message: 'Invalid input.', data: issues }) },
        { name: 'odd', run: fail({}) },
      ],
    })
    expect(await agent.call('todo__handler')).toBe('failed: The disk is full.')
    expect(await agent.call('todo__input')).toBe('failed: Invalid input. amount: Expected a number')
    expect(await agent.call('todo__odd')).toBe('failed: The application failed and did not say why.')
  })

  it('follows actions that are added, changed and removed while the application runs', async () => {
    const { url } = await startGateway()
    const changes = new Mailbox<string>()
    const agent = await agentOn(url, era)
    agent.client.setNotificationHandler('notifications/tools/list_changed', () => changes.put('tools'))
    if (era === '2026-07-28') await agent.client.listen({ toolsListChanged: true })
    const app = await claimedApp(url, agent, { actions: [{ name: 'first', run: () => 1 }] })
    app.options.actions?.push({ name: 'late', run: () => 2 })
    app.notify('actions/list_changed', { actions: app.helloParams().actions as object })
    await listed(['todo__first', 'todo__late'])
    expect(await agent.call('todo__late')).toBe('2')
    app.notify('actions/list_changed', { actions: [{ name: 'late', description: 'Better.' }] })
    await listed(['todo__late'])
    expect(await agent.call('todo__first')).toBe('failed: "Todos" has no action "first" (any more).')
    expect((await agent.client.listTools()).tools.at(-1)).toMatchObject({ name: 'todo__late', description: 'Better.' })
    app.hangUp()
    await listed([])
    await changes.when(() => changes.all.length > 2)

    async function listed(names: string[]): Promise<void> {
      for (;;) {
        const tools = (await agent.toolNames()).filter(name => name.startsWith('todo__'))
        if (tools.join() === names.join()) return
      }
    }
  })

  it('reads resources, and hears of those it subscribed to', async () => {
    const { url } = await startGateway()
    const updates = new Mailbox<string>()
    const agent = await agentOn(url, era)
    agent.client.setNotificationHandler('notifications/resources/updated', ({ params }) => updates.put(params.uri))
    const app = await claimedApp(url, agent, {
      resources: [
        { name: 'route', description: 'Where the person is.', subscribable: true },
        { name: 'odd name/{x}', mimeType: 'text/plain' },
      ],
    })
    const { resources } = await agent.client.listResources()
    expect(resources).toMatchObject([
      { uri: 'tesseron://todo/route', description: 'Where the person is.', mimeType: 'application/json' },
      { uri: 'tesseron://todo/odd%20name%2F%7Bx%7D', mimeType: 'text/plain' },
    ])
    const reading = agent.client.readResource({ uri: 'tesseron://todo/route' })
    const asked = await app.when('resources/read')
    expect(asked.params).toEqual({ name: 'route' })
    app.send({ id: asked.id, result: { value: { path: '/cart' } } })
    expect((await reading).contents).toMatchObject([{ text: '{"path":"/cart"}' }])
    const subscribed = await app.when('resources/subscribe')
    expect(subscribed.params).toMatchObject({ name: 'route', subscriptionId: expect.any(String) })
    const uri = 'tesseron://todo/route'
    if (era === '2026-07-28') await agent.client.listen({ resourceSubscriptions: [uri] })
    else await agent.client.subscribeResource({ uri })
    app.notify('resources/updated', { subscriptionId: subscribed.params?.subscriptionId, value: '/done' })
    expect(await updates.when(() => true)).toBe('tesseron://todo/route')
    app.notify('resources/list_changed', { resources: [] })
    expect((await app.when('resources/unsubscribe')).params).toEqual({
      subscriptionId: subscribed.params?.subscriptionId,
    })
  })

  it('lends its model, where it has one', async () => {
    const { url } = await startGateway()
    const without = await agentOn(url, era)
    const agent = await agentOn(url, era, { capabilities: { sampling: {} }, name: 'sampler' })
    agent.client.setRequestHandler('sampling/createMessage', ({ params }) => ({
      role: 'assistant' as const,
      model: 'test',
      content: {
        type: 'text' as const,
        text: params.systemPrompt ? '```json\n{"mood":"fine"}\n```' : `${params.maxTokens}`,
      },
    }))
    await claimedApp(url, agent, {
      actions: [
        {
          name: 'sample',
          run: async ({ id: invocationId, app, input }) => {
            const { result, error } = await app.request('sampling/request', { invocationId, prompt: 'How?', ...input })
            return result ?? { code: error?.code }
          },
        },
      ],
    })
    expect(await agent.call('todo__sample', { maxTokens: 80 })).toBe('{"content":"80"}')
    expect(await agent.call('todo__sample', { schema: { type: 'object' } })).toBe('{"content":{"mood":"fine"}}')
    expect(await agent.call('todo__sample', { prompt: 7 })).toBe('{"code":-32602}')
    expect(await without.call('todo__sample')).toBe('{"code":-32006}')
  })
})

it('passes the data of progress on', async () => {
  const { url } = await startGateway()
  const agent = await agentOn(url, '2026-07-28')
  await claimedApp(url, agent, {
    actions: [
      {
        name: 'import',
        run: async ({ id: invocationId, app }) => {
          app.notify('actions/progress', { invocationId, percent: 40, data: { rows: 12 } })
          return 'done'
        },
      },
    ],
  })
  const text = await mcpText(url, 'tools/call', { name: 'todo__import' }, { meta: { progressToken: 'p' } })
  expect(text).toContain('"progress":40,"total":100,"_meta":{"tesseron/data":{"rows":12}}')
})

it('passes logs on to the client of the call', async () => {
  const { url } = await startGateway()
  const agent = await agentOn(url, '2025-11-25')
  const logs = new Mailbox<object>()
  agent.client.setNotificationHandler('notifications/message', ({ params }) => logs.put(params))
  await claimedApp(url, agent, {
    actions: [
      {
        name: 'work',
        run: ({ id: invocationId, app }) => {
          app.notify('log', { invocationId, level: 'warn', message: 'Careful.', meta: { row: 3 } })
          app.notify('log', { level: 'info', message: 'Nobody asked.' })
          return 'done'
        },
      },
    ],
  })
  await agent.call('todo__work')
  expect(await logs.when(() => true)).toMatchObject({
    level: 'warning',
    logger: 'todo',
    data: { message: 'Careful.', meta: { row: 3 } },
  })
  expect(logs.all.length).toBe(1)
})

it('lets a model go only so deep into actions that ask a model', async () => {
  const { url } = await startGateway()
  const agent = await agentOn(url, '2025-11-25', { capabilities: { sampling: {} } })
  const deepest: unknown[] = []
  agent.client.setRequestHandler('sampling/createMessage', async () => {
    await agent.call('todo__think')
    return { role: 'assistant' as const, model: 'test', content: { type: 'text' as const, text: 'hm' } }
  })
  await claimedApp(url, agent, {
    actions: [
      {
        name: 'think',
        run: async ({ id: invocationId, app }) => {
          const { error } = await app.request('sampling/request', { invocationId, prompt: 'Think.' })
          deepest.push(error && [error.code, error.data])
          return 'thought'
        },
      },
    ],
  })
  expect(await agent.call('todo__think')).toBe('thought')
  expect(deepest).toEqual([[-32008, { depth: 3, max: 3 }], undefined, undefined, undefined])
})

describe('the meta tools', () => {
  it('do what the tools of an application do', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28', { answer: () => ({ action: 'accept', content: {} }) })
    const app = await claimedApp(url, agent, {
      actions: [
        {
          name: 'greet',
          description: 'Greets.',
          run: async ({ ask, input }) => ({ hello: input.name, ok: (await ask('Greet?')).result?.action }),
        },
      ],
      resources: [{ name: 'route' }],
    })
    expect(JSON.parse(await agent.call('tesseron__list_actions'))).toMatchObject({
      apps: [
        {
          app_id: 'todo',
          connected: true,
          actions: [{ action: 'greet', tool: 'todo__greet', description: 'Greets.' }],
          resources: [{ name: 'route', uri: 'tesseron://todo/route' }],
        },
      ],
    })
    const args = { app_id: 'todo', action: 'greet', args: { name: 'Ada' } }
    expect(await agent.call('tesseron__invoke_action', args)).toBe('{"hello":"Ada","ok":"accept"}')
    const reading = agent.call('tesseron__read_resource', { app_id: 'todo', name: 'route' })
    const { id } = await app.when('resources/read')
    app.send({ id, result: { value: '/cart' } })
    expect(await reading).toBe('/cart')
  })
})

describe('names with two underscores', () => {
  it('lead to the application that they belong to', async () => {
    const { url, logs } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    await claimedApp(url, agent, { id: 'a__b', actions: [{ name: 'c', run: () => 'a__b: c' }] })
    await claimedApp(url, agent, {
      id: 'a',
      actions: [
        { name: 'b__c', run: () => 'a: b__c' },
        { name: 'b__d', run: () => 'a: b__d' },
        { name: 'with space', run: () => 'a: with space' },
      ],
    })
    expect(await agent.call('a_-_b__c')).toBe('a__b: c')
    expect(await agent.call('a__b__c')).toBe('a: b__c')
    expect(await agent.call('a__b__d')).toBe('a: b__d')
    for (const action of ['b__c', 'with space'])
      expect(await agent.call('tesseron__invoke_action', { app_id: 'a', action })).toBe(`a: ${action}`)
    expect(logs).toContain('"a__with space" is not a valid tool name: call it by tesseron__invoke_action.')
  })
})

it('has an application begin anew that says hello twice', async () => {
  const { url } = await startGateway()
  const agent = await agentOn(url, '2026-07-28')
  const app = await claimedApp(url, agent, { actions: [{ name: 'hang' }] })
  const called = agent.call('todo__hang')
  await app.when('actions/invoke')
  const { result } = await app.hello()
  expect(result?.claimCode).toEqual(expect.any(String))
  expect(await called).toMatch(/it restarted/)
  expect(await agent.call('todo__hang')).toMatch(/^failed: No application "todo" is claimed/)
})

it('lets pages of this machine connect, others that it was told of, and no more', async () => {
  const { url } = await startGateway({ allowedOrigins: ['https://todo.example'] })
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1', 'http://[::1]:80', 'https://todo.example']) {
    const app = await connectApp(url, {}, { origin })
    onTestFinished(() => app.hangUp())
    expect((await app.hello()).result?.claimCode).toEqual(expect.any(String))
  }
  for (const origin of [
    'https://evil.example',
    'http://localhost.evil.example',
    'null',
    'http://127.0.0.1.evil.example',
  ])
    await expect(connectApp(url, {}, { origin })).rejects.toThrow('403')
  const rebound = { headers: { host: 'evil.example' } }
  await expect(connectApp(url, {}, rebound)).rejects.toThrow('403')
})
