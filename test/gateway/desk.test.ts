// An application's asks on a real desk, for clients that cannot ask: put, answered and withdrawn over the desk's own socket.
import { bearerAccess, createDesk, type Desk, type Listening } from '@beckon/desk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ActionStub, emptyForm, type RawApp } from '../../packages/gateway/test/raw-app.js'
import { agentOn, claimedApp, startGateway } from '../../packages/gateway/test/setup.js'
import { Person } from '../../packages/host/test/person.js'

const form = { type: 'object', properties: { room: { type: 'string' } }, required: ['room'] }
const text = (value: string) => ({ kind: 'text', value })
const token = 'the-token-of-the-gateway'

const booking: ActionStub = {
  name: 'book',
  run: async ({ ask }) => {
    const { result: sure } = await ask('Book a room?')
    if (sure?.action !== 'accept') return { sure: sure?.action }
    const { result } = await ask('Which room?', form)
    return result
  },
}

/** A desk of this process, or of another one: an address and a token. */
const ways = {
  'of this process': (desk: Desk, _listening: Listening) => desk,
  'of another process': (_desk: Desk, { url }: Listening) => ({ url, token }),
}

async function openDesk(way: keyof typeof ways) {
  const desk = createDesk({ servers: { rooms: token } })
  onTestFinished(() => desk.close())
  const listening = await desk.listen()
  const person = await Person.at(listening.socketUrl)
  onTestFinished(() => person.close())
  return {
    person,
    attached: ways[way](desk, listening),
    server: way === 'of this process' ? 'beckon-gateway' : 'rooms',
  }
}

const wires = (Object.keys(ways) as (keyof typeof ways)[]).flatMap(way =>
  (['2025-06-18', '2025-11-25', '2026-07-28'] as const).map(era => ({ way, era })),
)

describe.each(wires)('a desk $way, and a client of $era that cannot ask', ({ way, era }) => {
  async function setUp(actions: ActionStub[], options: { wait?: number } = {}) {
    const { person, attached, server } = await openDesk(way)
    const { url } = await startGateway({ server: { desk: attached, wait: 'hold', ...options } })
    const agent = await agentOn(url, era)
    const app = await claimedApp(url, agent, { actions })
    return { person, server, agent, app }
  }

  it('shows which application asks, and takes its answers back to the action', async () => {
    const { person, server, agent } = await setUp([booking])
    const called = agent.call('todo__book')
    const sure = await person.next()
    expect(sure).toMatchObject({
      server,
      title: 'todo__book',
      request: { message: 'Book a room?', _meta: { 'beckon/asker': 'Todos', 'beckon/tool': 'todo__book' } },
    })
    expect(sure.request.questions ?? []).toEqual([])
    await person.accept(sure)
    const which = await person.next()
    expect(which.request).toMatchObject({
      message: 'Which room?',
      questions: [{ id: 'room', kind: 'text', required: true }],
      _meta: { 'beckon/asker': 'Todos' },
    })
    expect(await person.accept(which)).toMatch(/room/i)
    await person.accept(which, { room: text('12') })
    expect(await called).toBe('{"action":"accept","value":{"room":"12"}}')
    await person.happened('session/turnComplete')
  })

  it.each(['decline', 'cancel'] as const)('brings a %s back as it is', async action => {
    const { person, agent } = await setUp([booking])
    const called = agent.call('todo__book')
    await person[action](await person.next())
    expect(await called).toBe(`{"sure":"${action}"}`)
  })

  it('withdraws the ask of an application that goes away, and ends its call at once', async () => {
    const { person, agent, app } = await setUp([booking])
    const called = agent.call('todo__book')
    const seen = await person.next()
    app.hangUp()
    expect(await called).toMatch(/^failed: "Todos" did not finish: The application went away/)
    await person.gone(seen)
    expect(await person.accept(seen)).toEqual(expect.any(String))
  })

  it('withdraws the ask of a call that is cancelled, and cancels the action', async () => {
    const { person, agent, app } = await setUp([booking])
    const stop = new AbortController()
    const called = agent.client.callTool({ name: 'todo__book' }, { signal: stop.signal })
    const seen = await person.next()
    stop.abort()
    await expect(called).rejects.toThrow()
    await person.gone(seen)
    await cancelled(app)
    expect((await app.frames.when(frame => frame.error !== undefined)).error?.code).toBe(-32001)
    // The same call made again is another one.
    const again = agent.call('todo__book')
    await person.decline(await person.next())
    expect(await again).toBe('{"sure":"decline"}')
    expect(app.frames.all.filter(({ method }) => method === 'actions/invoke')).toHaveLength(2)
  })

  it('cancels an action that has not asked yet', async () => {
    const { person, agent, app } = await setUp([{ name: 'hang' }])
    const stop = new AbortController()
    const called = agent.client.callTool({ name: 'todo__hang' }, { signal: stop.signal })
    await app.when('actions/invoke')
    stop.abort()
    await expect(called).rejects.toThrow()
    await cancelled(app)
    expect(person.open).toEqual([])
  })

  it('goes on with the same invocation when the client could not wait and calls again', async () => {
    const { person, agent, app } = await setUp([booking], { wait: 1 })
    const waiting = await agent.call('todo__book')
    expect(waiting).toContain('A person was asked: "Book a room?"')
    const seen = await person.next()
    await person.decline(seen)
    await app.frames.when(frame => frame.result?.action === 'decline')
    expect(await agent.call('todo__book')).toBe('{"sure":"decline"}')
    expect(app.frames.all.filter(({ method }) => method === 'actions/invoke')).toHaveLength(1)
  })

  it('tells a client that calls again that the application went away meanwhile, and withdraws its ask', async () => {
    const { person, agent, app } = await setUp([booking], { wait: 1 })
    expect(await agent.call('todo__book')).toContain('A person was asked')
    const seen = await person.next()
    app.hangUp()
    await person.gone(seen)
    expect(await agent.call('todo__book')).toMatch(/^failed: "Todos" did not finish: The application went away/)
    expect(await agent.call('todo__book')).toMatch(/^failed: "Todos" is not connected/)
  })

  it('asks nobody for an invocation that is over', async () => {
    const { person, agent, app } = await setUp([{ name: 'work', run: ({ id }) => id }])
    const invocationId = await agent.call('todo__work')
    const params = { invocationId, question: 'Sure?', schema: emptyForm }
    expect((await app.request('elicitation/request', params)).error?.code).toBe(-32009)
    expect(person.open).toEqual([])
  })
})

/** Resolves when the application was told that its invocation is cancelled. */
async function cancelled(app: RawApp): Promise<void> {
  const invoked = await app.when('actions/invoke')
  expect((await app.when('actions/cancel')).params).toEqual({ invocationId: invoked.params?.invocationId })
}

describe('a desk and a gateway that tell people apart', () => {
  const tokens = { ada: 'a-long-token-of-adas-own', bob: 'a-long-token-of-bobs-own' }
  type Name = keyof typeof tokens

  async function setUp() {
    const people = Object.entries(tokens).map(([principal, token]) => [token, { principal }])
    const desk = createDesk({ access: bearerAccess({ tokens: Object.fromEntries(people) }) })
    onTestFinished(() => desk.close())
    const { url: deskUrl } = await desk.listen()
    const identify = ({ headers }: Request) => {
      const token = headers.get('authorization')?.replace('Bearer ', '')
      return Object.keys(tokens).find(name => tokens[name as Name] === token)
    }
    const { url } = await startGateway({ server: { desk, identify, wait: 'hold' } })
    const onDesk = async (name: Name, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${tokens[name]}`, 'content-type': 'application/json' }
      return fetch(new URL(path, deskUrl), {
        headers,
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      })
    }
    // A desk tells what happens by events; asking it again is enough for a test, and hurries nobody.
    const openTo = async (name: Name): Promise<{ session: string; id: string; asker?: string }> => {
      const { asks } = (await (await onDesk(name, 'api/asks')).json()) as { asks: { session: string; id: string }[] }
      expect(asks.length).toBeLessThan(2)
      if (asks[0] !== undefined) return asks[0]
      await new Promise(resolve => setTimeout(resolve, 50))
      return openTo(name)
    }
    const agentOf = (name: Name) => agentOn(url, '2026-07-28', { name, token: tokens[name] })
    return { url, agentOf, onDesk, openTo }
  }

  it('show an ask to the person whose call it belongs to, and to nobody else', async () => {
    const { url, agentOf, onDesk, openTo } = await setUp()
    const [ada, bob] = [await agentOf('ada'), await agentOf('bob')]
    await claimedApp(url, ada, { name: 'Todos of ada', actions: [booking] })
    await claimedApp(url, bob, { name: 'Todos of bob', actions: [booking] })
    const calls = { ada: ada.call('todo__book'), bob: bob.call('todo__book') }
    const asks = new Map<Name, string>()
    for (const name of ['ada', 'bob'] as const) {
      const open = await openTo(name)
      expect(open.asker).toBe(`Todos of ${name}`)
      asks.set(name, [open.session, open.id].map(encodeURIComponent).join('/'))
    }
    expect((await onDesk('bob', `api/asks/${asks.get('ada')}/answer`, {})).status).toBe(404)
    expect((await onDesk('bob', `api/asks/${asks.get('bob')}/decline`, {})).status).toBe(200)
    expect(await calls.bob).toBe('{"sure":"decline"}')
    expect((await onDesk('ada', `api/asks/${asks.get('ada')}/answer`, {})).status).toBe(200)
    const { session, id } = await openTo('ada')
    await onDesk('ada', `api/asks/${encodeURIComponent(session)}/${encodeURIComponent(id)}/answer`, {
      content: { room: '7' },
    })
    expect(await calls.ada).toBe('{"action":"accept","value":{"room":"7"}}')
  })
})
