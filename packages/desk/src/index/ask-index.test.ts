import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stepwiseStore } from '../../test/stepwise-store.js'
import { createParts, type DeskParts } from '../desk-parts.js'
import type { Person } from '../policy/audience.js'
import { searchAsks } from '../sessions/search-asks.js'
import { openSession } from '../turns/desk-session.js'
import { openOnDesk } from '../turns/open-ask.js'
import type { AskOptions } from '../turns/turn.js'
import { staleMs } from './names.js'

let clock: TestClock
let store: Store
let parts: DeskParts

beforeEach(() => {
  clock = createTestClock()
  store = memoryStore({ clock })
  parts = createParts({ clock, store })
})

afterEach(() => parts.close())

async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise(resolve => setImmediate(resolve))
}

async function ask(id: string, options: AskOptions = {}, session = 's') {
  const { startTurn, activeTurn } = await openSession(parts.turns, { id: session, title: session, server: 'shop' })
  const turn = activeTurn() ?? (await startTurn())
  turn.ask({ id, message: `${id}?` }, options).catch(() => {})
  await settle()
}

function accept(requestId: string, { principal }: Person, session = 's') {
  const action = { type: 'session/inputCompleted', requestId, response: 'accept' }
  return parts.actions.dispatch({ principal, device: 'd' }, { session, on: 'session', dialect: '0.3', action })
}

async function openFor(person: Person, limit = 50): Promise<string[]> {
  const { asks } = await searchAsks(parts, person, { limit })
  await settle()
  return asks.map(found => found.ask.id)
}

const alice: Person = { principal: 'alice' }
const bob: Person = { principal: 'bob', groups: ['finance'] }

describe('the index of asks', () => {
  it('forgets what has long been over, for each of those whom it was for', async () => {
    await parts.close()
    const keepMs = 60_000
    parts = createParts({ clock, store, history: { keepMs } })
    const audience = { principals: ['alice', 'bob'] }
    for (let n = 0; n < 150; n++) {
      await ask(`r${n}`, { audience })
      await accept(`r${n}`, alice)
      await clock.advance(keepMs / 30)
    }
    await parts.index.drained()
    for (const person of [alice, { principal: 'bob' }])
      expect((await parts.index.over(person, { limit: 1_000 })).length).toBeLessThan(130)
  }, 20_000)

  it('finds what is open for someone, by name, by group and for anyone, newest first and once', async () => {
    await ask('any')
    await clock.advance(1)
    await ask('alice', { audience: { principals: ['alice'] } })
    await clock.advance(1)
    await ask('both', { audience: { principals: ['bob'], groups: ['finance'] } })
    await clock.advance(1)
    await ask('own', { owner: 'alice' })
    expect(await openFor(alice)).toEqual(['own', 'alice', 'any'])
    expect(await openFor(bob)).toEqual(['both', 'any'])
    expect(await parts.index.countOpen(alice, 1_000)).toBe(3)
    expect(await parts.index.countOpen(bob, 1_000)).toBe(2)
    expect(await parts.index.countOpen(bob, 1)).toBe(1)
  })

  it('moves what ended to what is over, and what others are asked to them', async () => {
    const escalation = { afterMs: 1_000, audience: { groups: ['finance'] } }
    await ask('one', { audience: { principals: ['alice'] }, escalation })
    await ask('two', { audience: { principals: ['alice'] } })
    await accept('two', alice)
    await clock.advance(1_000)
    await settle()
    expect([await openFor(alice), await openFor(bob)]).toEqual([[], ['one']])
    // What others are asked instead is over for those who were asked first.
    expect(await parts.index.over(alice, { limit: 5 })).toHaveLength(2)
    expect(await store.count('desk/due', { upTo: 10 })).toBe(1)
  })

  it('I1: has the name of an ask before the ask is there, and after it has ended until that is written', async () => {
    const seen: [string, number][] = []
    const watching = stepwiseStore(store, {
      beforeEntries: async (_log, entries) => {
        const types = entries.flatMap(entry => (entry as { e?: { type: string }[] }).e ?? []).map(({ type }) => type)
        if (types.includes('asked') || types.includes('askEnded'))
          seen.push([types.join(), await store.count('desk/due', { upTo: 10 })])
      },
    })
    await parts.close()
    parts = createParts({ clock, store: watching })
    await ask('one')
    await accept('one', alice)
    await settle()
    expect(seen).toEqual([
      ['asked', 1],
      ['askEnded', 1],
    ])
    expect(await store.count('desk/due', { upTo: 10 })).toBe(0)
  })

  it('I2: tells an ask from another that was opened under its id', async () => {
    await ask('one')
    const [first] = await parts.index.open(alice, { limit: 5 })
    const session = await openSession(parts.turns, { id: 's', title: 's', server: 'shop' })
    await session.dispose()
    await ask('one')
    const [second] = await parts.index.open(alice, { limit: 5 })
    expect(second?.session).toBe(first?.session)
    expect(second?.instance).not.toBe(first?.instance)
  })

  it('I3: skips a name that leads nowhere, and removes it when it is old', async () => {
    const member = 'gone/instance'
    await store.put('desk/open/anyone', member, clock.now())
    expect(await openFor(alice)).toEqual([])
    expect(await store.count('desk/open/anyone', { upTo: 10 })).toBe(1)
    await clock.advance(staleMs)
    expect(await openFor(alice)).toEqual([])
    expect(await store.count('desk/open/anyone', { upTo: 10 })).toBe(0)
  })

  it('I3: puts right what a process left behind that died after its append', async () => {
    await ask('one')
    await parts.index.drained()
    const dead = createParts({ clock, store: stepwiseStore(store, { diesAfterEntries: true }) })
    const action = { type: 'session/inputCompleted', requestId: 'one', response: 'accept' }
    const viewer = { principal: 'alice', device: 'd' }
    await dead.actions.dispatch(viewer, { session: 's', on: 'session', dialect: '0.3', action })
    expect(await store.count('desk/open/anyone', { upTo: 10 })).toBe(1)
    expect(await openFor(alice)).toEqual([])
    await clock.advance(staleMs)
    await openFor(alice)
    expect(await store.count('desk/open/anyone', { upTo: 10 })).toBe(0)
    expect(await store.count('desk/over/anyone', { upTo: 10 })).toBe(1)
  })

  it('I4: adds its names again when the append took long', async () => {
    let isSlow = true
    const slow = stepwiseStore(store, {
      beforeEntries: async (_log, entries) => {
        const isAsked = JSON.stringify(entries).includes('"asked"')
        if (!isAsked || !isSlow) return
        isSlow = false
        // Meanwhile a reader found the name, and nothing where it leads.
        await clock.advance(staleMs)
        await store.remove('desk/open/anyone', (await parts.index.open(alice, { limit: 1 }))[0]?.member ?? '')
      },
    })
    const late = createParts({ clock, store: slow })
    const session = await openSession(late.turns, { id: 's', title: 's', server: 'shop' })
    const turn = await session.startTurn()
    turn.ask({ id: 'one', message: 'one?' }).catch(() => {})
    await settle()
    expect(await openFor(alice)).toEqual(['one'])
    await late.close()
  })

  it('I7: keeps what is over for its time, and sets the expiry of a list once in that time', async () => {
    await parts.close()
    const keepMs = 3_600_000
    const expiries: number[] = []
    const watched: Store = {
      ...store,
      append(log, entries, options) {
        for (const { set, expiresAt } of options?.puts ?? [])
          if (set.startsWith('desk/over/') && expiresAt !== undefined) expiries.push(expiresAt - clock.now())
        return store.append(log, entries, options)
      },
    }
    parts = createParts({ clock, store: watched, history: { keepMs } })
    const idsOver = async () => (await parts.index.over(alice, { limit: 100 })).map(({ at }) => at)
    const ended: number[] = []
    for (let n = 0; n < 40; n++) {
      await ask(`r${n}`, { audience: { principals: ['alice'] } })
      await accept(`r${n}`, alice)
      ended.push(clock.now())
      await clock.advance(keepMs / 10)
      const young = ended.filter(at => at > clock.now() - keepMs)
      expect(await idsOver()).toEqual(expect.arrayContaining(young))
    }
    expect(expiries.length).toBeLessThanOrEqual(5)
    await clock.advance(2 * keepMs)
    expect(await idsOver()).toEqual([])
  })

  it('I7: sets the expiry with the next name when the append of the one before did not take place', async () => {
    await parts.close()
    let fails = false
    const expiries: unknown[] = []
    const failing: Store = {
      ...store,
      async append(log, entries, options) {
        for (const { set, expiresAt } of options?.puts ?? []) if (set.startsWith('desk/over/')) expiries.push(expiresAt)
        if (fails) throw new Error('The store is away.')
        return store.append(log, entries, options)
      },
    }
    parts = createParts({ clock, store: failing })
    await ask('a', { audience: { principals: ['alice'] } })
    fails = true
    await accept('a', alice).catch(() => {})
    expect(expiries).not.toEqual([])
    fails = false
    expiries.length = 0
    await accept('a', alice)
    expect(expiries).toEqual([expect.any(Number)])
  })

  it('I7: has a list expire whose last name went with its session', async () => {
    await parts.close()
    const keepMs = 3_600_000
    parts = createParts({ clock, store, history: { keepMs } })
    const over = async () => (await parts.index.over(alice, { limit: 9 })).length
    await ask('a', { audience: { principals: ['alice'] } }, 's1')
    await accept('a', alice, 's1')
    expect(await over()).toBe(1)
    const { dispose } = await openSession(parts.turns, { id: 's1', title: 's1', server: 'shop' })
    await dispose()
    await settle()
    expect(await over()).toBe(0)
    await ask('b', { audience: { principals: ['alice'] } }, 's2')
    await accept('b', alice, 's2')
    expect(await over()).toBe(1)
    await clock.advance(100 * keepMs)
    expect(await over()).toBe(0)
  })

  it('is read page by page, and says how far a search has looked', async () => {
    for (let n = 0; n < 30; n++) {
      await ask(`a${n}`)
      await clock.advance(1)
    }
    const found: string[] = []
    let after: { at: number; member: string } | undefined
    for (;;) {
      const page = await searchAsks(parts, alice, { limit: 7, after })
      found.push(...page.asks.map(({ ask: { id } }) => id))
      if (page.next === undefined) break
      after = page.next
    }
    expect(found).toEqual(Array.from({ length: 30 }, (_, n) => `a${29 - n}`))
    const searched = await searchAsks(parts, alice, { limit: 5, search: 'A2' })
    expect(searched.asks.map(({ ask: { id } }) => id)).toEqual(['a29', 'a28', 'a27', 'a26', 'a25'])
    expect(searched.next).toBeDefined()
  })

  it('forgets calls that are over by their time', async () => {
    await parts.close()
    parts = createParts({ clock, store, history: { keepMs: 60_000 } })
    const asked = [
      { call: 'c', server: 'shop' },
      { id: '1', message: 'Buy?' },
      { expiresAt: clock.now() + 5_000 },
    ] as const
    const opened = await openOnDesk(parts.turns, asked, { linkTo: id => id, identifiesPeople: false })
    await accept('c.1', alice, 'call-c')
    await opened.outcome()
    expect((await parts.sessions.refresh('call-c'))?.turns).toHaveLength(1)
    await clock.advance(65_000)
    expect(await parts.sessions.refresh('call-c')).toBeUndefined()
  })
})
