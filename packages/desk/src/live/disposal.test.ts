// A session that goes while asks are open in it: everyone who may see them is told how they ended.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Served, serveTurn } from '../../test/live-served.js'
import type { SessionEvent } from '../model/events.js'

let desk: Served
beforeEach(async () => {
  desk = await serveTurn()
})
afterEach(() => desk.close())

describe.each(['0.3', '1.0'] as const)('in the %s dialect', dialect => {
  it('withdraws what is open before the session goes, and tells those who may see it', async () => {
    const turn = (await desk.session('s')).activeTurn()
    const outcome = turn?.ask({ id: 'his', message: 'Pay?' }, { audience: { principals: ['bob'] } })
    await desk.ask({ id: 'all', message: 'Sure?' })
    const [alice, bob] = [await desk.connect(dialect, { as: 'alice' }), await desk.connect(dialect, { as: 'bob' })]
    for (const client of [alice, bob]) {
      await client.subscribe()
      await client.request('subscribe', { channel: 'beckon-asks://' })
    }
    const happened: SessionEvent[] = []
    desk.parts.sessions.listen(({ event }) => happened.push(event))
    // Neither of them may: what is open is not theirs alone.
    expect(await alice.failure('disposeSession', { channel: 'ahp-session:/s' })).toMatchObject({ code: -32009 })
    await desk.parts.actions.disposeSession({ principal: 'root', device: 'd', role: 'admin' }, 's')
    await Promise.all([alice.ping(), bob.ping()])

    const ends = (client: typeof alice) =>
      client.envelopes.flatMap(({ action }) => {
        if (action.type === `${client.prefix}/inputCompleted`) return [`${action.requestId} ${action.response}`]
        return action.type === 'asks/ended' || action.type === 'asks/sessionRemoved' ? [action.type] : []
      })
    expect(ends(alice)).toEqual(['all cancel', 'asks/ended', 'asks/sessionRemoved'])
    expect(ends(bob)).toEqual(['his cancel', 'asks/ended', 'all cancel', 'asks/ended', 'asks/sessionRemoved'])
    expect(await outcome).toEqual({ action: 'cancel', why: 'withdrawn' })
    expect(JSON.stringify([...alice.envelopes, ...bob.envelopes])).not.toMatch(/gone|policy|principals/)
    // Whoever disposes of a session has not answered what is asked in it.
    expect(happened.map(event => [event.type, 'isWithdrawn' in event])).toEqual([
      ['askEnded', true],
      ['askEnded', true],
      ['disposed', false],
    ])
  })
})
