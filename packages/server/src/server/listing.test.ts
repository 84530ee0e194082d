import { describe, expect, it, vi } from 'vitest'
import type { Middleware } from '../author/middleware.js'
import { memoryStore } from '../store/memory-store.js'
import { createTestClient, type TestClient } from '../test/index.js'
import { createServer } from './create-server.js'

vi.setConfig({ testTimeout: 60_000 })

const wires = ['push', 'rounds', 'tasks'] as const

const names = async (client: TestClient) => (await client.listTools()).map(({ name }) => name)

/** Resolves when the client was told so often that its tools changed. */
function told(client: TestClient, times = 1): Promise<void> {
  return until(() => countOf(client) >= times)
}

function countOf(client: TestClient): number {
  return client.messages.filter(
    ({ message }) => 'method' in message && message.method === 'notifications/tools/list_changed',
  ).length
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setImmediate(resolve))
}

function shop() {
  const hidden: Middleware = { name: 'staff', onRegister: () => false }
  const server = createServer({ name: 's', version: '1.0.0' })
  server.tool('open', {}, async () => 'open')
  server.tool('staff_only', hidden, {}, async () => 'ran')
  server.tool('alices', { listed: ({ principal }) => principal === 'alice' }, async () => 'ran')
  server.tool('login', {}, async (_input, ctx) => {
    await ctx.session.authorize('staff')
    return 'in'
  })
  server.tool('logout', {}, async (_input, ctx) => {
    await ctx.session.revoke('staff')
    return 'out'
  })
  return server
}

describe('what a caller is shown', () => {
  it.each(wires)('depends on who asks, on %s', async wire => {
    const server = shop()
    const alice = createTestClient(server, { wire, principal: 'alice' })
    const bob = createTestClient(server, { wire, principal: 'bob' })
    expect(await names(alice)).toEqual(['open', 'alices', 'login', 'logout'])
    expect(await names(bob)).toEqual(['open', 'login', 'logout'])
  })

  it.each(wires)('is not what a caller may call, on %s', async wire => {
    const client = createTestClient(shop(), { wire, principal: 'bob' })
    expect(await client.callTool('staff_only')).toMatchObject({ content: [{ text: 'ran' }] })
    expect(await client.callTool('alices')).toMatchObject({ content: [{ text: 'ran' }] })
  })

  it.each(['push', 'rounds'] as const)('changes with authorize and revoke, for one caller alone, on %s', async wire => {
    const server = shop()
    const alice = createTestClient(server, { wire, principal: 'alice' })
    const bob = createTestClient(server, { wire, principal: 'bob' })
    if (wire === 'rounds') for (const client of [alice, bob]) await listen(client)
    await names(bob)
    expect(await names(alice)).not.toContain('staff_only')
    await alice.callTool('login')
    await told(alice)
    expect(await names(alice)).toContain('staff_only')
    expect(await names(bob)).not.toContain('staff_only')
    await alice.callTool('login')
    await alice.callTool('logout')
    await told(alice, 2)
    expect(await names(alice)).not.toContain('staff_only')
    // Being authorized a second time is no change, and nothing of this is Bob's.
    expect(countOf(alice)).toBe(2)
    expect(countOf(bob)).toBe(0)
  })

  it('reaches clients of other processes that share the store', async () => {
    const store = memoryStore()
    const hidden: Middleware = { name: 'staff', onRegister: () => false }
    const [here, there] = [1, 2].map(() => createServer({ name: 's', version: '1.0.0', store }))
    for (const server of [here, there]) server?.tool('staff_only', hidden, {}, async () => 'ran')
    if (here === undefined || there === undefined) throw new Error('There are two.')
    let id = ''
    there.tool('who', {}, async (_input, ctx) => {
      id = ctx.sessionId
      return id
    })
    const client = createTestClient(there, { wire: 'push' })
    await client.callTool('who')
    expect(await names(client)).toEqual(['who'])
    await here.session(id).authorize('staff')
    await told(client)
    expect(await names(client)).toEqual(['staff_only', 'who'])
  })

  it('survives that many are authorized at once', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    const all = Array.from({ length: 20 }, (_, index) => `gate-${index}`)
    const session = server.session('someone')
    await Promise.all(all.map(name => session.authorize(name)))
    expect(await Promise.all(all.map(name => server.session('someone').isAuthorized(name)))).toEqual(
      all.map(() => true),
    )
    expect(await server.session('someone else').isAuthorized('gate-0')).toBe(false)
  })

  it('is decided for prompts, resources and templates in the same way', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    const listed = () => false
    server.prompt('p', { listed }, async () => 'p').prompt('q', {}, async () => 'q')
    server.resource('a://1', { listed }, async () => '1').resource('a://2', {}, async () => '2')
    server.resource('b://{id}', { listed }, async () => '3').resource('c://{id}', {}, async () => '4')
    const client = createTestClient(server)
    expect(await client.request('prompts/list')).toMatchObject({ prompts: [{ name: 'q' }] })
    expect(await client.request('resources/list')).toMatchObject({ resources: [{ uri: 'a://2' }] })
    expect(await client.request('resources/templates/list')).toMatchObject({
      resourceTemplates: [{ uriTemplate: 'c://{id}' }],
    })
  })

  it('takes in middleware for everything that is used later', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    const seen: string[] = []
    server.tool('before', {}, async () => 'b')
    server.use({ name: 'watching', onRegister: ({ kind, name }) => void seen.push(`${kind} ${name}`) })
    server.use({ name: 'hiding', listed: ({ principal }) => principal !== undefined })
    server.tool('after', {}, async () => 'a')
    expect(seen).toEqual(['tool before', 'tool after'])
    expect(await names(createTestClient(server))).toEqual([])
    expect(await names(createTestClient(server, { principal: 'alice' }))).toEqual(['before', 'after'])
  })
})

describe('server.remove', () => {
  it('takes a tool away, tells clients, and lets the name be used again', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('t', {}, async () => 'one')
    const client = createTestClient(server, { wire: 'push' })
    expect(await names(client)).toEqual(['t'])
    expect(server.remove('tool', 't')).toBe(true)
    expect(server.remove('tool', 't')).toBe(false)
    await told(client)
    expect(await names(client)).toEqual([])
    await expect(client.callTool('t')).rejects.toMatchObject({ code: -32602 })
    server.tool('t', {}, async () => 'two')
    expect(await client.callTool('t')).toMatchObject({ content: [{ text: 'two' }] })
  })

  it('takes prompts, resources and templates away', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server
      .prompt('p', {}, async () => 'p')
      .resource('a://1', {}, async () => '1')
      .resource('b://{id}', {}, async () => '2')
    expect([
      server.remove('prompt', 'p'),
      server.remove('resource', 'a://1'),
      server.remove('resource', 'b://{id}'),
    ]).toEqual([true, true, true])
    const client = createTestClient(server)
    expect(await client.request('prompts/list')).toMatchObject({ prompts: [] })
    await expect(client.readResource('b://5')).rejects.toMatchObject({ code: -32602 })
  })
})

/** Opens the stream of changes that 2026-07-28 has. It stays open, so its request has no reply to wait for. */
async function listen(client: TestClient): Promise<void> {
  client.request('subscriptions/listen', { notifications: { toolsListChanged: true } }).catch(() => {})
  await until(() =>
    client.messages.some(
      ({ message }) => 'method' in message && message.method === 'notifications/subscriptions/acknowledged',
    ),
  )
}
