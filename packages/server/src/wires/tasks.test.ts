import { type BeckonServer, createServer } from 'beckon'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { deskDouble } from '../../test/desk-double.js'
import { eventsOf } from '../../test/raw-http.js'
import { createTestClient } from '../test/index.js'

type Result = Record<string, unknown> & { taskId: string }

const meta = 'io.modelcontextprotocol/'
const tasks = { [`${meta}tasks`]: {} }

describe('tasks', () => {
  let server: BeckonServer
  beforeEach(() => {
    server = createServer({ name: 'tasks', version: '1.0.0' })
    server.tool('quick', { task: 'required' }, () => 'Done.')
    server.tool('failing', { task: 'required' }, (_input, ctx) => ctx.error('No luck.'))
    server.tool('broken', { task: 'required' }, () => {
      throw Object.assign(new Error('Not at all.'), { code: -32000 })
    })
    server.tool('hanging', { task: 'optional' }, () => new Promise<string>(() => {}))
    server.tool('pair', { task: 'optional' }, async (_input, ctx) =>
      JSON.stringify(
        await Promise.all([
          ctx.elicit({ question: 'Who?', schema: z.object({ name: z.string() }), key: 'who' }),
          ctx.confirm({ question: 'Sure?', key: 'sure' }),
        ]),
      ),
    )
  })
  afterEach(() => server.close())

  async function request(method: string, params: Record<string, unknown>, extensions: object = tasks) {
    const _meta = {
      [`${meta}protocolVersion`]: '2026-07-28',
      [`${meta}clientCapabilities`]: { elicitation: { form: {} }, extensions },
    }
    const response = await server.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          'mcp-name': String(params.name ?? params.taskId),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
      }),
    )
    const body: { result: Result; error?: { code: number } } = JSON.parse(await response.text())
    return body
  }

  const start = async (name: string) => (await request('tools/call', { name })).result
  const get = async ({ taskId }: Result) => (await request('tasks/get', { taskId })).result
  const update = async ({ taskId }: Result, inputResponses: object) =>
    (await request('tasks/update', { taskId, inputResponses })).result

  it('are made of handlers that end at once, too', async () => {
    const task = await start('quick')
    expect(task).toMatchObject({ resultType: 'task', taskId: expect.any(String), ttlMs: expect.any(Number) })
    expect(await get(task)).toMatchObject({ status: 'completed', result: { content: [{ text: 'Done.' }] } })
  })

  it('are completed when the tool failed, and failed when the request did', async () => {
    expect(await get(await start('failing'))).toMatchObject({ status: 'completed', result: { isError: true } })
    expect(await get(await start('broken'))).toMatchObject({
      status: 'failed',
      statusMessage: 'Not at all.',
      error: { code: -32000 },
    })
  })

  it('take answers one by one, and nothing that was not asked', async () => {
    const task = await start('pair')
    expect(Object.keys(Object((await get(task)).inputRequests))).toEqual(['who', 'sure'])
    await update(task, { other: { action: 'accept' }, who: 12 })
    await update(task, { who: { action: 'accept', content: { name: 'Ada', more: true } } })
    const waiting = await get(task)
    expect(waiting.status).toBe('input_required')
    expect(Object.keys(Object(waiting.inputRequests))).toEqual(['sure'])
    await update(task, { sure: { action: 'decline' } })
    expect(await get(task)).toMatchObject({
      status: 'completed',
      result: { content: [{ text: '[{"name":"Ada"},false]' }] },
    })
  })

  it('are cancelled at once, for good', async () => {
    const task = await start('hanging')
    expect(await get(task)).toMatchObject({ status: 'working' })
    await request('tasks/cancel', { taskId: task.taskId })
    await request('tasks/cancel', { taskId: task.taskId })
    expect(await get(task)).toMatchObject({ status: 'cancelled' })
  })

  it('are told of to who listens for them, and to nobody else', async () => {
    const task = await start('pair')
    const listen = async (taskIds: string[], extensions: object = tasks) => {
      const _meta = {
        [`${meta}protocolVersion`]: '2026-07-28',
        [`${meta}clientCapabilities`]: { extensions },
        [`${meta}clientInfo`]: { name: 'listener', version: '1' },
      }
      const response = await server.fetch(
        new Request('http://localhost/mcp', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'subscriptions/listen',
          },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 7,
            method: 'subscriptions/listen',
            params: { notifications: { taskIds }, _meta },
          }),
        }),
      )
      return response
    }
    const next = async (events: ReturnType<typeof eventsOf>) => JSON.parse((await events.next())?.data ?? '')
    const events = eventsOf(await listen([task.taskId, 'of-someone-else']))
    expect(await next(events)).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [task.taskId] }, _meta: { [`${meta}subscriptionId`]: 7 } },
    })
    await update(task, { who: { action: 'accept', content: { name: 'Ada' } } })
    expect(await next(events)).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId: task.taskId, status: 'input_required', inputRequests: { sure: {} } },
    })
    await update(task, { sure: { action: 'accept' } })
    let last = await next(events)
    while (last.params.status !== 'completed') last = await next(events)
    expect(last.params).toMatchObject({ result: { content: [{ text: '[{"name":"Ada"},true]' }] } })
    await events.cancel()
    const undeclared = await listen([task.taskId], {})
    expect(undeclared.status).toBe(400)
    expect(await undeclared.json()).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { extensions: tasks } } },
    })
  })

  it('need a client that declares them, and an id that is known', async () => {
    expect((await request('tools/call', { name: 'quick' }, {})).error?.code).toBe(-32021)
    expect((await request('tasks/get', { taskId: 'unknown' }, {})).error?.code).toBe(-32021)
    expect((await request('tasks/get', { taskId: 'unknown' })).error?.code).toBe(-32602)
  })

  it('are left out for a client that does not declare them, where they are optional', async () => {
    expect((await request('tools/call', { name: 'pair' }, {})).result.resultType).toBe('input_required')
  })
})

it('say that people are asked elsewhere, until they have answered', async () => {
  const desk = deskDouble()
  const server = createServer({ name: 'tasks', version: '1.0.0', desk })
  const approval = { audience: { groups: ['board'] } }
  server.tool('pay', { approval }, async (_input, ctx) => ((await ctx.confirm('Pay "5"?')) ? 'Paid.' : 'Not paid.'))
  const client = createTestClient(server, { wire: 'rounds', capabilities: { extensions: tasks } })
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  const { taskId } = (await client.request('tools/call', { name: 'pay' })) as Result
  const get = async () => (await client.request('tasks/get', { taskId })) as Result
  await vi.waitFor(() => expect(desk.messages()).toHaveLength(1))
  const statusMessage = 'A person was asked on the desk: "Pay \\"5\\"?". They have not answered yet.'
  expect(await get()).toMatchObject({ status: 'working', statusMessage })
  desk.answer('Pay "5"?', { action: 'accept', content: {} })
  await vi.waitFor(async () => expect(await get()).toMatchObject({ status: 'completed' }))
  expect(await get()).not.toHaveProperty('statusMessage')
})
