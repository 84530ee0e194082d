import { createTestClock } from 'beckon/test'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createParts, type DeskParts } from '../desk-parts.js'
import type { SessionEvent } from '../model/events.js'
import { readAsksPage } from './asks-page.js'
import { Feed } from './feed.js'
import type { LiveDesk } from './live-desk.js'
import { Numbers } from './numbers.js'

const clock = createTestClock()
const alice = { principal: 'alice' }
let parts: DeskParts
let feed: Feed
/** How many note what happens. */
let noting: number

beforeEach(() => {
  parts = createParts({ clock })
  feed = new Feed({ ...parts, numbers: new Numbers(clock) })
  noting = 0
  const record = feed.record.bind(feed)
  feed.record = () => {
    const { sessions, stop } = record()
    noting++
    let isOver = false
    const stopOnce = () => {
      if (!isOver) noting--
      isOver = true
      stop()
    }
    return { sessions, stop: stopOnce }
  }
})

afterEach(async () => {
  feed.close()
  await parts.close()
})

const read = () => readAsksPage({ ...parts, feed } as unknown as LiveDesk, alice)

async function happen(session: string, ...events: readonly object[]): Promise<void> {
  await parts.sessions.change(session, () => ({
    events: events.map(event => ({ at: clock.now(), ...event }) as SessionEvent),
  }))
}

const created = (id: string) => ({ type: 'created', id, title: id, server: 'shop' })
const turnStarted = { type: 'turnStarted', turn: 't', message: { text: 'go' } }
const asked = (id: string) => ({
  type: 'asked',
  request: { id, message: 'Sure?' },
  policy: { expiresAt: clock.now() + 3_600_000 },
  instance: `i-${id}`,
  node: 'n',
})

it('has what happened while it was read', async () => {
  await happen('a', created('a'), turnStarted, asked('one'))
  const page = await read()
  await happen('b', created('b'), turnStarted, asked('two'))
  await happen('a', { type: 'askEnded', ask: 'one', response: 'decline' })
  const { asks } = page.take()
  expect(asks.map(({ request, ending }) => [request.id, ending?.response])).toEqual([
    ['one', 'decline'],
    ['two', undefined],
  ])
  page.stop()
})

it('has nothing of a session that went while it was read', async () => {
  await happen('a', created('a'), turnStarted, asked('one'))
  const page = await read()
  await happen('a', { type: 'disposed' })
  expect(page.take()).toEqual({ asks: [] })
  page.stop()
})

it('has asks of the same time in the order they were asked, however they stand', async () => {
  await happen('a', created('a'), turnStarted, asked('one'), asked('two'), asked('three'))
  await happen('a', { type: 'askEnded', ask: 'two', response: 'decline' })
  await parts.index.drained()
  const page = await read()
  expect(page.take().asks.map(({ request }) => request.id)).toEqual(['one', 'two', 'three'])
  page.stop()
})

it('notes what happens only until it is told, or nobody wants it', async () => {
  const [told, dropped] = [await read(), await read()]
  expect(noting).toBe(2)
  // Without having been taken: what someone missed is replayed to them.
  told.join()
  dropped.stop()
  expect(noting).toBe(0)
  told.stop()
})
