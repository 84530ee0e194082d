// What goes wrong beside a session: names without their append, listeners that throw, hints that nobody could listen for.
import { memoryStore } from 'beckon'
import { type Store, StoreUnavailableError } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { awayStore } from '../../test/away-store.js'
import { quietStore } from '../../test/quiet-store.js'
import { createParts, type DeskParts, type DeskPartsOptions } from '../desk-parts.js'
import type { Session } from '../model/session.js'
import { openSession } from '../turns/desk-session.js'

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

function node(options: DeskPartsOptions = {}): DeskParts {
  const parts = createParts({ clock, store, ...options })
  open.push(parts)
  return parts
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await new Promise(resolve => setImmediate(resolve))
}

function session(parts: DeskParts, id = 's') {
  return openSession(parts.turns, { id, title: 'Session', server: 'shop' })
}

function accept({ actions }: DeskParts, requestId: string, id = 's') {
  const action = { type: 'session/inputCompleted', requestId, response: 'accept' }
  return actions.dispatch({ principal: 'alice', device: 'd' }, { session: id, on: 'session', dialect: '0.3', action })
}

/** The log of a session as it was when it had so many entries. Names that went with the others stay gone. */
async function cutShort(entries: number, id = 's'): Promise<void> {
  const kept = (await store.read(`desk/session/${id}`)).slice(0, entries).map(({ value }) => value)
  await store.erase(`desk/session/${id}`)
  await store.append(`desk/session/${id}`, kept)
}

const listed = async ({ index }: DeskParts) =>
  (await index.open({ principal: 'alice' }, { limit: 9 })).map(({ session }) => session)

it('names of what never ended keep nobody from what did, and are not read without end', async () => {
  let reads = 0
  const counted: Store = {
    ...quietStore(store),
    range: (set, ...rest) => {
      if (set.includes('/ended/')) reads++
      return store.range(set, ...rest)
    },
  }
  const asking = node({ store: counted })
  const answering = node()
  const turn = await (await session(asking)).startTurn()
  for (let n = 0; n < 150; n++) turn.ask({ id: `r${n}`, message: 'Sure?' }).catch(() => {})
  const outcome = turn.ask({ id: 'last', message: 'Sure?' })
  await settle()
  // A node that died before its appends.
  const set = `desk/ended/${asking.turns.node}`
  for (const { instance } of asking.sessions.known('s')?.open.values() ?? [])
    await store.put(set, `s/${instance}`, clock.now())
  await clock.advance(1)
  await accept(answering, 'last')
  let ended: unknown
  outcome.then(one => {
    ended = one
  })
  await clock.advance(5_000)
  await settle()
  expect(ended).toMatchObject({ action: 'accept' })
  expect(reads).toBeLessThan(5)
  // By then their appends came, or never will.
  await clock.advance(11 * 60_000)
  await settle()
  expect(await store.count(set, { upTo: 1_000 })).toBe(0)
})

it('a listener that throws costs nobody else anything, and writes nothing twice', async () => {
  const errors: unknown[] = []
  const parts = node({ onError: error => errors.push(error) })
  await session(parts)
  const heard: string[] = []
  parts.sessions.listen(() => {
    throw new Error('a fault')
  })
  parts.sessions.listen(({ event }) => heard.push(event.type))
  const rename = { type: 'titleChanged', title: 'Other', at: clock.now() } as const
  const settled = await parts.sessions.change('s', () => ({ events: [rename] }))
  expect(settled).toMatchObject({ kind: 'accepted', session: { title: 'Other' } })
  expect(heard).toEqual(['titleChanged'])
  expect(await store.read('desk/session/s')).toHaveLength(2)
  expect(errors).toHaveLength(1)
})

it('a reminder that throws keeps nothing else from its time', async () => {
  const errors: unknown[] = []
  const parts = node({
    onError: error => errors.push(error),
    onReminder: () => {
      throw new Error('a fault')
    },
  })
  const turn = await (await session(parts)).startTurn()
  turn.ask({ id: 'a', message: 'Sure?' }, { remindAfterMs: [1_000] }).catch(() => {})
  const outcome = turn.ask({ id: 'b', message: 'Sure?' }, { timeoutMs: 2_000 })
  await settle()
  for (let second = 0; second < 15; second++) {
    await clock.advance(1_000)
    await settle()
  }
  let ended: unknown
  outcome.then(one => {
    ended = one
  })
  await settle()
  expect(ended).toEqual({ action: 'cancel', why: 'expired' })
  expect(errors).toHaveLength(1)
})

it('a session that cannot be read keeps nothing else from its time', async () => {
  const broken: Store = {
    ...store,
    read: async (log, ...rest) => {
      if (log.endsWith('/broken')) throw new Error('not one of ours')
      return store.read(log, ...rest)
    },
  }
  const parts = node({ store: broken, onError: () => {} })
  await store.put('desk/due', 'broken/instance', clock.now())
  const turn = await (await session(parts)).startTurn()
  const outcome = turn.ask({ id: 'b', message: 'Sure?' }, { timeoutMs: 2_000 })
  let ended: unknown
  outcome.then(one => {
    ended = one
  })
  for (let second = 0; second < 15; second++) {
    await clock.advance(1_000)
    await settle()
  }
  expect(ended).toEqual({ action: 'cancel', why: 'expired' })
})

it('hints that could not be listened for at first are heard once the store is back', async () => {
  const away = awayStore(store)
  away.isAway = true
  const here = node({ store: away, onError: () => {} })
  const stop = here.audiences.follow({ principal: 'alice' })
  await settle()
  away.isAway = false
  await clock.advance(10_000)
  await settle()
  const announced: string[] = []
  here.audiences.onAnnounced(({ id }: Session) => announced.push(id))
  const there = node()
  const turn = await (await session(there)).startTurn()
  turn.ask({ id: 'r', message: 'Sure?' }).catch(() => {})
  await settle()
  expect(announced).toContain('s')
  stop()
})

it('a session that was read here before its hint came is announced all the same', async () => {
  let isHeld = true
  const held: (() => void)[] = []
  const slow: Store = {
    ...store,
    publish: async (topic, message) => {
      if (isHeld) held.push(() => void store.publish(topic, message))
      else await store.publish(topic, message)
    },
  }
  const [here, there] = [node(), node({ store: slow })]
  const stop = here.audiences.follow({ principal: 'alice' })
  const announced: string[] = []
  here.audiences.onAnnounced(({ id, open }: Session) => announced.push(`${id} ${[...open.keys()]}`))
  const turn = await (await session(there)).startTurn()
  turn.ask({ id: 'r', message: 'Sure?' }).catch(() => {})
  await settle()
  // Somebody else lists asks, say.
  await here.sessions.load('s')
  isHeld = false
  for (const publish of held) publish()
  await settle()
  expect(announced).toEqual(['s r'])
  stop()
})

it.each(['answers nothing', 'takes nothing'])(
  'a session that was read because a write failed is announced all the same, where the store %s for a while',
  async how => {
    let isFull = false
    const away = awayStore(store)
    const failing: Store = {
      ...away,
      append: async (...args) => {
        if (isFull) throw new StoreUnavailableError('The store', undefined)
        return away.append(...args)
      },
    }
    const [here, there] = [
      node({ store: failing, onError: () => {} }),
      node({ store: { ...store, publish: async () => {} } }),
    ]
    const stop = here.audiences.follow({ principal: 'alice' })
    const announced: string[] = []
    here.audiences.onAnnounced(({ id, open }: Session) => announced.push(`${id} ${[...open.keys()]}`))
    const turn = await (await session(there)).startTurn()
    turn.ask({ id: 'r', message: 'Sure?' }).catch(() => {})
    await settle()
    away.isAway = how === 'answers nothing'
    isFull = how === 'takes nothing'
    const rename = { type: 'titleChanged', title: 'Other', at: clock.now() } as const
    await expect(here.sessions.change('s', () => ({ events: [rename] }))).rejects.toThrow(StoreUnavailableError)
    away.isAway = false
    isFull = false
    // What became of the write is looked for before what no hint told of.
    await clock.advance(5_000)
    await settle()
    expect(here.sessions.isLoaded('s')).toBe(true)
    await clock.advance(25_000)
    await settle()
    expect(announced).toEqual(['s r'])
    stop()
  },
)

it('someone who waits is told in the end, also of an ask that is waited for elsewhere by now', async () => {
  const [before, after, answering] = [node(), node(), node()]
  const first = (await (await session(before)).startTurn()).ask({ id: 'r', message: 'Sure?' }, { timeoutMs: 60_000 })
  await settle()
  const again = (await session(after)).activeTurn()?.ask({ id: 'r', message: 'Sure?' })
  await settle()
  await accept(answering, 'r')
  expect(await again).toMatchObject({ action: 'accept' })
  let ended: unknown
  first.then(one => {
    ended = one
  })
  for (let n = 0; n < 30; n++) {
    await clock.advance(5_000)
    await settle()
  }
  expect(ended).toMatchObject({ action: 'accept' })
})

it('sessions that are followed leave those that nobody follows their place in memory', async () => {
  const parts = node({ maxIdle: 2 })
  for (const id of ['a', 'b', 'c', 'd']) await session(parts, id)
  const stops = await Promise.all(['a', 'b', 'c'].map(id => parts.sessions.follow(id)))
  await parts.sessions.load('d')
  await settle()
  await parts.sessions.change('a', () => ({}))
  expect(parts.sessions.isLoaded('d')).toBe(true)
  for (const { stop } of stops) stop()
  await settle()
  await parts.sessions.change('a', () => ({}))
  const loaded = ['a', 'b', 'c', 'd'].filter(id => parts.sessions.isLoaded(id))
  expect(loaded).toHaveLength(2)
})

it('the approvals of those who are asked no longer do not count', async () => {
  const parts = node()
  const turn = await (await session(parts)).startTurn()
  const people = (...principals: string[]) => ({ principals })
  const escalation = { afterMs: 1_000, audience: people('bob', 'carol') }
  turn.ask({ id: 'r', message: 'Pay?' }, { audience: people('alice', 'bob'), quorum: 2, escalation }).catch(() => {})
  await settle()
  const accepts = (principal: string) => {
    const action = { type: 'session/inputCompleted', requestId: 'r', response: 'accept' }
    return parts.actions.dispatch({ principal, device: 'd' }, { session: 's', on: 'session', dialect: '0.3', action })
  }
  expect(await accepts('alice')).toMatchObject({ code: 'recorded' })
  for (let second = 0; second < 6; second++) {
    await clock.advance(1_000)
    await settle()
  }
  expect(await accepts('carol')).toMatchObject({ code: 'recorded', params: { count: 1, of: 2 } })
  expect(await accepts('bob')).toMatchObject({ kind: 'accepted' })
})

it('S5: a program that waits on a node hears of an end whose append that node never heard of', async () => {
  const away = awayStore(store)
  const [here, there] = [node({ store: away, onError: () => {} }), node()]
  const stop = there.audiences.follow({ principal: 'alice' })
  const turn = await (await session(here)).startTurn()
  let ended: unknown
  turn.ask({ id: 'r', message: 'Sure?' }).then(one => {
    ended = one
  })
  await settle()
  const told: string[] = []
  there.sessions.listen(({ event }) => told.push(event.type))
  // It is written, and nothing of the store is heard from then on, for a while.
  away.isDeaf = true
  await expect(accept(here, 'r')).rejects.toThrow()
  expect(ended).toBeUndefined()
  await clock.advance(10_000)
  away.isDeaf = false
  await clock.advance(5_000)
  await settle()
  expect(ended).toMatchObject({ action: 'accept' })
  // The others are told, as if it had been heard of at once.
  expect(told).toContain('askEnded')
  stop()
})

it('a program that waits hears of an end, although the name that leads there was removed', async () => {
  const [asking, answering] = [node(), node()]
  const turn = await (await session(asking)).startTurn()
  let ended: unknown
  turn.ask({ id: 'r', message: 'Sure?' }).then(one => {
    ended = one
  })
  await settle()
  // The node that asks has lost its way: what it knows of the session is not what the log has.
  const entries = (await store.read('desk/session/s')).map(({ value }) => value)
  await asking.sessions.change('s', () => ({ events: [{ type: 'titleChanged', title: 'Other', at: clock.now() }] }))
  await store.erase('desk/session/s')
  await store.append('desk/session/s', entries)
  const set = `desk/ended/${asking.turns.node}`
  const { range } = store
  store.range = async (name, options) => (name === set ? [] : range(name, options))
  expect(await accept(answering, 'r')).toMatchObject({ kind: 'accepted' })
  await settle()
  expect(ended).toMatchObject({ action: 'accept' })
})

it('a program that waits is told in a while that the store has lost its ask', async () => {
  const asking = node()
  const turn = await (await session(asking)).startTurn()
  let ended: unknown
  turn.ask({ id: 'r', message: 'Sure?' }).then(one => {
    ended = one
  })
  await settle()
  await store.erase('desk/session/s')
  for (let n = 0; n < 14; n++) {
    await clock.advance(5_000)
    await settle()
  }
  expect(ended).toMatchObject({ action: 'cancel' })
})

it('a program that waits is told in a while that its ask is no part of the log, which had lost its end before', async () => {
  const [asking, other] = [node({ store: quietStore(store) }), node()]
  const turn = await (await session(asking)).startTurn()
  await asking.sessions.change('s', () => ({ events: [{ type: 'titleChanged', title: 'Lost', at: clock.now() }] }))
  await cutShort((await store.read('desk/session/s')).length - 1)
  // Now the log is as long as it was.
  await other.sessions.change('s', () => ({ events: [{ type: 'titleChanged', title: 'Kept', at: clock.now() }] }))
  let ended: unknown
  turn.ask({ id: 'r', message: 'Sure?' }).then(one => {
    ended = one
  })
  await settle()
  expect(asking.sessions.known('s')?.open.has('r')).toBe(true)
  expect((await other.sessions.refresh('s'))?.open.has('r')).toBe(false)
  for (let n = 0; n < 14; n++) {
    await clock.advance(5_000)
    await settle()
  }
  expect(ended).toMatchObject({ action: 'cancel' })
})

it('I6: names what is open again in a log that lost its end, as soon as the store takes it', async () => {
  let isFull = false
  const put: Store['put'] = async (...args) => {
    if (isFull) throw new StoreUnavailableError('The store', undefined)
    return store.put(...args)
  }
  const here = node({ store: { ...store, put } })
  const turn = await (await session(here)).startTurn()
  const outcome = turn.ask({ id: 'r', message: 'Sure?' })
  await settle()
  const before = (await store.read('desk/session/s')).length
  await accept(here, 'r')
  expect([(await outcome).action, await listed(here)]).toEqual(['accept', []])
  await cutShort(before)
  isFull = true
  expect((await here.sessions.refresh('s'))?.open.has('r')).toBe(true)
  await settle()
  isFull = false
  await clock.advance(5_000)
  await settle()
  expect(await listed(here)).toEqual(['s'])
})

it('I6: names what is open in a log that has the end of it from someone who knew another log', async () => {
  const [stale, other] = [node({ store: quietStore(store) }), node()]
  const turn = await (await session(stale)).startTurn()
  turn.ask({ id: 'r', message: 'Sure?' }).catch(() => {})
  await settle()
  const rename = (title: string) => () => ({ events: [{ type: 'titleChanged' as const, title, at: clock.now() }] })
  await stale.sessions.change('s', rename('Lost'))
  await cutShort((await store.read('desk/session/s')).length - 1)
  await other.sessions.change('s', rename('Kept'))
  expect(await accept(stale, 'r')).toMatchObject({ kind: 'accepted' })
  expect(await listed(other)).toEqual([])
  // The one that knew another log is not there to find out.
  await open.shift()?.close()
  expect((await other.sessions.refresh('s'))?.open.has('r')).toBe(true)
  await settle()
  expect(await listed(other)).toEqual(['s'])
  // Nor is one needed that was there when it happened.
  await store.remove('desk/open/anyone', (await store.range('desk/open/anyone', { limit: 1 }))[0]?.member ?? '')
  const late = node()
  await late.sessions.load('s')
  await settle()
  expect(await listed(late)).toEqual(['s'])
})

it('a session that cannot be read keeps nobody from being told what became of another', async () => {
  let isBroken = false
  const broken: Store = {
    ...store,
    read: async (log, ...rest) => {
      if (isBroken && log.endsWith('/a')) throw new Error('not one of ours')
      return store.read(log, ...rest)
    },
  }
  const asking = node({ store: broken, onError: () => {} })
  const ended: string[] = []
  for (const id of ['a', 'b']) {
    const turn = await (await session(asking, id)).startTurn()
    turn.ask({ id: `r${id}`, message: 'Sure?' }).then(({ action }) => ended.push(`${id} ${action}`))
    await settle()
  }
  isBroken = true
  await store.erase('desk/session/b')
  for (let n = 0; n < 14; n++) {
    await clock.advance(5_000)
    await settle()
  }
  expect(ended).toEqual(['b cancel'])
})
