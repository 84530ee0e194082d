import { describe, expect, it, vi } from 'vitest'
import type { BeckonServer } from '../../src/index.js'
import { memoryStore, type Store } from '../../src/store/index.js'
import { FakeClock } from '../fake-clock.js'
import { connect, serve, textOf } from '../flows/opened.js'
import { granted, type LittleIssuer, littleIssuer, refused, type TokenReply } from './little-issuer.js'
import { asAlice, processOptions, withToken } from './processes.js'

vi.setConfig({ testTimeout: 60_000 })

function node(idp: LittleIssuer, store: Store, clock: FakeClock): BeckonServer {
  const server = serve(processOptions(store, clock))
  const hub = withToken(server, idp)
  server.tool('refused', hub, {}, async (_input, ctx) => {
    const before = await hub.token(ctx)
    await hub.invalidate(ctx)
    return `${before.accessToken} ${(await hub.token(ctx)).accessToken}`
  })
  server.tool('leave', hub, {}, async (_input, ctx) => {
    await hub.signOut(ctx)
    return 'left'
  })
  return server
}

const aliceAt = (server: BeckonServer) => connect(server, asAlice(server))

async function signedIn(clock = new FakeClock(), shared: Store = memoryStore({ clock })) {
  const idp = await littleIssuer()
  const client = aliceAt(node(idp, shared, clock))
  idp.reply = () => granted('first-token', { refresh_token: 'refresh-one', expires_in: 3600 })
  expect(textOf(await client.callTool('token'))).toBe('first-token')
  return { idp, clock, client }
}

/** A store as several processes have one: what is in it leaves the process. */
function sharedStore(clock: FakeClock): { store: Store; written: () => string } {
  const own = memoryStore({ clock })
  const seen: unknown[] = []
  const store: Store = {
    ...own,
    shared: true,
    set: (...args) => {
      seen.push(args)
      return own.set(...args)
    },
    compareAndSet: (...args) => {
      seen.push(args)
      return own.compareAndSet(...args)
    },
    // Each process closes its own handle.
    close: async () => {},
  }
  return { store, written: () => JSON.stringify(seen) }
}

const refreshes = ({ requests }: LittleIssuer) =>
  requests.filter(request => request.get('grant_type') === 'refresh_token').map(request => request.get('refresh_token'))

describe('a token that is about to expire', () => {
  it('is refreshed once for all calls at the same time', async () => {
    const { idp, clock, client } = await signedIn()
    let answer = (_reply: TokenReply) => {}
    idp.reply = () =>
      new Promise(resolve => {
        answer = resolve
      })
    clock.advance(3600_000)
    const calls = [1, 2, 3, 4].map(() => client.callTool('token'))
    while (refreshes(idp).length === 0) await new Promise(resolve => setImmediate(resolve))
    answer(granted('second-token', { refresh_token: 'refresh-two', expires_in: 3600 }))
    expect((await Promise.all(calls)).map(textOf)).toEqual([
      'second-token',
      'second-token',
      'second-token',
      'second-token',
    ])
    expect(refreshes(idp)).toEqual(['refresh-one'])
    expect(client.asked).toHaveLength(1)
  })

  it('is refreshed once for all processes, and nothing in their store can be read', async () => {
    const clock = new FakeClock()
    const { store, written } = sharedStore(clock)
    const { idp, client } = await signedIn(clock, store)
    const others = [node(idp, store, clock), node(idp, store, clock)].map(aliceAt)
    let answer = (_reply: TokenReply) => {}
    idp.reply = () =>
      new Promise(resolve => {
        answer = resolve
      })
    clock.advance(3600_000)
    const calls = [client, ...others].map(each => each.callTool('token'))
    while (refreshes(idp).length === 0) await new Promise(resolve => setImmediate(resolve))
    answer(granted('second-token', { refresh_token: 'refresh-two', expires_in: 3600 }))
    expect((await Promise.all(calls)).map(textOf)).toEqual(['second-token', 'second-token', 'second-token'])
    expect(refreshes(idp)).toEqual(['refresh-one'])
    expect(written()).not.toMatch(/first-token|second-token|refresh-one|refresh-two/)
  })

  it('keeps its refresh token where no new one comes', async () => {
    const { idp, clock, client } = await signedIn()
    idp.reply = () => granted('next', { expires_in: 60 })
    for (let hour = 0; hour < 2; hour++) {
      clock.advance(3600_000)
      expect(textOf(await client.callTool('token'))).toBe('next')
    }
    expect(refreshes(idp)).toEqual(['refresh-one', 'refresh-one'])
  })

  it('is asked for again when the refresh token was revoked, and only then', async () => {
    const { idp, clock, client } = await signedIn()
    clock.advance(3600_000)
    idp.reply = () => ({ status: 503, body: {} })
    const down = await client.callTool('token')
    expect(down).toMatchObject({ isError: true })
    expect(client.asked).toHaveLength(1)
    idp.reply = request =>
      request.get('grant_type') === 'refresh_token' ? refused('invalid_grant') : granted('anew', { expires_in: 3600 })
    expect(textOf(await client.callTool('token'))).toBe('anew')
    expect(client.asked).toHaveLength(2)
  })
})

describe('a token that the API refuses', () => {
  it('is refreshed within the same call', async () => {
    const { idp, client } = await signedIn()
    idp.reply = () => granted('second-token', { refresh_token: 'refresh-two', expires_in: 3600 })
    expect(textOf(await client.callTool('refused'))).toBe('first-token second-token')
    expect(client.asked).toHaveLength(1)
  })

  it('is asked for again within the same call where it cannot be refreshed', async () => {
    const { idp, clock, client } = await signedIn()
    clock.advance(3600_000)
    idp.reply = request =>
      request.get('grant_type') === 'refresh_token' ? refused('invalid_grant') : granted('no-refresh')
    expect(textOf(await client.callTool('token'))).toBe('no-refresh')
    idp.reply = () => granted('third')
    expect(textOf(await client.callTool('refused'))).toBe('no-refresh third')
    expect(client.asked).toHaveLength(3)
  })

  it('is forgotten when the person leaves', async () => {
    const { client } = await signedIn()
    await client.callTool('leave')
    await client.callTool('token')
    expect(client.asked).toHaveLength(2)
  })
})
