// A task of someone else is one that is not there, also for who listens for it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BeckonServer, createServer } from '../src/index.js'
import { tasksExtension } from '../src/protocol/capabilities.js'
import { Tasks } from '../src/wires/tasks.js'
import { eventsOf } from './raw-http.js'
import { createNode, turn } from './round-node.js'

const capabilities = { extensions: { [tasksExtension]: {} } }

describe('a task', () => {
  it.each(['bob', undefined])('cannot be watched by %s, who did not begin it', async other => {
    let id = ''
    const { runner, clock, send } = createNode(call => {
      id = call.id
      call.becomeTask()
      return call.ask({ kind: 'confirm', message: 'Sure?' }, { timeoutMs: 3_600_000, wire: 'tasks' })
    })
    send({ principal: 'alice' }).catch(() => {})
    await turn()
    const tasks = new Tasks(runner.durable, clock)
    const told: unknown[] = []
    const watch = (principal: string | undefined) =>
      tasks.watch({ taskId: id, principal, capabilities }, task => told.push(task))
    expect(await watch(other)).toBeUndefined()
    await runner.durable.cancel(id)
    clock.advance(60_000)
    await turn()
    expect(told).toEqual([])
    const stop = await watch('alice')
    expect(stop).toBeTypeOf('function')
    stop?.()
  })
})

describe('subscriptions/listen over HTTP', () => {
  let server: BeckonServer
  beforeEach(() => {
    server = createServer({
      name: 'tasks',
      version: '1.0.0',
      identify: ({ headers }) => headers.get('authorization') ?? undefined,
    })
    server.tool(
      'sure',
      { task: 'required' },
      async (_input, ctx) => `${await ctx.confirm({ question: 'Sure?', key: 'sure' })}`,
    )
  })
  afterEach(() => server.close())

  function request(who: string, method: string, params: Record<string, unknown>): Promise<Response> {
    const meta = 'io.modelcontextprotocol/'
    const _meta = {
      [`${meta}protocolVersion`]: '2026-07-28',
      [`${meta}clientCapabilities`]: { elicitation: { form: {} }, ...capabilities },
      [`${meta}clientInfo`]: { name: 'c', version: '1' },
    }
    return server.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          authorization: who,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          ...(method !== 'subscriptions/listen' && { 'mcp-name': String(params.name ?? params.taskId) }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { ...params, _meta } }),
      }),
    )
  }

  const resultOf = async (response: Promise<Response>) => JSON.parse(await (await response).text())

  async function listen(who: string, taskIds: string[]) {
    const events = eventsOf(await request(who, 'subscriptions/listen', { notifications: { taskIds } }))
    return { next: async () => JSON.parse((await events.next())?.data ?? 'null'), cancel: () => events.cancel() }
  }

  it('tells nobody of a task of someone else, nor that there is one', async () => {
    const begin = async (who: string): Promise<string> =>
      (await resultOf(request(who, 'tools/call', { name: 'sure' }))).result.taskId
    const [alices, bobs] = [await begin('alice'), await begin('bob')]
    expect(await resultOf(request('bob', 'tasks/get', { taskId: alices }))).toMatchObject({ error: { code: -32602 } })
    const bob = await listen('bob', [alices, bobs, 'there-is-none'])
    expect(await bob.next()).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [bobs] } },
    })
    const alice = await listen('alice', [alices])
    expect(await alice.next()).toMatchObject({ params: { notifications: { taskIds: [alices] } } })
    const answer = (who: string, taskId: string) =>
      request(who, 'tasks/update', { taskId, inputResponses: { sure: { action: 'accept', content: {} } } })
    await answer('alice', alices)
    let told = await alice.next()
    while (told.params.status !== 'completed') told = await alice.next()
    // The first that Bob hears of is his own.
    await answer('bob', bobs)
    expect(await bob.next()).toMatchObject({ method: 'notifications/tasks', params: { taskId: bobs } })
    await Promise.all([alice.cancel(), bob.cancel()])
  })
})
