import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { beforeEach, expect, it } from 'vitest'
import { awayStore } from '../../test/away-store.js'
import { deskStore } from '../desk-parts.js'
import { tokenOfCaller, tokensOfAsker } from '../index/tokens.js'
import { reduce } from '../model/reduce.js'
import type { Session } from '../model/session.js'
import { createSession, openAsk, startTurn, withdrawAsk } from '../turns/decisions.js'
import { OpenCounts } from './open-counts.js'

const caller = tokenOfCaller('alice')
const [server, ofAlice] = tokensOfAsker('shop', caller)
const limits = { maxOpenAsks: 1_000, maxAskBytes: 1e6, maxSessionBytes: 1e6 }
const hourMs = 60 * 60_000
let clock: TestClock
let store: Store

beforeEach(() => {
  clock = createTestClock()
  store = memoryStore({ clock })
})

function counts(node: string, on = store): OpenCounts {
  return new OpenCounts({ store: deskStore(on), clock, node })
}

/** A session with an ask that is open, and the same once it has ended. */
function asked(id: string): { readonly none: Session | undefined; readonly open: Session | undefined } {
  const at = clock.now()
  const policy = { expiresAt: at + hourMs }
  const ask = { request: { id, message: 'Sure?' }, policy, digest: '', node: 'n', limits, caller }
  const steps = [
    (session?: Session) => createSession(session, { id, title: id, server: 'shop', isCall: true }, { at }),
    (session?: Session) => startTurn(session, 't', '', { at }),
    (session?: Session) => openAsk(session, 't', ask, { at }),
  ]
  const open = steps.reduce<Session | undefined>(
    (known, step) => (step(known).events ?? []).reduce(reduce, known),
    undefined,
  )
  return { open, none: (withdrawAsk(open, id, { at }).events ?? []).reduce(reduce, open) }
}

it('adds up what nodes opened and ended, wherever each was', async () => {
  const [here, there] = [counts('here'), counts('there')]
  const [a, b] = [asked('a'), asked('b')]
  here.happened({ before: undefined, after: a.open })
  here.happened({ before: undefined, after: b.open })
  await here.written(server)
  expect([await here.count(server), await there.count(server)]).toEqual([2, 2])
  there.happened({ before: a.open, after: a.none })
  expect([await there.count(server), await there.count(ofAlice)]).toEqual([1, 0])
  await there.written(server)
  expect(await here.count(server)).toBe(1)
})

it('C1: counts what a node left behind no longer than its asks could be open', async () => {
  const dying = counts('dying')
  dying.happened({ before: undefined, after: asked('a').open })
  await dying.written(server)
  const other = counts('other')
  expect(await other.count(server)).toBe(1)
  await clock.advance(2 * hourMs)
  expect(await other.count(server)).toBe(0)
  expect(await store.count(`desk/from/${server}`, { upTo: 9 })).toBe(0)
})

it('C2: writes within a second, and nothing of what was opened and ended meanwhile', async () => {
  const writes: string[] = []
  const watched: Store = {
    ...store,
    put: (set, ...more) => {
      writes.push(set)
      return store.put(set, ...more)
    },
    remove: async set => {
      writes.push(set)
      return true
    },
  }
  const own = counts('own', watched)
  const [a, b] = [asked('a'), asked('b')]
  own.happened({ before: undefined, after: a.open })
  own.happened({ before: a.open, after: a.none })
  await clock.advance(1_000)
  expect(writes).toEqual([])
  own.happened({ before: undefined, after: b.open })
  await clock.advance(1_000)
  expect(writes).toEqual([`desk/from/${server}`, `desk/from/${ofAlice}`])
})

it('writes what a store did not take once it is there again', async () => {
  const shaky = awayStore(store)
  const own = counts('own', shaky)
  shaky.isAway = true
  own.happened({ before: undefined, after: asked('a').open })
  await own.written(server)
  shaky.isAway = false
  expect(await counts('other').count(server)).toBe(0)
  await own.close()
  expect(await counts('other').count(server)).toBe(1)
})

it('C1: adds up all of them, also where many are below zero', async () => {
  const end = Math.floor(clock.now() / hourMs) + 2
  await Promise.all(Array.from({ length: 10_100 }, (_, nth) => store.put(`desk/from/${server}`, `n${nth}/${end}`, -1)))
  await store.put(`desk/from/${server}`, `big/${end}`, 10_400)
  expect(await counts('own').count(server)).toBe(300)
})
