import { createServer, memoryStore } from 'beckon'
import { StoreUnavailableError } from 'beckon/store'
import { createTestClient } from 'beckon/test'
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { awayStore } from '../test/away-store.js'
import { createDesk, type Desk } from './create-desk.js'

const open: { close(): Promise<unknown> | unknown }[] = []
afterEach(async () => {
  for (const it of open.splice(0).reverse()) await it.close()
})

/** A program on the desk's socket: requests by promise, notifications in a list. */
async function connect(socketUrl: string, version: string) {
  const socket = new WebSocket(socketUrl)
  open.push(socket)
  const pending = new Map<number, (message: Record<string, unknown>) => void>()
  const waiting: ((action: Record<string, unknown>) => boolean)[] = []
  const actions: Record<string, unknown>[] = []
  socket.on('message', data => {
    const message = JSON.parse(String(data)) as Record<string, unknown>
    if (typeof message.id === 'number') pending.get(message.id)?.(message)
    else if (message.method === 'action') {
      actions.push(message.params as Record<string, unknown>)
      for (const look of waiting.splice(0)) if (!look(message.params as Record<string, unknown>)) waiting.push(look)
    }
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  let id = 0
  const request = (method: string, params: object) =>
    new Promise<Record<string, unknown>>(resolve => {
      pending.set(++id, message => resolve((message.result ?? message.error) as Record<string, unknown>))
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    })
  const notify = (method: string, params: object) => socket.send(JSON.stringify({ jsonrpc: '2.0', method, params }))
  const action = (type: string) =>
    new Promise<Record<string, unknown>>(resolve => {
      const look = (params: Record<string, unknown>) => {
        const isIt = (params.action as { type?: string }).type === type
        if (isIt) resolve(params)
        return isIt
      }
      if (!actions.some(look)) waiting.push(look)
    })
  await request('initialize', {
    channel: 'ahp-root://',
    protocolVersions: [version],
    clientId: `client-${version}-${Math.random()}`,
  })
  return { request, notify, action }
}

async function startDesk(): Promise<Desk & { at: Awaited<ReturnType<Desk['listen']>> }> {
  const desk = createDesk()
  open.push(desk)
  return Object.assign(desk, { at: await desk.listen() })
}

it.each([
  ['0.3.0', 'session'],
  ['1.0.0', 'chat'],
] as const)('is answered over its socket in dialect %s', async (version, on) => {
  const desk = await startDesk()
  const session = await desk.session('s', { title: 'Deploys', server: 'ci' })
  const person = await connect(desk.at.socketUrl, version)
  const channel = session.channels[on]
  await person.request('subscribe', { channel })
  const outcome = (await session.startTurn()).ask({ question: 'Deploy?' })
  const requested = await person.action(`${on}/inputRequested`)
  const { request } = requested.action as { request: { id: string; message: string } }
  expect(request.message).toBe('Deploy?')
  person.notify('dispatchAction', {
    channel,
    clientSeq: 1,
    action: { type: `${on}/inputCompleted`, requestId: request.id, response: 'accept' },
  })
  expect(await outcome).toEqual({ action: 'accept', content: {}, by: [{ principal: 'local' }] })
})

it('takes the asks of a server whose client cannot ask', async () => {
  const desk = await startDesk()
  const server = createServer({ name: 'shop', version: '1.0.0', desk })
  open.push(server)
  server.tool('buy', {}, async (_, ctx) => ctx.json(await ctx.confirm('Buy it?')))
  const client = createTestClient(server, { capabilities: {} })
  open.push(client)
  const person = await connect(desk.at.socketUrl, '0.3.0')
  const result = client.callTool('buy')
  let channel = ''
  while (channel === '') {
    const { items = [] } = (await person.request('listSessions', { channel: 'ahp-root://' })) as {
      items?: { resource: string; status: number }[]
    }
    channel = items.find(({ status }) => status === 24)?.resource ?? ''
  }
  const { snapshot } = (await person.request('subscribe', { channel })) as {
    snapshot: { state: { inputRequests: { id: string }[] } }
  }
  const requestId = snapshot.state.inputRequests[0]?.id
  person.notify('dispatchAction', {
    channel,
    clientSeq: 1,
    action: { type: 'session/inputCompleted', requestId, response: 'accept' },
  })
  expect((await result).content).toEqual([{ type: 'text', text: 'true' }])
})

it('lets nobody in without the link, and the link once', async () => {
  const { at } = await startDesk()
  expect((await fetch(at.url)).status).toBe(401)
  const first = await fetch(at.link, { redirect: 'manual' })
  expect(first.status).toBeGreaterThanOrEqual(300)
  const cookie = first.headers
    .getSetCookie()
    .map(line => line.split(';')[0])
    .join('; ')
  expect(await (await fetch(at.url, { headers: { cookie } })).text()).toContain('inbox')
  expect((await fetch(at.link, { redirect: 'manual' })).status).toBe(401)
  await expect(connect(at.socketUrl.replace(/token=.*/, 'token=guess'), '0.3.0')).rejects.toThrow()
})

it('is answered over REST, watched as events, and describes both', async () => {
  const desk = await startDesk()
  const opened = await fetch(desk.at.link, { redirect: 'manual' })
  const cookie = opened.headers
    .getSetCookie()
    .map(line => line.split(';')[0])
    .join('; ')
  const origin = new URL(desk.at.url).origin
  const call = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, origin), {
      ...init,
      headers: { cookie, origin, 'sec-fetch-site': 'same-origin', ...init.headers },
    })
  const outcome = (await (await desk.session('s')).startTurn()).ask({ question: 'Deploy?' })
  let id: string | undefined
  while (id === undefined) {
    const { asks } = (await (await call('/api/asks')).json()) as { asks: { id: string }[] }
    id = asks[0]?.id
  }
  const json = { 'content-type': 'application/json' }
  expect((await call(`/api/asks/s/${id}/answer`, { method: 'POST', body: 'x', headers: json })).status).toBe(400)
  expect(
    (await call(`/api/asks/s/${id}/answer`, { method: 'POST', body: 'x'.repeat(300_000), headers: json })).status,
  ).toBe(413)
  expect(
    (await fetch(new URL(`/api/asks/s/${id}/answer`, origin), { method: 'POST', body: '{}', headers: json })).status,
  ).toBe(401)
  const answered = await call(`/api/asks/s/${id}/answer`, {
    method: 'POST',
    body: JSON.stringify({ content: {} }),
    headers: json,
  })
  expect(answered.status).toBe(200)
  expect(await outcome).toMatchObject({ action: 'accept', by: [{ principal: 'local' }] })
  expect(await (await call('/api/openapi.json')).json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) })
})

it('keeps whoever signed in, over a restart, where its store outlives it', async () => {
  const store = { ...memoryStore(), shared: true, close: async () => {} }
  const first = createDesk({ store })
  const { link, url } = await first.listen()
  const opened = await fetch(link, { redirect: 'manual' })
  const cookie = opened.headers
    .getSetCookie()
    .map(set => set.split(';')[0])
    .join('; ')
  await first.close()
  const second = createDesk({ store })
  open.push(second)
  await second.listen({ port: Number(new URL(url).port) })
  expect((await fetch(`${url}api/asks`, { headers: { cookie } })).status).toBe(200)
  expect((await fetch(`${url}api/asks`)).status).toBe(401)
})

it('leaves a store open that it was given', async () => {
  const store = memoryStore()
  const desk = createDesk({ store })
  await desk.session('s')
  await desk.close()
  await store.set('key', 1)
  expect(await store.get('key')).toMatchObject({ value: 1 })
})

it('works once its store does, which was away when it was made', async () => {
  const store = awayStore(memoryStore())
  store.isAway = true
  const desk = createDesk({ store, onError: () => {} })
  open.push(desk)
  await expect(desk.session('s')).rejects.toThrow(StoreUnavailableError)
  store.isAway = false
  expect((await desk.session('s')).id).toBe('s')
})

it('is closed without a word when its store never was there', async () => {
  const store = awayStore(memoryStore())
  store.isAway = true
  const desk = createDesk({ store, onError: () => {} })
  await expect(desk.session('s')).rejects.toThrow(StoreUnavailableError)
  await desk.close()
})

it.each([
  [null, 'createDesk({ store })'],
  [{ stor: undefined }, '"stor" is not known here. Write store.'],
  [
    { store: 'postgres://ada:hush@db/x' },
    "The `store` of createDesk() must be a store: postgresStore('postgres://...')",
  ],
  [{ access: 'a-token' }, 'The `access` of createDesk() must be bearerAccess({ tokens })'],
  [{ access: { tokens: {} } }, '`access`'],
])('does not begin with options that nobody reads, or that are none: %j', (options, message) => {
  // As it is written without types.
  const make = () => createDesk(options as never)
  expect(make).toThrow(TypeError)
  expect(make).toThrow(message)
  expect(make).not.toThrow('hush')
})
