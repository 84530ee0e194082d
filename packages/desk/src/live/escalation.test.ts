import type { Question } from '@beckon/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { type Served, serveLive, text } from '../../test/live-served.js'
import type { Turn } from '../turns/turn.js'

const questions: Question[] = [
  { id: 'amount', kind: 'text', message: 'How much?' },
  { id: 'why', kind: 'text', message: 'Why?' },
]
/** Alice is asked first, and Bob instead of her; Carol both times, and Dave never. */
const escalation = {
  audience: { principals: ['alice', 'carol'] },
  escalation: { afterMs: 1_000, audience: { principals: ['bob', 'carol'] } },
}
const people = ['alice', 'bob', 'carol', 'dave'] as const
let desk: Served
let turn: Turn

beforeEach(async () => {
  desk = await serveLive()
  turn = await (await desk.session('s', { title: 'Session', server: 'shop' })).startTurn('go')
})
afterEach(() => desk.close())

const draft = (questionId: string, value: string) => ({
  type: 'inputAnswerChanged',
  requestId: 'pay',
  questionId,
  answer: text(value),
})

/** When something happened is told by everyone's own clock. */
function timeless(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === 'modifiedAt' ? undefined : inner)))
}

describe.each(['older', 'later', 'latest'] as const)('when others are asked instead, in the %s dialect', dialect => {
  const channels = [...(dialect !== 'older' ? ['ahp-chat:/s'] : []), 'ahp-session:/s', 'beckon-asks://']

  async function watch(as: string): Promise<LiveClient> {
    const client = await desk.connect(dialect, { as })
    for (const channel of channels) await client.subscribe(channel)
    return client
  }

  const statesOf = (client: LiveClient) => timeless(channels.map(channel => client.confirmed(channel)))

  async function ask(carol: LiveClient): Promise<void> {
    const asked = carol.envelopes.length
    turn.ask({ id: 'pay', message: 'Pay the bill?', questions }, escalation).catch(() => {})
    await carol.until(() => carol.envelopes.length >= asked + channels.length)
  }

  /** Lets the time pass, and waits until it was told. */
  async function escalate(bob: LiveClient): Promise<void> {
    const before = bob.envelopes.length
    await desk.clock.advance(1_000)
    await bob.until(() => bob.envelopes.length >= before + channels.length)
  }

  it('it goes for who was asked, appears with its drafts to who is, and is the same to everyone else', async () => {
    const [alice, bob, carol, dave] = (await Promise.all(people.map(watch))) as [
      LiveClient,
      LiveClient,
      LiveClient,
      LiveClient,
    ]
    await ask(carol)
    expect(await alice.reasonFor(draft('amount', '12'))).toBeUndefined()
    await Promise.all([carol.ping(), dave.ping()])
    const [carolBefore, daveBefore] = [carol.envelopes.length, dave.envelopes.length]
    await escalate(bob)
    await Promise.all([alice.ping(), carol.ping(), dave.ping()])

    // Who is asked both times hears whom it is for now.
    expect([carol.envelopes.length, dave.envelopes.length]).toEqual([carolBefore + 1, daveBefore])
    expect(carol.envelopes.at(-1)?.action).toMatchObject({ type: 'asks/peopleChanged', to: expect.any(Object) })
    // The list of chats says it, too.
    const heard = dialect === 'older' ? channels.length : channels.length + 1
    const last = (client: LiveClient) =>
      client.envelopes.slice(-heard).map(({ channel, action, origin }) => ({ channel, type: action.type, origin }))
    const prefix = alice.prefix
    const told = (own: string, mirror: string, all: string) => [
      ...(dialect !== 'older' ? [{ channel: 'ahp-chat:/s', type: `${prefix}/${own}` }] : []),
      { channel: 'ahp-session:/s', type: dialect !== 'older' ? `session/${mirror}` : `session/${own}` },
      { channel: 'beckon-asks://', type: all },
    ]
    expect(last(alice)).toHaveLength(heard)
    expect(last(alice)).toEqual(expect.arrayContaining(told('inputCompleted', 'inputNeededRemoved', 'asks/ended')))
    expect(last(bob)).toEqual(expect.arrayContaining(told('inputRequested', 'inputNeededSet', 'asks/asked')))
    expect(JSON.stringify(bob.confirmed())).toContain('"12"')
    expect(JSON.stringify(dave.envelopes)).not.toContain('pay')

    // What the others do from here on, who is not asked any more does not see.
    const silent = alice.envelopes.length
    expect(await bob.reasonFor(draft('why', 'Rent'))).toBeUndefined()
    const sent = { type: 'inputCompleted', requestId: 'pay', response: 'accept' }
    expect(await alice.reasonFor(sent)).toMatch(/open/)
    expect(await bob.reasonFor(sent)).toBeUndefined()
    await Promise.all([alice.ping(), carol.ping()])
    expect(alice.envelopes.slice(silent).every(({ rejectionReason }) => rejectionReason !== undefined)).toBe(true)
    expect(JSON.stringify(statesOf(alice))).not.toContain('Rent')
    expect(JSON.stringify(carol.envelopes)).toContain('Rent')
  })

  it('it is the same to who stayed, who comes back and who begins then, wherever they were cut', async () => {
    const stayed = await Promise.all(people.map(watch))
    const [alice, bob, carol] = stayed as [LiveClient, LiveClient, LiveClient]
    const lost: LiveClient[] = []
    const lose = async () => {
      for (const as of people) {
        const client = await watch(as)
        client.drop()
        lost.push(client)
      }
    }
    await lose()
    await ask(carol)
    await lose()
    expect(await alice.reasonFor(draft('amount', '12'))).toBeUndefined()
    await lose()
    await escalate(bob)
    await lose()
    expect(await bob.reasonFor(draft('why', 'Rent'))).toBeUndefined()
    await lose()
    await bob.reasonFor({ type: 'inputCompleted', requestId: 'pay', response: 'decline' })
    await lose()
    await turn.complete()
    for (const client of stayed) await client.ping()

    for (const [index, client] of lost.entries()) {
      const result = await client.reconnect()
      expect(result.type).toBe('replay')
      expect(statesOf(client)).toEqual(statesOf(stayed[index % people.length] as LiveClient))
      expect(client.outOfOrder).toEqual([])
    }
    for (const [index, as] of people.entries()) {
      expect(statesOf(await watch(as))).toEqual(statesOf(stayed[index] as LiveClient))
    }
  })
})
