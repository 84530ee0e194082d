import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { quietStore } from '../../test/quiet-store.js'
import { createParts, type DeskParts } from '../desk-parts.js'
import { disposeSession } from '../turns/decisions.js'
import { openSession } from '../turns/desk-session.js'
import type { Told } from './sessions.js'

let clock: TestClock
let store: Store
const open: DeskParts[] = []

beforeEach(() => {
  clock = createTestClock()
  store = memoryStore({ clock })
})

afterEach(async () => {
  for (const parts of open.splice(0)) await parts.close()
})

function node(given: Store = store, maxIdle?: number): DeskParts {
  const parts = createParts({ clock, store: given, ...(maxIdle !== undefined && { maxIdle }) })
  open.push(parts)
  return parts
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise(resolve => setImmediate(resolve))
}

function session(parts: DeskParts, id = 's') {
  return openSession(parts.turns, { id, title: 'Session', server: 'shop', audience: 'anyone' })
}

function accept({ actions }: DeskParts, requestId: string, id = 's') {
  const action = { type: 'session/inputCompleted', requestId, response: 'accept' }
  return actions.dispatch({ principal: 'alice', device: 'd' }, { session: id, on: 'session', dialect: '0.3', action })
}

const ask = { id: 'r', message: 'Sure?' }

describe('the sessions of a desk', () => {
  it('S1: tell nothing that is not in the store', async () => {
    const away: Store = {
      ...store,
      append: async () => {
        throw new Error('away')
      },
    }
    const parts = node(away)
    const told: Told[] = []
    parts.sessions.listen(one => told.push(one))
    await expect(session(parts)).rejects.toThrow('away')
    expect(told).toEqual([])
    expect(parts.sessions.known('s')).toBeUndefined()
  })

  it('S1: refuse nothing for what another node has changed meanwhile', async () => {
    const [asking, answering] = [node(), node(quietStore(store))]
    await session(answering)
    const turn = await (await session(asking)).startTurn()
    const outcome = turn.ask(ask)
    await settle()
    // This node knows the session, and was not told of the ask.
    expect(answering.sessions.known('s')?.open.size).toBe(0)
    expect(await accept(answering, 'r')).toMatchObject({ kind: 'accepted' })
    expect(await outcome).toMatchObject({ action: 'accept' })
  })

  it('S2: tell every node the same, in the same order, each event once', async () => {
    const nodes = [node(), node(), node()]
    const told = nodes.map(({ sessions }) => {
      const events: string[] = []
      sessions.listen(({ event }) => events.push(JSON.stringify(event)))
      return events
    })
    const [first, second, third] = nodes
    if (!first || !second || !third) throw new Error('there are three')
    await (await session(first)).startTurn()
    const follows = await Promise.all(nodes.map(({ sessions }) => sessions.follow('s')))
    const from = told.map(events => events.length)
    await Promise.all(
      nodes.flatMap(({ sessions }, index) =>
        Array.from({ length: 10 }, (_, n) =>
          sessions.change('s', () => ({ events: [{ type: 'titleChanged', title: `${index}.${n}`, at: clock.now() }] })),
        ),
      ),
    )
    await settle()
    const heard = told.map((events, index) => events.slice(from[index]))
    expect(heard[0]).toHaveLength(30)
    for (const events of heard) expect(events).toEqual(heard[0])
    for (const { stop } of follows) stop()
  })

  it('S3: are in memory no longer than somebody needs them', async () => {
    const parts = node(store, 10)
    for (let n = 0; n < 50; n++) {
      const turn = await (await session(parts, `s${n}`)).startTurn()
      turn.ask({ id: 'r', message: 'Sure?' }).catch(() => {})
      await settle()
    }
    const loaded = Array.from({ length: 50 }, (_, n) => parts.sessions.isLoaded(`s${n}`)).filter(Boolean)
    expect(loaded.length).toBeLessThanOrEqual(10)
    // What is not in memory is there all the same.
    expect(await accept(parts, 'r', 's0')).toMatchObject({ kind: 'accepted' })
  })

  it('S4: are read anew when their log was cut short, and say so', async () => {
    const parts = node()
    const turn = await (await session(parts)).startTurn()
    const outcome = turn.ask(ask)
    await settle()
    const resets: string[] = []
    parts.sessions.onReset(id => resets.push(id))
    const name = 'desk/session/s'
    const kept = (await store.read(name)).slice(0, 2).map(({ value }) => value)
    await store.erase(name)
    await store.append(name, kept)
    // Whoever waits for what is gone is told so.
    expect(await accept(parts, 'r')).toMatchObject({ kind: 'refused', code: 'ask-not-found' })
    expect(resets).toEqual(['s'])
    expect(await outcome).toEqual({ action: 'cancel', why: 'withdrawn' })
  })

  it('S4: have their open asks in the index again, when the end of one was lost with their log', async () => {
    const parts = node()
    const turn = await (await session(parts)).startTurn()
    void turn.ask(ask)
    await settle()
    const entries = (await store.read('desk/session/s')).map(({ value }) => value)
    await accept(parts, 'r')
    await parts.index.drained()
    const alice = { principal: 'alice' }
    expect(await parts.index.open(alice, { limit: 10 })).toEqual([])
    await store.erase('desk/session/s')
    await store.append('desk/session/s', entries)
    const read = await parts.sessions.refresh('s')
    expect([...(read?.open.keys() ?? [])]).toEqual(['r'])
    await parts.index.drained()
    expect(await parts.index.open(alice, { limit: 10 })).toHaveLength(1)
    expect(await parts.index.countAll(10)).toBe(1)
  })

  it('wait for nobody else', async () => {
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const slow: Store = {
      ...store,
      append: async (log, ...rest) => {
        if (log.endsWith('/slow')) await held
        return store.append(log, ...rest)
      },
    }
    const parts = node(slow)
    const waiting = session(parts, 'slow')
    await session(parts, 'quick')
    release()
    await waiting
  })

  it('take so many open asks and no more', async () => {
    const parts = createParts({ clock, store, limits: { maxOpenAsks: 3 } })
    open.push(parts)
    const turn = await (await session(parts)).startTurn()
    for (const id of ['a', 'b', 'c']) turn.ask({ id, message: 'Sure?' }).catch(() => {})
    await settle()
    await expect(turn.ask({ id: 'd', message: 'Sure?' })).rejects.toThrow('3 open asks')
    await accept(parts, 'a')
    turn.ask({ id: 'd', message: 'Sure?' }).catch(() => {})
    await settle()
    expect([...(parts.sessions.known('s')?.open.keys() ?? [])]).toEqual(['b', 'c', 'd'])
  })

  it('are made by one person so often and no more', async () => {
    const parts = createParts({ clock, store, limits: { maxSessions: 2 } })
    open.push(parts)
    const make = (principal: string, id: string) => parts.actions.createSession({ principal, device: 'd' }, id)
    for (const id of ['a', 'b']) expect(await make('alice', id)).toMatchObject({ kind: 'accepted' })
    expect(await make('alice', 'c')).toMatchObject({ kind: 'refused', code: 'too-many-sessions', params: { max: 2 } })
    expect(await make('bob', 'c')).toMatchObject({ kind: 'accepted' })
    await parts.actions.disposeSession({ principal: 'alice', device: 'd' }, 'a')
    await settle()
    expect(await make('alice', 'd')).toMatchObject({ kind: 'accepted' })
  })

  it('can be made again under the name of one that was disposed of', async () => {
    const parts = node()
    await session(parts)
    await parts.sessions.change('s', now => disposeSession(now, { at: clock.now() }))
    await session(parts)
    await clock.advance(24 * 60 * 60 * 1000)
    expect(await parts.sessions.refresh('s')).toMatchObject({ id: 's' })
  })
})

describe('someone who waits for an ask', () => {
  it('is told when it ends on another node, also when no hint came', async () => {
    const asking = node(quietStore(store))
    const answering = node()
    const outcome = (await (await session(asking)).startTurn()).ask(ask)
    await settle()
    await accept(answering, 'r')
    await settle()
    await clock.advance(5_000)
    expect(await outcome).toMatchObject({ action: 'accept' })
    // What was seen is not named any more.
    await settle()
    expect(await store.range(`desk/ended/${asking.turns.node}`, { limit: 10 })).toEqual([])
  })

  it('is told by the node that has it now, when it went on there', async () => {
    const [before, after, answering] = [node(), node(), node()]
    const turn = await (await session(before)).startTurn()
    turn.ask(ask).catch(() => {})
    await settle()
    const again = (await session(after)).activeTurn()?.ask(ask)
    await settle()
    await accept(answering, 'r')
    expect(await again).toMatchObject({ action: 'accept' })
  })

  it('is told on every node where somebody waits for it', async () => {
    const [first, second, third] = [node(), node(), node()]
    const turn = await (await session(first)).startTurn()
    const outcome = turn.ask(ask)
    await settle()
    // Taken for dead, and only slow.
    const again = (await session(second)).activeTurn()?.ask(ask)
    await settle()
    await accept(third, 'r')
    await settle()
    expect(await again).toMatchObject({ action: 'accept' })
    const told = Promise.race([outcome, clock.advance(30_000).then(settle)])
    expect(await told).toMatchObject({ action: 'accept' })
  })

  it('is told although many others wait there for what has not ended, and without looking for ever', async () => {
    let reads = 0
    const counted: Store = {
      ...store,
      range(name, options) {
        if (name.startsWith('desk/ended/')) reads++
        return store.range(name, options)
      },
    }
    const [first, second, third] = [node(counted), node(), node()]
    const ids = Array.from({ length: 250 }, (_, index) => `r${index}`)
    const turn = await (await session(first)).startTurn()
    const outcomes = ids.map(id => turn.ask({ ...ask, id }))
    await settle()
    const again = (await session(second)).activeTurn()
    for (const id of ids) void again?.ask({ ...ask, id })
    await settle()
    for (const id of ['r0', 'r120', 'r249']) await accept(third, id)
    await clock.advance(5_000)
    await settle()
    const told = Promise.all([outcomes[0], outcomes[120], outcomes[249]])
    expect(await Promise.race([told, clock.advance(5_000).then(settle)])).toHaveLength(3)
    expect(reads).toBeLessThan(12)
  })
})
