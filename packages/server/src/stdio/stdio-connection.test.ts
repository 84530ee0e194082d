import { InMemoryTransport } from '@modelcontextprotocol/server'
import { createServer } from 'beckon'
import { expect, it, onTestFinished } from 'vitest'

const meta = 'io.modelcontextprotocol/'
const subscriptionId = `${meta}subscriptionId`

/** Whatever came, as it stands on the wire. */
interface Received {
  readonly method?: string
  readonly id?: unknown
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number }
}

/** A client that writes its messages by hand, with tasks. */
async function connect() {
  const server = createServer({ name: 'tasks', version: '1.0.0' })
  server.tool('sure', { task: 'required' }, async (_input, ctx) => ((await ctx.confirm('Sure?')) ? 'Yes.' : 'No.'))
  const [near, far] = InMemoryTransport.createLinkedPair()
  const received: Received[] = []
  near.onmessage = message => void received.push({ ...message } as Received)
  await near.start()
  const serving = server.stdio({ transport: far })
  onTestFinished(() => serving.close())
  const _meta = {
    [`${meta}protocolVersion`]: '2026-07-28',
    [`${meta}clientInfo`]: { name: 'by hand', version: '1' },
    [`${meta}clientCapabilities`]: { elicitation: { form: {} }, extensions: { [`${meta}tasks`]: {} } },
  }
  const next = async (wanted: (message: Received) => boolean) => {
    await expect.poll(() => received.some(wanted), { timeout: 20_000 }).toBe(true)
    return received.splice(received.findIndex(wanted), 1)[0]
  }
  return {
    received,
    next,
    notify: (method: string, params: Record<string, unknown>) => near.send({ jsonrpc: '2.0', method, params }),
    send: (id: number, method: string, params: Record<string, unknown>) =>
      near.send({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }),
    async request(id: number, method: string, params: Record<string, unknown>) {
      await this.send(id, method, params)
      return next(message => message.id === id)
    },
  }
}

async function startTask(client: Awaited<ReturnType<typeof connect>>, id: number): Promise<string> {
  const reply = await client.request(id, 'tools/call', { name: 'sure', arguments: {} })
  return String(reply?.result?.taskId)
}

it('tells who listens how their task stands, until it has ended', async () => {
  const client = await connect()
  const taskId = await startTask(client, 1)
  await client.send(7, 'subscriptions/listen', {
    notifications: { taskIds: [taskId, 'of-someone-else'], toolsListChanged: true },
  })
  expect(await client.next(({ method }) => method === 'notifications/subscriptions/acknowledged')).toMatchObject({
    params: { notifications: { toolsListChanged: true, taskIds: [taskId] }, _meta: { [subscriptionId]: 7 } },
  })
  const { inputRequests } = (await client.request(2, 'tasks/get', { taskId }))?.result ?? {}
  const [key = ''] = Object.keys(inputRequests ?? {})
  await client.request(3, 'tasks/update', { taskId, inputResponses: { [key]: { action: 'accept', content: {} } } })
  const ended = await client.next(
    ({ method, params }) => method === 'notifications/tasks' && params?.status === 'completed',
  )
  expect(ended).toMatchObject({
    params: { taskId, result: { content: [{ text: 'Yes.' }] }, _meta: { [subscriptionId]: 7 } },
  })
})

it('tells nothing more once that was cancelled', async () => {
  const client = await connect()
  const taskId = await startTask(client, 1)
  await client.send(7, 'subscriptions/listen', { notifications: { taskIds: [taskId] } })
  await client.next(({ method }) => method === 'notifications/subscriptions/acknowledged')
  await client.notify('notifications/cancelled', { requestId: 7 })
  await client.request(2, 'tasks/cancel', { taskId })
  expect((await client.request(3, 'tasks/get', { taskId }))?.result).toMatchObject({ status: 'cancelled' })
  expect(client.received.filter(({ method }) => method === 'notifications/tasks')).toEqual([])
})

it.each([
  ['the first message', false],
  ['a later one', true],
])('refuses %s when it is nested too deeply, and answers the next', async (_, isOpen) => {
  const client = await connect()
  if (isOpen) await client.request(1, 'tools/list', {})
  const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)
  expect(await client.request(2, 'tools/list', { deep })).toMatchObject({ error: { code: -32600 } })
  await client.notify('notifications/cancelled', { deep })
  expect(await client.request(3, 'tools/list', {})).toMatchObject({ result: { tools: [{ name: 'sure' }] } })
})

it('refuses who names more tasks than one request may', async () => {
  const client = await connect()
  await startTask(client, 1)
  const taskIds = Array.from({ length: 101 }, (_, n) => `task-${n}`)
  expect(await client.request(7, 'subscriptions/listen', { notifications: { taskIds } })).toMatchObject({
    error: { code: -32602 },
  })
})

it.each([
  ['tells of tasks', (taskId: string) => ({ taskIds: [taskId] })],
  ['tells of tools', () => ({ toolsListChanged: true })],
])('refuses a second request with the id of one that is open and %s, and tells on for the first', async (_, filter) => {
  const client = await connect()
  const taskId = await startTask(client, 1)
  await client.send(7, 'subscriptions/listen', { notifications: { taskIds: [taskId] } })
  await client.next(({ method }) => method === 'notifications/subscriptions/acknowledged')
  expect(await client.request(7, 'subscriptions/listen', { notifications: filter(taskId) })).toMatchObject({
    error: { code: -32600 },
  })
  await client.request(2, 'tasks/cancel', { taskId })
  await client.next(({ method, params }) => method === 'notifications/tasks' && params?.status === 'cancelled')
  await client.request(3, 'tasks/get', { taskId })
  expect(client.received.filter(({ params }) => params?.status === 'cancelled')).toEqual([])
})

it('lets an id be used again once its request was cancelled', async () => {
  const client = await connect()
  const taskId = await startTask(client, 1)
  for (const filter of [{ toolsListChanged: true }, { taskIds: [taskId] }, { taskIds: [] }]) {
    await client.send(7, 'subscriptions/listen', { notifications: filter })
    await client.next(({ method }) => method === 'notifications/subscriptions/acknowledged')
    await client.notify('notifications/cancelled', { requestId: 7 })
  }
  await client.request(2, 'tasks/cancel', { taskId })
  await client.request(3, 'tasks/get', { taskId })
  expect(client.received).toEqual([])
})
