import { once } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Served, serveTurn } from '../../test/live-served.js'

let desk: Served

beforeEach(async () => {
  desk = await serveTurn()
  await desk.ask({ id: 'r', message: 'Sure?' })
})
afterEach(() => desk.close())

it('tells whoever is signed out to sign in, for each request that waits, and goes', async () => {
  const client = await desk.connect('1.0')
  vi.spyOn(desk.parts.sessions, 'change').mockReturnValueOnce(new Promise(() => {}))
  const begun = client.failure('createSession', { channel: 'ahp-session:/new' })
  const waiting = client.failure('listSessions', { channel: 'ahp-root://' })
  // Frames are taken in their order, so that both were received before this is answered.
  client.socket?.ping()
  if (client.socket) await once(client.socket, 'pong')
  desk.signEveryoneOut()
  expect(await waiting).toMatchObject({ code: -32007, data: { resources: [] } })
  expect(await client.closed).toEqual({ code: 1008 })
  expect(await begun).toMatchObject({ code: 0 })
})

it('takes nothing from whoever is signed out and does not go', async () => {
  const client = await desk.connect('1.0')
  // It does not read that it is to go.
  client.socket?.pause()
  desk.signEveryoneOut()
  client.dispatch({ type: 'inputCompleted', requestId: 'r', response: 'accept' })
  client.socket?.resume()
  await client.closed
  // What was to be done before is done by then.
  await desk.parts.sessions.change('s', () => ({}))
  expect((await desk.read())?.open.has('r')).toBe(true)
})
