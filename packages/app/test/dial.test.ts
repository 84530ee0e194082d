import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import {
  type App,
  app,
  type Connection,
  ConnectionClosedError,
  type ConnectOptions,
  memoryStorage,
} from '../src/index.js'
import { eventually } from './eventually.js'
import { GatewaySocket } from './gateway-socket.js'
import { ManualClock } from './manual-clock.js'

vi.setConfig({ testTimeout: 60_000 })

let server: WebSocketServer
let url: string
let clock: ManualClock
let controller: AbortController

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  url = `ws://127.0.0.1:${(server.address() as { port: number }).port}/beckon/app`
  clock = new ManualClock()
  controller = new AbortController()
})

afterEach(async () => {
  controller.abort()
  for (const socket of server.clients) socket.terminate()
  server.close()
  await once(server, 'close')
})

function todo(): App {
  const created = app({ id: 'todo', name: 'Todos', clock })
  created.action('confirm').handler((_input, ctx) => ctx.confirm('Sure?'))
  return created
}

function connect(options: ConnectOptions = {}): Promise<Connection> {
  const connected = todo().connect(url, { signal: controller.signal, ...options })
  connected.catch(() => {})
  return connected
}

async function arrival(): Promise<GatewaySocket> {
  const [socket] = (await once(server, 'connection')) as [WebSocket]
  return new GatewaySocket(socket)
}

/** The next arrival, however long the app waits before it. */
async function nextArrival(): Promise<GatewaySocket> {
  const arrived = arrival()
  const isHere = arrived.then(() => true)
  while (!(await Promise.race([isHere, soon()]))) clock.advance(500)
  return arrived
}

async function soon(): Promise<false> {
  await new Promise(resolve => setImmediate(resolve))
  return false
}

describe('an app that dials', () => {
  it('introduces itself, shows the code and hears of its claim', async () => {
    const [codes, agents, statuses]: [string[], string[], string[]] = [[], [], []]
    const connected = connect({
      onClaimCode: code => codes.push(code),
      onClaimed: agent => agents.push(agent.name),
      onStatus: status => statuses.push(status),
    })
    const gateway = await arrival()
    expect(gateway.socket.protocol).toBe('tesseron-app')
    const hello = await gateway.welcome({ claimCode: 'ABCD-23', resumeToken: 'rt_1' })
    expect(hello).toMatchObject({ method: 'tesseron/hello', params: { app: { id: 'todo' } } })
    const connection = await connected
    expect([connection.sessionId, connection.claimCode]).toEqual(['s_1', 'ABCD-23'])
    expect([codes, agents, statuses]).toEqual([['ABCD-23'], [], ['connected']])
    gateway.claim()
    gateway.claim()
    await eventually(() => expect(agents).toEqual(['Agent']))
    expect(connection.claimCode).toBeUndefined()
    connection.close()
    expect(await gateway.closed).toBe(1000)
    expect(statuses).toEqual(['connected', 'closed'])
  })

  it('shows no code that was spent before it could be shown', async () => {
    const codes: string[] = []
    const agents: string[] = []
    const connected = connect({ onClaimCode: code => codes.push(code), onClaimed: agent => agents.push(agent.name) })
    const gateway = await arrival()
    await gateway.welcome({ claimCode: 'ABCD-23' })
    gateway.claim()
    expect((await connected).claimCode).toBeUndefined()
    expect([codes, agents]).toEqual([[], ['Agent']])
  })

  it('takes its session up again after a lost connection, with the latest token', async () => {
    connect()
    const first = await arrival()
    await first.welcome({ claimCode: 'ABCD-23', resumeToken: 'rt_1' })
    first.claim()
    first.socket.terminate()
    const second = await nextArrival()
    const resume = await second.welcome({ resumeToken: 'rt_2', agent: { id: 'agent', name: 'Agent' } })
    expect(resume).toMatchObject({
      method: 'tesseron/resume',
      params: { sessionId: 's_1', resumeToken: 'rt_1', app: { id: 'todo' }, actions: [{ name: 'confirm' }] },
    })
    second.socket.terminate()
    expect(await (await nextArrival()).next()).toMatchObject({
      method: 'tesseron/resume',
      params: { resumeToken: 'rt_2' },
    })
  })

  it('can ask after a resume, with the capabilities that it brings', async () => {
    const storage = memoryStorage()
    storage.save({ sessionId: 's_1', resumeToken: 'rt_1' })
    const agents: string[] = []
    connect({ storage, onClaimed: agent => agents.push(agent.name) })
    const gateway = await arrival()
    const capabilities = { elicitation: true }
    await gateway.welcome({ resumeToken: 'rt_2', capabilities, agent: { id: 'agent', name: 'Agent' } })
    gateway.claim()
    gateway.send({ id: 1, method: 'actions/invoke', params: { name: 'confirm', input: {}, invocationId: 'i' } })
    expect(await gateway.next()).toMatchObject({ method: 'elicitation/request' })
    expect(agents).toEqual(['Agent'])
    expect(storage.load()).toEqual({ sessionId: 's_1', resumeToken: 'rt_2' })
  })

  it('starts anew on the same connection where its session is gone', async () => {
    const storage = memoryStorage()
    storage.save({ sessionId: 's_0', resumeToken: 'old' })
    const connected = connect({ storage })
    const gateway = await arrival()
    const resume = await gateway.next()
    expect(resume.method).toBe('tesseron/resume')
    gateway.send({ id: resume.id, error: { code: -32011, message: 'No such session.' } })
    expect((await gateway.welcome({ claimCode: 'ABCD-23', resumeToken: 'rt_1' })).method).toBe('tesseron/hello')
    expect((await connected).claimCode).toBe('ABCD-23')
    expect(storage.load()).toEqual({ sessionId: 's_1', resumeToken: 'rt_1' })
  })

  it('starts anew when another has taken its session over', async () => {
    connect()
    const gateway = await arrival()
    await gateway.welcome({ claimCode: 'ABCD-23', resumeToken: 'rt_1' })
    gateway.socket.close(4001, 'replaced')
    expect((await (await nextArrival()).next()).method).toBe('tesseron/hello')
  })

  it('waits longer each time that it finds nobody, up to half a minute', async () => {
    const delays: number[] = []
    vi.spyOn(clock, 'after').mockImplementation((delayMs, fn) => {
      delays.push(delayMs)
      if (delays.length < 9) fn()
      return () => {}
    })
    server.close()
    await once(server, 'close')
    connect()
    await eventually(() => expect(delays).toHaveLength(9))
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000])
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(server, 'listening')
  })

  it('asks for another code before the one that is shown expires', async () => {
    const codes: string[] = []
    connect({ onClaimCode: code => codes.push(code) })
    const gateway = await arrival()
    await gateway.welcome({ claimCode: 'ABCD-23', resumeToken: 'rt_1' })
    await eventually(() => expect(codes).toHaveLength(1))
    clock.advance(9 * 60_000)
    expect((await gateway.welcome({ claimCode: 'EFGH-45', resumeToken: 'rt_2' })).method).toBe('tesseron/hello')
    await eventually(() => expect(codes).toEqual(['ABCD-23', 'EFGH-45']))
    gateway.claim()
    gateway.send({ id: 1, method: 'resources/read', params: { name: 'none' } })
    expect(await gateway.next()).toMatchObject({ id: 1 })
    clock.advance(60 * 60_000)
    gateway.send({ id: 2, method: 'resources/read', params: { name: 'none' } })
    expect(await gateway.next()).toMatchObject({ id: 2 })
  })

  it('ends what runs when its connection is lost, and says why', async () => {
    const reasons: unknown[] = []
    const created = app({ id: 'todo', name: 'Todos', clock })
    created.action('wait').handler(async (_input, ctx) => {
      const confirmed = await ctx.confirm('Sure?')
      await ctx.elicit({ question: 'Which?', schema: String }).catch(error => reasons.push(error))
      reasons.push(confirmed, ctx.signal.reason)
    })
    created.connect(url, { signal: controller.signal }).catch(() => {})
    const gateway = await arrival()
    await gateway.welcome({ capabilities: { elicitation: true } })
    gateway.send({ id: 1, method: 'actions/invoke', params: { name: 'wait', input: {}, invocationId: 'i' } })
    expect((await gateway.next()).method).toBe('elicitation/request')
    gateway.socket.terminate()
    await eventually(() => expect(reasons).toHaveLength(3))
    expect(reasons).toEqual([expect.any(Error), false, expect.any(ConnectionClosedError)])
  })

  it('answers what it left unanswered, where whoever it talks to hid from the gateway that it was gone', async () => {
    const storage = memoryStorage()
    connect({ storage })
    const gateway = await arrival()
    await gateway.welcome({ resumeToken: 'rt_1', capabilities: { elicitation: true } })
    for (const id of [7, 'eight'])
      gateway.send({ id, method: 'actions/invoke', params: { name: 'confirm', input: {}, invocationId: `i${id}` } })
    const { id } = await gateway.next()
    await gateway.next()
    gateway.send({ id, result: { action: 'accept' } })
    expect(await gateway.next()).toMatchObject({ id: 7, result: { output: true } })
    await eventually(() =>
      expect(storage.load()).toEqual({ sessionId: 's_1', resumeToken: 'rt_1', unanswered: ['eight'] }),
    )
    gateway.socket.terminate()
    const back = await nextArrival()
    expect((await back.welcome({ resumeToken: 'rt_2' })).params).not.toHaveProperty('unanswered')
    expect(await back.next()).toMatchObject({ id: 'eight', error: { code: -32010 } })
    expect(storage.load()).toEqual({ sessionId: 's_1', resumeToken: 'rt_2' })
  })

  it('answers nothing of before where its session is gone', async () => {
    const storage = memoryStorage()
    storage.save({ sessionId: 's_0', resumeToken: 'old', unanswered: [7] })
    connect({ storage })
    const gateway = await arrival()
    gateway.send({ id: (await gateway.next()).id, error: { code: -32011, message: 'No such session.' } })
    await gateway.welcome({ resumeToken: 'rt_1' })
    gateway.send({ id: 8, method: 'resources/read', params: { name: 'none' } })
    expect(await gateway.next()).toMatchObject({ id: 8 })
  })

  it('gives up where the gateway refuses it', async () => {
    const statuses: string[] = []
    const connected = connect({ onStatus: status => statuses.push(status) })
    const gateway = await arrival()
    const { id } = await gateway.next()
    gateway.send({ id, error: { code: -32000, message: 'Another protocol.' } })
    await expect(connected).rejects.toThrow('Another protocol.')
    expect(await gateway.closed).toBe(1000)
    expect(statuses).toEqual(['closed'])
  })

  it('gives up when it is told to, before and after it found someone', async () => {
    await expect(todo().connect(url, { signal: AbortSignal.abort(new Error('Never.')) })).rejects.toThrow('Never.')
    const connected = connect()
    const gateway = await arrival()
    controller.abort(new Error('Enough.'))
    await expect(connected).rejects.toThrow('Enough.')
    await gateway.closed
  })
})
