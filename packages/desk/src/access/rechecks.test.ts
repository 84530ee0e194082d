// Sockets that are open when someone signs out, or loses what let them in.
import { once } from 'node:events'
import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { Browser } from '../../test/browser.js'
import { createDesk, type Desk, type DeskOptions } from '../create-desk.js'
import { bearerAccess } from './bearer/bearer-access.js'
import { Rechecks } from './rechecks.js'

const open: { close(): unknown }[] = []
let clock: TestClock
beforeEach(() => {
  clock = createTestClock()
})
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

function start(options: DeskOptions = {}): Desk {
  const desk = createDesk({ clock, ...options })
  open.push(desk)
  return desk
}

/** A socket that answers pings, and lives as long as the desk lets it. */
async function connect(url: string, headers: Record<string, string>): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}live`, { headers })
  open.push(socket)
  await once(socket, 'open')
  return socket
}

const codeOf = async (socket: WebSocket): Promise<number> => (await once(socket, 'close'))[0]

describe('a socket', () => {
  it('ends when its person signs out in that browser, and no other does', async () => {
    const { url, link } = await start().listen()
    const [browser, other] = [new Browser(), new Browser()]
    await browser.visit(link)
    const cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { origin } = new URL(url)
    const socket = await connect(url, { cookie: cookies, origin, 'sec-fetch-site': 'same-origin' })
    expect((await other.fromPage(`${url}sign-out`, { method: 'POST' })).status).toBe(200)
    expect(socket.readyState).toBe(WebSocket.OPEN)
    const feed = await fetch(`${url}api/events`, { headers: { cookie: cookies, 'sec-fetch-site': 'same-origin' } })
    expect(feed.status).toBe(200)
    // A feed that is cut is a body that ends in an error.
    const cut = feed.text().then(
      () => 'ended',
      () => 'cut',
    )
    const closed = codeOf(socket)
    expect((await browser.fromPage(`${url}sign-out`, { method: 'POST' })).status).toBe(200)
    await clock.advance(1_000)
    expect(await closed).toBe(1008)
    expect(await cut).toBe('cut')
  })

  it('stays while nobody can say', async () => {
    let isAway = false
    const access = bearerAccess({
      clock,
      tokens: async token => {
        if (isAway) throw new Error('away')
        return token === 'token-of-alice' ? { principal: 'alice' } : undefined
      },
    })
    const { url } = await start({ access }).listen()
    const socket = await connect(url, { authorization: 'Bearer token-of-alice' })
    isAway = true
    await fetch(`${url}sign-out`, { method: 'POST' })
    await fetch(url)
    expect(socket.readyState).toBe(WebSocket.OPEN)
    isAway = false
    socket.close()
  })
})

describe('what is held', () => {
  const person = (isValid: () => boolean) => ({
    principal: 'alice',
    device: 'd',
    stillValid: async () => isValid(),
  })

  it('ends on every node of a store when someone signs out on one, and otherwise within a minute', async () => {
    const store = memoryStore({ clock })
    const [here, there] = [new Rechecks({ clock, store }), new Rechecks({ clock, store })]
    open.push(here, there)
    const ended: string[] = []
    const valid = new Set(['a', 'b', 'c', 'd'])
    const hold = (id: string) =>
      there.hold(
        person(() => valid.has(id)),
        () => ended.push(id),
      )
    const [, , letGo] = ['a', 'b', 'c', 'd'].map(hold)
    there.hold({ principal: 'alice', device: 'd' }, () => ended.push('never'))
    letGo?.()
    valid.clear()
    valid.add('b')
    here.signedOut()
    await settle()
    expect(ended).toEqual(['a', 'd'])
    valid.clear()
    await clock.advance(60_000)
    await settle()
    expect(ended).toEqual(['a', 'd', 'b'])
  })

  it('ends at once when someone signs out elsewhere, also where the store was away at first', async () => {
    const store = memoryStore({ clock })
    let isAway = true
    const subscribe: Store['subscribe'] = async (...args) => {
      if (isAway) throw new Error('away')
      return store.subscribe(...args)
    }
    const [here, there] = [new Rechecks({ clock, store }), new Rechecks({ clock, store: { ...store, subscribe } })]
    open.push(here, there)
    await settle()
    isAway = false
    await clock.advance(10_000)
    let isValid = true
    const ended: string[] = []
    there.hold(
      person(() => isValid),
      () => ended.push('a'),
    )
    isValid = false
    await clock.advance(1_000)
    here.signedOut()
    await settle()
    expect(ended).toEqual(['a'])
  })

  it('is looked at once a second, however often someone signs out', async () => {
    const rechecks = new Rechecks({ clock, store: memoryStore({ clock }) })
    open.push(rechecks)
    let looks = 0
    rechecks.hold(
      person(() => ++looks > 0),
      () => {},
    )
    for (let time = 0; time < 100; time++) {
      rechecks.signedOut()
      await settle()
    }
    expect(looks).toBe(1)
    await clock.advance(1_000)
    await settle()
    expect(looks).toBe(2)
  })
})

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
}
