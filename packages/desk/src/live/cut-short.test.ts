// A store that lost the end of a session's log: what was told is not so any more, and nobody may be left with it.
import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { questions, type Served, serveLive, serveTurn, text } from '../../test/live-served.js'

const log = 'desk/session/s'
let clock: TestClock
let store: Store
let desks: Served[]

beforeEach(async () => {
  clock = createTestClock()
  store = memoryStore({ clock })
  // Half a minute passes at once here, in which no client could show that it lives.
  const options = { store, clock, limits: { heartbeatMs: 1e9 } }
  desks = [await serveTurn(options), await serveLive(options)]
})

afterEach(async () => {
  for (const desk of desks) await desk.close()
})

/** The store is as it was when the log had so many entries. */
async function cutShort(entries: number): Promise<void> {
  const kept = (await store.read(log)).slice(0, entries).map(({ value }) => value)
  await store.erase(log)
  await store.append(log, kept)
}

async function lengthOfLog(): Promise<number> {
  return (await store.read(log)).length
}

const draft = (value: string) => ({
  type: 'inputAnswerChanged',
  requestId: 'r',
  questionId: 'name',
  answer: text(value),
})

describe.each(['0.3', '1.0'] as const)('a session whose log was cut short, in the %s dialect', dialect => {
  const channels = [...(dialect !== '0.3' ? ['ahp-chat:/s'] : []), 'ahp-session:/s', 'beckon-asks://']

  async function watchers(): Promise<LiveClient[]> {
    const clients = await Promise.all(desks.map(desk => desk.connect(dialect)))
    for (const client of clients) for (const channel of channels) await client.subscribe(channel)
    return clients
  }

  /** Told to come back, they come back to what there is, and go on from there. */
  async function startAnew(clients: readonly LiveClient[]): Promise<void> {
    for (const client of clients) {
      expect(await client.closed).toEqual({ code: 4008 })
      expect(await client.reconnect()).toMatchObject({ type: 'snapshot' })
      for (const channel of channels) expect(client.confirmed(channel)).toEqual(await client.subscribe(channel))
    }
    const [first, second] = clients as [LiveClient, LiveClient]
    expect(await first.reasonFor(draft('Ada'))).toBeUndefined()
    await desks[1]?.read()
    await second.ping()
    for (const channel of channels) expect(second.confirmed(channel)).toEqual(first.confirmed(channel))
    expect(JSON.stringify(first.confirmed())).toContain('Ada')
    expect(clients.flatMap(({ outOfOrder }) => outOfOrder)).toEqual([])
  }

  beforeEach(async () => {
    await desks[0]?.ask({ id: 'r', message: 'Order', questions })
  })

  it('starts anew when someone looks, though nothing happens to it', async () => {
    const clients = await watchers()
    const before = await lengthOfLog()
    await clients[0]?.reasonFor(draft('Lost'))
    await desks[1]?.read()
    await cutShort(before)
    await clock.advance(30_000)
    await startAnew(clients)
    expect(JSON.stringify(clients.map(client => client.confirmed()))).not.toContain('Lost')
  })

  it('starts anew with the next action, which counts', async () => {
    const clients = await watchers()
    const before = await lengthOfLog()
    await clients[0]?.reasonFor(draft('Lost'))
    await clients[1]?.ping()
    await cutShort(before)
    clients[0]?.dispatch(draft('Kept'))
    await clients[0]?.closed
    await clock.advance(30_000)
    for (const client of clients) {
      expect(await client.closed).toEqual({ code: 4008 })
      await client.reconnect()
      expect(JSON.stringify(client.confirmed())).toContain('Kept')
      expect(JSON.stringify(client.confirmed())).not.toContain('Lost')
    }
    expect(clients[0]?.confirmed()).toEqual(clients[1]?.confirmed())
  })

  it('starts anew when it grew again to the same length, with something else', async () => {
    const clients = await watchers()
    const before = await lengthOfLog()
    await clients[0]?.reasonFor(draft('Lost'))
    await desks[1]?.read()
    await cutShort(before)
    const third = await serveLive({ store, clock })
    desks.push(third)
    const other = await third.connect(dialect)
    await other.subscribe()
    expect(await other.reasonFor(draft('Other'))).toBeUndefined()
    expect(await lengthOfLog()).toBe(before + 1)
    await clock.advance(30_000)
    for (const client of clients) {
      expect(await client.closed).toEqual({ code: 4008 })
      expect(await client.reconnect()).toMatchObject({ type: 'snapshot' })
      expect(client.confirmed()).toEqual(await other.subscribe())
    }
  })

  it('is not there any more when its log is gone', async () => {
    const clients = await watchers()
    await store.erase(log)
    await clock.advance(30_000)
    for (const client of clients) {
      expect(await client.closed).toEqual({ code: 4008 })
      await client.reconnect()
      expect([...client.mirrors.keys()]).toEqual(['beckon-asks://'])
      expect(client.confirmed('beckon-asks://')).toMatchObject({ asks: [] })
    }
  })

  it('gives a snapshot to a client that was away when it happened', async () => {
    const clients = await watchers()
    const before = await lengthOfLog()
    await clients[0]?.reasonFor(draft('Lost'))
    clients[0]?.drop()
    await cutShort(before)
    await clock.advance(30_000)
    expect(await clients[0]?.reconnect()).toMatchObject({ type: 'snapshot' })
    expect(JSON.stringify(clients[0]?.confirmed())).not.toContain('Lost')
  })
})
