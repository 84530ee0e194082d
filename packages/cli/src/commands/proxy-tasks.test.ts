// Tasks through the proxy, message by message: as they are without it, or with their asks in the inbox.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askingServer } from '../../test/asking-server.js'
import { askingOnStdio, beckon, type Running, startBeckon } from '../../test/beckon.js'
import { type InboxPerson, type OpenAsk, openInbox } from '../../test/inbox-person.js'
import { type Json, type RawClient, rawHttp, rawStdio } from '../../test/raw-client.js'

const patient = 120_000
const onStdio = [...askingOnStdio]
const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
const asking = { elicitation: { form: {}, url: {} } }
const server = askingServer()
/** Shared by everyone who wants the same: each is a process or two. */
const proxies = new Map<string, Running>()
const clients = new Map<string, RawClient>()
const people = new Map<string, Promise<InboxPerson>>()
let url = ''

beforeAll(async () => {
  url = (await server.listen({ port: 0 })).url
})

afterAll(async () => {
  for (const client of clients.values()) client.close()
  await Promise.all([...proxies.values()].map(proxy => proxy.stop()))
  await server.close()
}, patient)

const nothing: RawClient['written'] = () => Promise.reject(new Error('It writes nothing.'))

function client(key: unknown[], open: () => RawClient): RawClient {
  const name = JSON.stringify(key)
  const known = clients.get(name) ?? open()
  clients.set(name, known)
  return known
}

function direct(over: string, capabilities: Json): RawClient {
  return client(['direct', over, capabilities], () =>
    over === 'stdio' ? rawStdio(onStdio, capabilities) : rawHttp(url, capabilities, nothing),
  )
}

async function behindProxy(over: string, capabilities: Json, options: string[] = []): Promise<RawClient> {
  const key = [over, capabilities, options]
  if (over === 'stdio') return client(key, () => rawStdio(beckon('proxy', ...options, '--', ...onStdio), capabilities))
  const proxy = proxies.get(String(options)) ?? startBeckon(['proxy', '--http', '0', ...options, url])
  proxies.set(String(options), proxy)
  const [, at = ''] = await proxy.written(/the proxy is at (\S+)/)
  return client(key, () => rawHttp(at, capabilities, proxy.written))
}

/** Who answers in the inbox, by the link that came with its first ask: the inbox is the proxy's, whichever client asks. */
function inboxOf(over: string, { written }: RawClient, options: string[] = []): Promise<InboxPerson> {
  const key = `${over} ${options}`
  const opened = people.get(key) ?? written(/asks: .* Answer at (\S+)/).then(([, link = '']) => openInbox(link))
  people.set(key, opened)
  return opened
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
    const person = await inboxOf(over, client)
    expect(await person.answer('Finish?', { action: 'accept' })).toMatchObject({ tool: 'long', arguments: {} })
    expect(await done).toMatchObject({ status: 'completed', result: { content: [{ text: 'Finished.' }] } })
    expect(seen.some(state => 'inputRequests' in state)).toBe(false)
    expect(seen.some(({ statusMessage }) => String(statusMessage).startsWith('A person was asked'))).toBe(true)
  })

  it('come off the desk when they are cancelled', { timeout: patient }, async () => {
    const client = await behindProxy(over, tasks)
    const { taskId } = await client.request('tools/call', { name: 'long' })
    const looking = until(client, taskId, 'cancelled')
    const person = await inboxOf(over, client)
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

describe('a call that became a task once it was let run', () => {
  /** What those who approved the last call hear of it. */
  const reported = (person: InboxPerson, ask: OpenAsk) =>
    expect.poll(async () => (await person.look(ask)).report, { timeout: patient })

  it.each(['stdio', 'http'])('says what came of it to who approved it, over %s', { timeout: patient }, async over => {
    const client = await behindProxy(over, { ...tasks, ...asking }, ['--approve'])
    const begin = async () => {
      const created = client.request('tools/call', { name: 'long', arguments: {} })
      const person = await inboxOf(over, client, ['--approve'])
      const ask = await person.answer('Let "long" run?', { action: 'accept' })
      const { taskId } = await created
      const { inputRequests } = await until(client, taskId, 'input_required')
      expect((await person.look(ask)).report).toBeUndefined()
      return { person, ask, taskId, key: Object.keys(inputRequests as Json)[0] ?? '' }
    }
    const { person, ask, taskId, key } = await begin()
    await client.request('tasks/update', { taskId, inputResponses: { [key]: { action: 'accept', content: {} } } })
    await until(client, taskId, 'completed')
    await reported(person, ask).toMatchObject({ status: 'done', text: 'Finished.' })

    const other = await begin()
    await client.request('tasks/cancel', { taskId: other.taskId })
    await until(client, other.taskId, 'cancelled')
    await reported(person, other.ask).toMatchObject({ status: 'failed', text: 'The call was cancelled.' })
  })
})
