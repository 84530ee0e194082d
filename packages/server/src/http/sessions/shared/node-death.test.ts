import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  answered,
  answerTo,
  asking,
  at,
  dataOf,
  type HttpNode,
  httpNode,
  statusOf,
} from '../../../../test/http-nodes.js'
import { eventsOf, openSession, type RawSession } from '../../../../test/raw-http.js'
import { memoryStore, type Store } from '../../../store/index.js'

describe('a 2025 session on two nodes, of which one dies', () => {
  let shared: Store
  let a: HttpNode
  let b: HttpNode
  let onA: RawSession
  let onB: RawSession

  beforeEach(async () => {
    shared = memoryStore()
    a = await httpNode(shared)
    b = await httpNode(shared)
    onA = await openSession(a)
    onB = at(b, onA)
  })

  const resumedOn = async (session: RawSession, id: string) => eventsOf(await session.get({ 'last-event-id': id }))

  const gone = { error: { code: -32603, message: expect.stringContaining('is gone') } }

  it('ends what it asked with an error, for a client that comes back', async () => {
    const { events, last } = await asking(onA, 'a call')
    await a.die()
    await events.rest().catch(() => {})
    const resumed = await resumedOn(onB, last)
    expect((await resumed.rest()).map(dataOf)).toMatchObject([{ id: 'a call', ...gone }])
    expect(await (await onB.call('hello')).json()).toMatchObject({ result: {} })
  })

  it('ends it with an error, for a client that is on the other node already', async () => {
    const { events, last } = await asking(onA, 3)
    await events.cancel()
    const resumed = await resumedOn(onB, last)
    await a.die()
    expect((await resumed.rest()).map(dataOf)).toMatchObject([{ id: 3, ...gone }])
  })

  it('refuses the answer to what it asked, and says why', async () => {
    await statusOf(onB.call('hello'))
    const { asked } = await asking(onA)
    await a.die()
    await vi.waitFor(
      async () => {
        const refused = await onB.post(answerTo(asked))
        expect(refused.status).toBe(400)
        expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('to be gone') } })
      },
      { timeout: 5_000, interval: 100 },
    )
  })

  it('begins its GET stream anew', async () => {
    const events = eventsOf(await onA.get())
    const primed = await events.next()
    await a.die()
    await events.rest().catch(() => {})
    const resumed = await resumedOn(onB, primed?.id ?? '')
    await resumed.next()
    b.serving.notify.toolsChanged()
    expect(dataOf(await resumed.next())).toMatchObject({ method: 'notifications/tools/list_changed' })
    await resumed.cancel()
  })

  it('lives on when a node is told to end', async () => {
    const { events, last } = await asking(onA, 9)
    await a.close()
    await events.rest().catch(() => {})
    expect(await (await onB.call('hello')).json()).toMatchObject({ result: {} })
    expect((await (await resumedOn(onB, last)).rest()).map(dataOf)).toMatchObject([{ id: 9, ...gone }])
  })

  it('is not held for a client whose own node is the one that died', async () => {
    const options = { sessionIdleMs: 1_000 }
    const [one, other] = [await httpNode(shared, options), await httpNode(shared, options)]
    const session = await openSession(one)
    const aborted = one.served.aborted('ask')
    const { events, last } = await asking(session)
    await events.cancel()
    const resumed = await resumedOn(at(other, session), last)
    await other.die()
    await resumed.rest().catch(() => {})
    // It is idle then, and its time is over.
    await aborted
  })

  it('loses nothing of a stream when the store was away', async () => {
    const { events, last, asked } = await asking(onA)
    await events.cancel()
    const resumed = await resumedOn(onB, last)
    a.store.isAway = true
    expect(await statusOf(onA.post(answerTo(asked)))).toBe(202)
    await new Promise(resolve => setTimeout(resolve, 50))
    a.store.isAway = false
    expect(await resumed.rest()).toEqual([])
    const again = await resumedOn(onB, last)
    expect((await again.rest()).map(dataOf)).toMatchObject([{ id: 1, result: answered }])
  })
})
