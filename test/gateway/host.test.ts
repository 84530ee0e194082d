// A host with an official client, whose people answer on a desk what an application asks: on every wire, tasks included.
import { createDesk } from '@beckon/desk'
import { answerWith } from '@beckon/host'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ActionStub, connectApp } from '../../packages/gateway/test/raw-app.js'
import { startGateway } from '../../packages/gateway/test/setup.js'
import { createClient, type Era, tasks } from '../../packages/host/test/eras.js'
import { Person } from '../../packages/host/test/person.js'

const form = { type: 'object', properties: { room: { type: 'string' } }, required: ['room'] }

const booking: ActionStub = {
  name: 'book',
  run: async ({ ask, input }) => {
    const { result: sure } = await ask(`Book for ${input.guests}?`)
    if (sure?.action !== 'accept') return { sure: sure?.action }
    return (await ask('Which room?', form)).result
  },
}

const wires: { wire: string; era: Era; capabilities: object }[] = [
  { wire: 'push', era: '2025-06-18', capabilities: {} },
  { wire: 'push', era: '2025-11-25', capabilities: {} },
  { wire: 'rounds', era: '2026-07-28', capabilities: {} },
  { wire: 'tasks', era: '2026-07-28', capabilities: { ...tasks, elicitation: { form: {} } } },
]

describe.each(wires)('a host of $era, by $wire', ({ wire, era, capabilities }) => {
  async function setUp() {
    const desk = createDesk()
    onTestFinished(() => desk.close())
    const person = await Person.at((await desk.listen()).socketUrl)
    onTestFinished(() => person.close())
    const { url } = await startGateway()
    const client = createClient(era, capabilities)
    const requests = vi.spyOn(client, 'request')
    const answered = answerWith(desk, client)
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    onTestFinished(() => client.close())
    const app = await connectApp(url, { actions: [booking] })
    onTestFinished(() => app.hangUp())
    const { result } = await app.hello()
    await client.callTool({ name: 'tesseron__claim_session', arguments: { code: result?.claimCode } })
    const call = (signal?: AbortSignal) =>
      answered.callTool({ name: 'todo__book', arguments: { guests: 3 } }, signal && { signal })
    return { person, app, call, methods: () => requests.mock.calls.map(([{ method }]) => method) }
  }

  it('has every ask of a call answered, and shows which application asks', async () => {
    const { person, app, call, methods } = await setUp()
    const called = call()
    const sure = await person.next()
    expect(sure).toMatchObject({
      server: 'beckon-gateway',
      request: {
        message: 'Book for 3?',
        _meta: { 'beckon/asker': 'Todos', 'beckon/tool': 'todo__book', 'beckon/arguments': { guests: 3 } },
      },
    })
    await person.accept(sure)
    await person.accept(await person.next(), { room: { kind: 'text', value: '12' } })
    expect(await called).toMatchObject({ structuredContent: { action: 'accept', value: { room: '12' } } })
    expect(methods().includes('tasks/get')).toBe(wire === 'tasks')
    expect(app.frames.all.filter(({ method }) => method === 'actions/invoke')).toHaveLength(1)
  })

  it.each(['decline', 'cancel'] as const)('brings a %s back as it is', async action => {
    const { person, call } = await setUp()
    const called = call()
    await person[action](await person.next())
    expect(await called).toMatchObject({ structuredContent: { sure: action } })
  })

  it('has the action cancelled and the ask withdrawn when the host gives up', async () => {
    const { person, app, call } = await setUp()
    const stop = new AbortController()
    const called = call(stop.signal)
    called.catch(() => {})
    const seen = await person.next()
    stop.abort(new Error('Enough.'))
    await expect(called).rejects.toThrow('Enough.')
    await person.gone(seen)
    // Between rounds no client can cancel: such a call ends when its ask expires.
    if (wire !== 'rounds') await app.when('actions/cancel')
  })

  it('is told when the application goes away during an ask', async () => {
    const { person, app, call } = await setUp()
    const called = call()
    const seen = await person.next()
    app.hangUp()
    // In rounds nobody can be told before the client comes back.
    if (wire === 'rounds') await person.accept(seen)
    const [block] = (await called).content
    expect(block).toMatchObject({ text: expect.stringMatching(/^"Todos" did not finish: The application went away/) })
    await person.gone(seen)
  })
})
