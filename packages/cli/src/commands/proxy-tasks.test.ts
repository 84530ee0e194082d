// Tasks through the proxy, message by message: as they are without it, or with their asks in the inbox.
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { askingServer } from '../../test/asking-server.js'
import { beckon, node, type Running, startBeckon } from '../../test/beckon.js'
import { openInbox } from '../../test/inbox-person.js'
import { type Json, type RawClient, rawHttp, rawStdio } from '../../test/raw-client.js'

const patient = 120_000
const onStdio = [...node, fileURLToPath(new URL('../../test/serve-asking.ts', import.meta.url))]
const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
const asking = { elicitation: { form: {}, url: {} } }
const server = askingServer()
const proxies: Running[] = []
const clients: RawClient[] = []
let url = ''

beforeAll(async () => {
  url = (await server.listen({ port: 0 })).url
})

afterAll(() => server.close())

afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  await Promise.all(proxies.splice(0).map(proxy => proxy.stop()))
}, patient)

const nothing: RawClient['written'] = () => Promise.reject(new Error('It writes nothing.'))

function direct(over: string, capabilities: Json): RawClient {
  const client = over === 'stdio' ? rawStdio(onStdio, capabilities) : rawHttp(url, capabilities, nothing)
  clients.push(client)
  return client
}

async function behindProxy(over: string, capabilities: Json): Promise<RawClient> {
  if (over === 'stdio') {
    const client = rawStdio(beckon('proxy', '--', ...onStdio), capabilities)
    clients.push(client)
    return client
  }
  const proxy = startBeckon(['proxy', '--http', '0', url])
  proxies.push(proxy)
  return rawHttp((await proxy.written(/the proxy is at (\S+)/))[1] ?? '', capabilities, proxy.written)
}

/** Looks at a task until it has this status, at the pace that it asks for. */
async function until(client: RawClient, taskId: unknown, status: string): Promise<Json> {
  for (;;) {
    const state = await client.request('tasks/get', { taskId })
    if (state.status === status) return state
    if ('code' in state) throw new Error(`It is no task: ${state.message}`)
    await new Promise(resolve => setTimeout(resolve, Math.min(Number(state.pollIntervalMs ?? 100), 100)))
  }
}

/** A task answered, one cancelled, one that is none; ids and times are left out, which are never the same. */
async function lifeOfTasks(client: RawClient): Promise<Json[]> {
  const discovered = await client.request('server/discover')
  const created = await client.request('tools/call', { name: 'long', arguments: {} })
  const { taskId } = created
  const waiting = await until(client, taskId, 'input_required')
  const [key = ''] = Object.keys(waiting.inputRequests as Json)
  const unknown = await client.request('tasks/update', { taskId, inputResponses: { nobody: { action: 'cancel' } } })
  const inputResponses = { [key]: { action: 'accept', content: {} } }
  const updated = await client.request('tasks/update', { taskId, inputResponses })
  const completed = await until(client, taskId, 'completed')
  const other = await client.request('tools/call', { name: 'long' })
  const cancelled = await client.request('tasks/cancel', { taskId: other.taskId })
  const gone = await until(client, other.taskId, 'cancelled')
  const missing = await client.request('tasks/get', { taskId: 'made-up' })
  return [discovered, created, waiting, unknown, updated, completed, other, cancelled, gone, missing].map(comparable)
}

function comparable(reply: Json): Json {
  const { taskId, createdAt, lastUpdatedAt, inputRequests, ...others } = reply
  const rest = { ...others, ...(inputRequests !== undefined && { asks: Object.values(inputRequests as Json) }) }
  // A task that was just made may or may not have come to its question.
  const kept = reply.resultType === 'task' ? { ...rest, status: '', statusMessage: '' } : rest
  return { ...kept, has: [taskId, createdAt, lastUpdatedAt].map(value => typeof value) }
}

describe.each(['stdio', 'http'])('tasks over %s', over => {
  it('pass unchanged between a client and a server that have them', { timeout: patient }, async () => {
    const capabilities = { ...tasks, ...asking }
    const expected = await lifeOfTasks(direct(over, capabilities))
    expect(expected[1]).toMatchObject({ resultType: 'task', has: ['string', 'string', 'string'] })
    expect(expected[5]).toMatchObject({ result: { content: [{ text: 'Finished.' }] } })
    expect(expected.at(-1)).toMatchObject({ code: -32602 })
    expect(await lifeOfTasks(await behindProxy(over, capabilities))).toEqual(expected)
  })

  it('ask in the inbox for a client that cannot ask', { timeout: patient }, async () => {
    const client = await behindProxy(over, tasks)
    const { taskId, resultType } = await client.request('tools/call', { name: 'long', arguments: {} })
    expect(resultType).toBe('task')
    const seen: Json[] = []
    const done = (async () => {
      for (;;) {
        const state = await client.request('tasks/get', { taskId })
        if (state.status !== 'working') return state
        seen.push(state)
        await new Promise(resolve => setTimeout(resolve, 50))
      }
    })()
    const person = await openInbox((await client.written(/asks: Finish\? Answer at (\S+)/))[1] ?? '')
    expect(await person.answer('Finish?', { action: 'accept' })).toMatchObject({ tool: 'long', arguments: {} })
    expect(await done).toMatchObject({ status: 'completed', result: { content: [{ text: 'Finished.' }] } })
    expect(seen.some(state => 'inputRequests' in state)).toBe(false)
    expect(seen.some(({ statusMessage }) => String(statusMessage).startsWith('A person was asked'))).toBe(true)
  })

  it('come off the desk when they are cancelled', { timeout: patient }, async () => {
    const client = await behindProxy(over, tasks)
    const { taskId } = await client.request('tools/call', { name: 'long' })
    const looking = until(client, taskId, 'cancelled')
    const person = await openInbox((await client.written(/asks: Finish\? Answer at (\S+)/))[1] ?? '')
    await person.sees('Finish?')
    await client.request('tasks/cancel', { taskId })
    expect(await looking).toMatchObject({ status: 'cancelled' })
    await person.seesNothing()
  })

  it('are refused as the server does it to a client that has none', { timeout: patient }, async () => {
    const wanted = (client: RawClient) => client.request('tasks/get', { taskId: 'made-up' })
    const expected = await wanted(direct(over, asking))
    expect(expected).toMatchObject({ code: -32021 })
    expect(await wanted(await behindProxy(over, asking))).toEqual(expected)
  })
})
