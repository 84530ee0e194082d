// The two ways to a person that take no open connection: the tasks extension, and the desk.
import type { AskDesk, AskSubject, DeskRequest } from 'beckon/desk/adapter'
import { expect, it } from 'vitest'
import { Mailbox } from './mailbox.js'
import type { ActionStub } from './raw-app.js'
import { mcp } from './raw-mcp.js'
import { agentOn, claimedApp, startGateway } from './setup.js'

const form = { type: 'object', properties: { room: { type: 'string' } }, required: ['room'] }

const booking: ActionStub = {
  name: 'book',
  run: async ({ ask }) => {
    if ((await ask('Book a room?')).result?.action !== 'accept') return 'Nothing booked.'
    const { result, error } = await ask('Which room?', form)
    return result?.value ?? error?.code
  },
}

const tasks = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } }

it('asks in a task, and goes on with what tasks/update brings', async () => {
  const { url } = await startGateway()
  const agent = await agentOn(url, '2026-07-28')
  const app = await claimedApp(url, agent, { actions: [booking] })
  const options = { capabilities: tasks }
  const { result } = await mcp(url, 'tools/call', { name: 'todo__book' }, options)
  expect(result).toMatchObject({ resultType: 'task' })
  const taskId = result?.taskId
  const open = async () => {
    for (;;) {
      const { result: task } = await mcp(url, 'tasks/get', { taskId }, options)
      if (task?.status !== 'working') return task
    }
  }
  for (const content of [{}, { room: '12' }]) {
    const task = await open()
    expect(task?.status).toBe('input_required')
    const [key = ''] = Object.keys(task?.inputRequests as object)
    await mcp(url, 'tasks/update', { taskId, inputResponses: { [key]: { action: 'accept', content } } }, options)
  }
  expect(await open()).toMatchObject({ status: 'completed', result: { structuredContent: { room: '12' } } })
  expect(app.frames.all.filter(({ method }) => method === 'actions/invoke').length).toBe(1)
})

it('cancels the action of a task that is cancelled', async () => {
  const { url } = await startGateway()
  const agent = await agentOn(url, '2026-07-28')
  const app = await claimedApp(url, agent, { actions: [booking] })
  const options = { capabilities: tasks }
  const { result } = await mcp(url, 'tools/call', { name: 'todo__book' }, options)
  await app.when('actions/invoke')
  await mcp(url, 'tasks/cancel', { taskId: result?.taskId }, options)
  await app.when('actions/cancel')
})

/** A desk with someone at it who accepts everything. */
function staffedDesk(): { desk: AskDesk; asked: Mailbox<AskSubject & DeskRequest> } {
  const asked = new Mailbox<AskSubject & DeskRequest>()
  const desk: AskDesk = {
    async open(subject, request) {
      asked.put({ ...subject, ...request })
      const { id, form } = request
      return {
        id,
        link: 'http://desk.example/',
        outcome: async () => ({ action: 'accept', content: form === undefined ? {} : { room: '7' } }),
        withdraw: async () => {},
      }
    },
  }
  return { desk, asked }
}

it.each(['2025-11-25', '2026-07-28'] as const)(
  'takes an ask to the desk, for a client of %s that cannot ask',
  async era => {
    const { desk, asked } = staffedDesk()
    const { url } = await startGateway({ server: { desk } })
    const agent = await agentOn(url, era)
    const app = await claimedApp(url, agent, { actions: [booking] })
    expect((await app.when('tesseron/claimed')).params).toMatchObject({ agentCapabilities: { elicitation: true } })
    expect(await agent.call('todo__book')).toBe('{"room":"7"}')
    expect(asked.all).toMatchObject([{ tool: 'todo__book' }, { tool: 'todo__book', form: { type: 'object' } }])
    expect(asked.all[0]).not.toHaveProperty('form')
  },
)
