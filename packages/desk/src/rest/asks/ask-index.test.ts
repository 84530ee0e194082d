import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { beforeEach, describe, expect, it } from 'vitest'
import { asked, completed, ended } from '../../asks/lines.js'
import { escalated } from '../../asks/policy.js'
import type { Line } from '../../log/act.js'
import { Order } from '../../log/order.js'
import { AskIndex } from './ask-index.js'
import type { Happening } from './happening.js'

let store: Store
let order: Order

const policy = { expiresAt: 1_000_000 }
const startedAt = new Date(5).toISOString()

beforeEach(async () => {
  store = memoryStore()
  order = await open()
  await write([
    { session: 's', act: { type: 'sessionCreated', title: 'S', server: 'shop' }, at: 1 },
    { session: 's', act: { type: 'turnStarted', turnId: 't', message: { text: '' }, startedAt }, at: 5 },
  ])
})

/** A desk whose log forgets soon. */
async function open(): Promise<Order> {
  const opened = new Order({ store, name: 'desk', partLines: 6 })
  await opened.open()
  return opened
}

const write = (lines: readonly Line[]) => order.change(() => ({ lines }))
const put = (id: string, at: number) => write(asked('s', { id, message: id }, policy, { at }))
const complete = (requestId: string, at: number) =>
  write(
    completed(
      's',
      { type: 'inputCompleted', requestId, response: 'accept' },
      { at, by: { principal: 'alice', device: 'phone' } },
    ),
  )
const record = () => {
  const found = order.state.session('s')
  if (found === undefined) throw new Error('no session')
  return found
}

describe('AskIndex', () => {
  it('knows after a restart what was open, since when, and what has ended', async () => {
    await put('old', 10)
    await put('done', 11)
    await complete('done', 12)
    for (let at = 20; at < 39; at++) await write([{ session: 's', act: { type: 'titleChanged', title: `${at}` }, at }])
    await put('new', 50)
    await order.close()
    order = await open()
    const index = new AskIndex(order)
    expect(await order.readAfter(0)).toBeUndefined()
    expect([...index.open.newestFirst()].map(({ id, askedAt }) => [id, askedAt])).toEqual([
      ['new', 50],
      // Also of what the log has forgotten.
      ['old', 10],
    ])
    expect(index.find('done')).toMatchObject([{ endedSeq: 0, request: { message: 'done' } }])
    expect(index.find('nope')).toEqual([])
  })

  it('tells the same from the log as it told at the time, also after a restart', async () => {
    const index = new AskIndex(order)
    const told: Happening[] = []
    index.listen(happenings => told.push(...happenings))
    const from = order.seq
    await put('a', 10)
    await complete('a', 11)
    await put('b', 12)
    const plain = (happenings: readonly Happening[]) => happenings.map(({ event, ask, seq }) => [event, ask, seq])
    await write(ended(record(), { type: 'turnComplete', turnId: 't', duration: 1 }, { at: 13 }))
    const replayed = async (by: AskIndex) =>
      plain(((await order.readAfter(from)) ?? []).flatMap(line => by.happeningsOf(line)))
    expect(plain(told).map(([event, ask]) => `${event} ${ask}`)).toEqual([
      'asked a',
      'answered a',
      'asked b',
      'withdrawn b',
    ])
    expect(await replayed(index)).toEqual(plain(told))
    expect(await replayed(new AskIndex(order))).toEqual(plain(told))
  })

  it('takes an ask that is put again for the same', async () => {
    const index = new AskIndex(order)
    const told: Happening[] = []
    index.listen(happenings => told.push(...happenings))
    await put('a', 10)
    await write(asked('s', { id: 'a', message: 'a' }, { ...policy, audience: { groups: ['x'] } }, { at: 20 }))
    expect(index.find('a')).toMatchObject([{ askedAt: 10, policy: { audience: { groups: ['x'] } } }])
    expect(index.open.size).toBe(1)
    expect(told.map(({ event }) => event)).toEqual(['asked', 'asked'])
  })

  it('knows whom an ask is for, and whom it was for until others were asked', async () => {
    const index = new AskIndex(order)
    const told: Happening[] = []
    index.listen(happenings => told.push(...happenings))
    await put('a', 10)
    const others = escalated({ ...policy, escalation: { at: 20, audience: { groups: ['x'] } } }, { id: 'a' }, 20)
    if (others === undefined) throw new Error('Nobody else is to be asked.')
    await write([{ session: 's', act: { type: 'audienceChanged', requestId: 'a', policy: others }, at: 20 }])
    expect(index.find('a')).toMatchObject([{ askedAt: 10, policy: { audience: { groups: ['x'] } } }])
    expect(index.open.size).toBe(1)
    expect(told.map(({ policy: then, before }) => [then, before])).toEqual([
      [policy, undefined],
      [others, policy],
    ])
  })

  it('lets go of sessions', async () => {
    const index = new AskIndex(order)
    await put('a', 10)
    await write([{ session: 's', act: { type: 'sessionDisposed' }, at: 20 }])
    expect(index.find('a')).toEqual([])
    expect(index.open.size).toBe(0)
    expect(index.remembers('s')).toBe(true)
    expect(index.remembers('other')).toBe(false)
  })
})
