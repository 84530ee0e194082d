import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { type Served, serveLive } from '../../test/live-served.js'
import { openOnDesk } from '../turns/open-ask.js'

let desk: Served

beforeEach(async () => {
  desk = await serveLive()
  for (const person of ['alice', 'bob', 'carol']) await desk.parts.people.note(person)
})
afterEach(() => desk.close())

const asks = 'beckon-asks://'

describe.each(['older', 'later', 'latest'] as const)('people about an ask, in the %s dialect', dialect => {
  async function open(audience: object) {
    const terms = { policy: { audience, quorum: 1 }, expiresAt: desk.clock.now() + 60_000 }
    const subject = { server: 'shop', call: 'c', tool: 'refund', principal: 'rex' }
    return openOnDesk(desk.parts.turns, [subject, { id: 'a', message: 'Refund?' }, terms], {
      linkTo: () => '',
      identifiesPeople: true,
    })
  }

  const channel = dialect === 'older' ? 'ahp-session:/call-c' : 'ahp-chat:/call-c'

  async function watch(as: string): Promise<LiveClient> {
    const client = await desk.connect(dialect, { as })
    await client.subscribe(asks)
    await client.subscribe(channel)
    return client
  }

  const entry = (client: LiveClient) => (client.confirmed(asks) as { asks?: object[] } | undefined)?.asks?.[0]

  it('is told to those who see it: comments, whose it is, and what came of the call', async () => {
    const opened = await open({ principals: ['alice', 'bob'] })
    const [alice, bob] = [await watch('alice'), await watch('bob')]
    expect(entry(alice)).toMatchObject({
      to: { principals: ['alice', 'bob'] },
      approval: { of: 1, by: [], missing: ['alice', 'bob'] },
    })
    const before = alice.confirmed(channel)
    expect(
      await alice.reasonFor({ type: 'beckon/commented', requestId: 'c.a', text: 'Twice?' }, channel),
    ).toBeUndefined()
    // The sender hears that it was taken; to the protocol's own states it is nothing.
    expect(alice.mirrors.get(channel)?.pending).toEqual([])
    expect(alice.confirmed(channel)).toEqual(before)
    expect(await alice.reasonFor({ type: 'beckon/delegated', requestId: 'c.a', to: 'carol' }, channel)).toBeUndefined()
    expect(alice.mirrors.get(channel)?.pending).toEqual([])
    await bob.ping()
    expect(entry(alice)).toMatchObject({ ending: { response: 'cancel' } })
    expect(entry(alice)).not.toHaveProperty('approval')
    expect(entry(bob)).toMatchObject({
      comments: [{ by: 'alice', at: desk.clock.now(), text: 'Twice?' }],
      to: { principals: ['bob', 'carol'] },
      approval: { of: 1, by: [], missing: ['bob', 'carol'] },
    })
    const carol = await watch('carol')
    expect(entry(carol)).toMatchObject({ comments: [{ by: 'alice' }] })
    const type = dialect === 'older' ? 'session/inputCompleted' : 'chat/inputCompleted'
    await carol.reasonFor({ type, requestId: 'c.a', response: 'accept' }, channel)
    await opened.report?.({ status: 'failed', text: 'No such order.' })
    await Promise.all([alice.ping(), bob.ping()])
    expect(entry(bob)).toMatchObject({
      ending: { response: 'accept', by: 'carol' },
      approval: { of: 1, by: ['carol'], missing: [] },
      report: { status: 'failed', text: 'No such order.' },
    })
    expect(entry(alice)).not.toHaveProperty('report')
    expect(JSON.stringify(alice.envelopes)).not.toContain('No such order')
  })

  it('is refused to outsiders as if it were not there, and what makes no sense with a reason', async () => {
    await open({ principals: ['alice'] })
    const mallory = await desk.connect(dialect, { as: 'mallory' })
    for (const action of [
      { type: 'beckon/commented', requestId: 'c.a', text: 'Hello' },
      { type: 'beckon/delegated', requestId: 'c.a', to: 'mallory' },
    ]) {
      const params = { channel, clientSeq: 1, action }
      expect(await mallory.failure('dispatchAction', params)).toMatchObject({
        code: dialect === 'older' ? -32001 : -32008,
      })
      expect(await mallory.reasonFor(action, channel)).toBeUndefined()
    }
    const alice = await watch('alice')
    expect(entry(alice)).not.toHaveProperty('comments')
    const refused = (action: { type: string }) => alice.reasonFor(action, channel)
    expect(await refused({ type: 'beckon/commented' })).toMatch(/requestId must be/)
    expect(await refused({ type: 'beckon/commented', requestId: 'none', text: 'x' } as never)).toMatch(/no such ask/)
    expect(await refused({ type: 'beckon/delegated', requestId: 'c.a' } as never)).toMatch(/to must be a principal/)
    expect(await refused({ type: 'beckon/delegated', requestId: 'c.a', to: 'rex' } as never)).toMatch(/asked for this/)
  })
})
