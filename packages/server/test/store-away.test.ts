// A node that cannot reach the store, while another one can.
import { describe, expect, it } from 'vitest'
import { createServer } from '../src/index.js'
import { memoryStore } from '../src/store/index.js'
import { createTestClient, createTestClock } from '../src/test/index.js'
import { mortalStore } from '../src/test/mortal-store.js'
import { modernCall } from './raw-http.js'

type Answer = Record<string, unknown>

function createNodes(wire: 'rounds' | 'tasks') {
  const clock = createTestClock()
  const shared = memoryStore({ clock })
  const effects: string[] = []
  const [cut, other] = ['cut', 'other'].map(name => {
    const store = mortalStore(shared)
    const server = createServer({ name: 'shop', version: '1', store, clock })
    server.tool('order', { task: 'optional', annotations: { destructive: true } }, async (_, ctx) => {
      const color = await ctx.elicit({ question: 'Which color?', schema: ['red', 'green'] })
      await ctx.step('pay', () => effects.push(`${color} on ${name}`))
      return ctx.text(`${color}`)
    })
    const client = createTestClient(server, { wire, principal: 'ana', replay: 'when-needed' })
    return { store, request: (method: string, params: Answer) => client.request(method, params) as Promise<Answer> }
  })
  if (cut === undefined || other === undefined) throw new Error('there are two nodes')
  return { clock, cut, other, effects }
}

const answerTo = ({ inputRequests }: Answer, value: string) => ({
  [`${Object.keys(inputRequests as object)[0]}`]: { action: 'accept', content: { value } },
})

describe('a node that cannot reach its store', () => {
  const away = { code: -32603, message: expect.stringMatching(/does not answer/), data: { kind: 'StoreUnavailable' } }

  it.each(['tools/call', 'tasks/get', 'tasks/update', 'tasks/cancel'])(
    'says so in its reply to %s, also before it has its keys',
    async method => {
      const store = mortalStore(memoryStore())
      const problems: unknown[] = []
      const onError = (error: unknown) => problems.push(error)
      const server = createServer({ name: 'shop', version: '1', store, onError })
      server.tool('order', { task: 'optional' }, async (_, ctx) => `${await ctx.confirm('Sure?')}`)
      const init = modernCall({ name: 'order' })
      const { params, ...message } = JSON.parse(String(init.body))
      const { _meta } = params
      _meta['io.modelcontextprotocol/clientCapabilities'] = {
        elicitation: { form: {} },
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      }
      const about = method === 'tools/call' ? { name: 'order', arguments: {} } : { taskId: 'one' }
      const headers = { ...init.headers, 'mcp-method': method, 'mcp-name': String(about.name ?? about.taskId) }
      const body = JSON.stringify({ ...message, method, params: { ...about, _meta } })
      store.isAway = true
      const response = await server.fetch(new Request('http://localhost/mcp', { ...init, headers, body }))
      expect(await response.json()).toMatchObject({ error: away })
      expect(problems).toEqual([])
      await server.close()
    },
  )
})

describe('a node that cannot write', () => {
  it('takes no answer in rounds, leaves the call to others, and follows what they decided', async () => {
    const { cut, other, effects } = createNodes('rounds')
    const call = { name: 'order', arguments: {} }
    const first = await cut.request('tools/call', call)
    const answered = (value: string) => ({
      ...call,
      requestState: first.requestState,
      inputResponses: answerTo(first, value),
    })
    cut.store.isAway = true
    await expect(cut.request('tools/call', answered('red'))).rejects.toThrow(/does not answer/)
    expect(effects).toEqual([])
    const reply = await other.request('tools/call', answered('green'))
    expect(reply.content).toEqual([{ type: 'text', text: 'green' }])
    cut.store.isAway = false
    await expect(cut.request('tools/call', answered('red'))).rejects.toMatchObject({ code: -32602 })
    expect(await cut.request('tools/call', answered('green'))).toEqual(reply)
    expect(effects).toEqual(['green on other'])
  })

  it('takes the same answer once it can, where nobody was faster', async () => {
    const { cut, effects } = createNodes('rounds')
    const call = { name: 'order', arguments: {} }
    const first = await cut.request('tools/call', call)
    const answered = { ...call, requestState: first.requestState, inputResponses: answerTo(first, 'red') }
    cut.store.isAway = true
    await expect(cut.request('tools/call', answered)).rejects.toThrow(/does not answer/)
    cut.store.isAway = false
    expect(await cut.request('tools/call', answered)).toMatchObject({ content: [{ text: 'red' }] })
    expect(effects).toEqual(['red on cut'])
  })

  it('takes no answer for a task, which stays open for others', async () => {
    const { clock, cut, other, effects } = createNodes('tasks')
    const { taskId } = await other.request('tools/call', { name: 'order', arguments: {} })
    const shown = await cut.request('tasks/get', { taskId })
    cut.store.isAway = true
    const refused = cut.request('tasks/update', { taskId, inputResponses: answerTo(shown, 'red') })
    await expect(refused).rejects.toThrow(/does not answer/)
    expect(await other.request('tasks/get', { taskId })).toMatchObject({ status: 'input_required' })
    await other.request('tasks/update', { taskId, inputResponses: answerTo(shown, 'green') })
    cut.store.isAway = false
    let task: Answer = {}
    while (task.status !== 'completed') {
      await clock.advance(1_000)
      task = await cut.request('tasks/get', { taskId })
    }
    expect(task).toMatchObject({ result: { content: [{ text: 'green' }] } })
    expect(effects).toEqual(['green on other'])
  })
})
