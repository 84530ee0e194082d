// What a session says that it does, in the state of each channel, in the list, and in every dialect.
import { dialects } from '@beckon/core/live'
import { afterEach, describe, expect, it } from 'vitest'
import { type Served, serveLive } from '../../test/live-served.js'

const desks: Served[] = []
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close()
})

async function serve(): Promise<Served> {
  const desk = await serveLive()
  desks.push(desk)
  return desk
}

const ends = [
  ['complete', 1],
  ['cancel', 1],
  ['fail', 2],
] as const

describe.each(dialects)('the status of a session in the %s dialect', dialect => {
  it.each(ends)('goes back when its turn ends by %s', async (how, idle) => {
    const desk = await serve()
    const session = await desk.session('s', { title: 'Session' })
    const client = await desk.connect(dialect)
    await client.subscribe('ahp-session:/s')
    const statusNow = () => statusOf(client.confirmed('ahp-session:/s') as never)
    expect(statusNow()).toBe(1)

    const turn = await session.startTurn()
    await client.ping()
    expect(statusNow()).toBe(8)

    void turn.ask({ id: 'r', message: 'Sure?' })
    void turn.ask({ id: 'open', message: 'Really?' })
    await client.until(() => statusNow() === 24)
    await client.ping()
    expect(statusNow()).toBe(24)

    await (how === 'fail' ? turn.fail(new Error('broken')) : turn[how]())
    await client.ping()
    expect(statusNow()).toBe(idle)
    // Who comes now sees the same, and so does whoever reads the list.
    const late = await desk.connect(dialect, { as: 'bob' })
    expect(await late.subscribe('ahp-session:/s')).toEqual(client.confirmed('ahp-session:/s'))
    const { items } = await late.request('listSessions', { channel: 'ahp-root://' })
    expect(items).toMatchObject([{ status: idle }])

    const next = await session.startTurn()
    await client.ping()
    expect(statusNow()).toBe(8)
    await next.complete()
    await client.ping()
    expect(statusNow()).toBe(1)
  })

  it('goes back when a client cancels the turn, or cuts it off', async () => {
    const desk = await serve()
    await desk.session('s', { title: 'Session' })
    const client = await desk.connect(dialect)
    await client.subscribe('ahp-session:/s')
    if (dialect !== '0.3') await client.subscribe()
    const status = () => statusOf(client.confirmed('ahp-session:/s') as never)
    const start = (turnId: string) =>
      client.reasonFor({ type: 'turnStarted', turnId, message: { text: 'go' }, startedAt: new Date(0).toISOString() })
    expect(await start('a')).toBeUndefined()
    expect(status()).toBe(8)
    expect(await client.reasonFor({ type: 'turnCancelled', turnId: 'a' })).toBeUndefined()
    expect(status()).toBe(1)
    expect(await start('b')).toBeUndefined()
    expect(await client.reasonFor({ type: 'truncated' })).toBeUndefined()
    expect(status()).toBe(1)
    expect(client.confirmed('ahp-session:/s')).toEqual(await client.subscribe('ahp-session:/s'))
  })
})

/** Where there are chats, as the list of them has it: a session's own status is not told of turns. */
function statusOf(state: { summary?: { status: number }; chats?: { status: number }[] }): number | undefined {
  return state.summary?.status ?? state.chats?.[0]?.status
}
