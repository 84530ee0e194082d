import type { Form } from '@beckon/core'
import { createTestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createParts, type DeskParts } from '../desk-parts.js'
import { findAsk } from '../model/reduce.js'
import { openOnDesk } from './open-ask.js'

let parts: DeskParts
const clock = createTestClock()

beforeEach(() => {
  parts = createParts({ clock })
})

afterEach(() => parts.close())

const form: Form = {
  type: 'object',
  properties: { amount: { type: 'number' }, note: { type: 'string' } },
  required: ['amount'],
}

async function open(policy: object, hasForm = true) {
  const request = { id: '1', message: 'Pay how much?', ...(hasForm && { form }) }
  const subject = { server: 'bank', call: 'c', tool: 'pay', principal: 'rita' }
  const options = { expiresAt: clock.now() + 60_000, policy: { quorum: 2, ...policy } }
  return openOnDesk(parts.turns, [subject, request, options], { linkTo: id => id, identifiesPeople: true })
}

type Fields = Record<string, number | string>

/** What someone gets for an accept, in either dialect. */
async function accept(principal: string, content?: Fields, dialect: 'older' | 'later' = 'older', groups?: string[]) {
  const answers =
    content &&
    Object.fromEntries(
      Object.entries(content).map(([id, value]) => [
        id,
        { state: 'submitted', value: { kind: typeof value === 'number' ? 'number' : 'text', value } },
      ]),
    )
  const prefix = dialect === 'older' ? 'session' : 'chat'
  const action = { type: `${prefix}/inputCompleted`, requestId: 'c.1', response: 'accept', ...(answers && { answers }) }
  const on = dialect === 'older' ? 'session' : 'chat'
  const viewer = { principal, device: 'd', ...(groups && { groups }) }
  return parts.actions.dispatch(viewer, { session: 'call-c', on, dialect, action })
}

async function draft(principal: string, question: string, value: number, state = 'draft') {
  const answer = { state, value: { kind: 'number', value } }
  const action = { type: 'session/inputAnswerChanged', requestId: 'c.1', questionId: question, answer }
  return parts.actions.dispatch(
    { principal, device: 'd' },
    { session: 'call-c', on: 'session', dialect: 'older', action },
  )
}

const state = async () => {
  const session = await parts.sessions.refresh('call-c')
  return session && findAsk(session, 'c.1')
}

describe.each(['older', 'later'] as const)('where two have to accept, in the %s dialect', dialect => {
  it('different answers are rivals, and the one that two have accepted is the outcome', async () => {
    const ask = await open({})
    expect(await accept('alice', { amount: 10 }, dialect)).toMatchObject({
      code: 'recorded',
      params: { count: 1, of: 2 },
    })
    expect(await accept('bob', { amount: 1_000_000 }, dialect)).toMatchObject({ params: { count: 1, of: 2 } })
    expect((await state())?.ending).toBeUndefined()
    expect(await accept('carol', { amount: 10 }, dialect)).toMatchObject({ kind: 'accepted' })
    expect(await ask.outcome()).toMatchObject({ action: 'accept', content: { amount: 10 } })
  })

  it('an accept that leaves answers out is refused, with the reason', async () => {
    await open({})
    await draft('bob', 'amount', 1_000_000)
    expect(await accept('alice', undefined, dialect)).toMatchObject({ code: 'answer-required' })
    await draft('bob', 'amount', 1_000_000, 'submitted')
    expect(await accept('alice', undefined, dialect)).toMatchObject({
      code: 'answers-incomplete',
      params: { question: 'amount' },
    })
    expect((await state())?.approvals).toEqual([])
  })
})

describe('where two have to accept', () => {
  it('a draft of somebody else does not come into what was accepted', async () => {
    const ask = await open({})
    await accept('alice', { amount: 10 })
    await draft('mallory', 'amount', 99)
    expect(await accept('bob', { amount: 10 })).toMatchObject({ kind: 'accepted' })
    expect(await ask.outcome()).toMatchObject({ content: { amount: 10 } })
  })

  it('one person counts once, however often they change their mind', async () => {
    await open({})
    await accept('alice', { amount: 10 })
    await accept('alice', { amount: 20 })
    expect(await accept('alice', { amount: 10 })).toMatchObject({ params: { count: 1, of: 2 } })
    expect((await state())?.approvals).toHaveLength(1)
  })

  it('nobody in particular is no second person', async () => {
    await open({}, false)
    await accept('alice')
    expect(await accept('local')).toMatchObject({ code: 'person-unknown' })
    expect((await state())?.ending).toBeUndefined()
  })

  it('who asked for it does not count, unless that is allowed', async () => {
    const audience = { principals: ['rita', 'alice', 'bob'] }
    await open({ audience }, false)
    await accept('alice')
    expect(await accept('rita')).toMatchObject({ code: 'own-request' })
    expect((await state())?.ending).toBeUndefined()
  })

  it('who asked for it is not the one that has to accept, either', async () => {
    await open({ quorum: 1 }, false)
    expect(await accept('rita')).toMatchObject({ code: 'own-request' })
    expect(await accept('alice')).toMatchObject({ kind: 'accepted' })
  })

  it('one of them does not end it for all, by ending its turn', async () => {
    await open({ audience: { principals: ['alice', 'bob'] }, outlastsDecline: true }, false)
    const session = await parts.sessions.refresh('call-c')
    const action = { type: 'session/turnCancelled', turnId: session?.activeTurn?.id }
    const viewer = { principal: 'bob', device: 'd' }
    const settled = await parts.actions.dispatch(viewer, { session: 'call-c', on: 'session', dialect: 'older', action })
    expect(settled).toMatchObject({ kind: 'refused', code: 'read-only' })
  })

  it('nobody but an admin has the record of a call forgotten', async () => {
    await open({ audience: { principals: ['alice', 'bob'] } }, false)
    await accept('alice')
    await accept('bob')
    const bob = { principal: 'bob', device: 'd' }
    expect(await parts.actions.disposeSession(bob, 'call-c')).toMatchObject({ code: 'read-only' })
    const truncated = { type: 'session/truncated' }
    const client = { session: 'call-c', on: 'session', dialect: 'older', action: truncated } as const
    expect(await parts.actions.dispatch(bob, client)).toMatchObject({ code: 'read-only' })
    expect((await state())?.ending).toMatchObject({ response: 'accept' })
    expect(await parts.actions.disposeSession({ ...bob, role: 'admin' }, 'call-c')).toMatchObject({ kind: 'accepted' })
  })

  it('who was asked before others were instead ends nothing', async () => {
    const escalation = { afterMs: 1_000, audience: { principals: ['carla'] } }
    await open({ audience: { principals: ['alice', 'bob'] }, escalation }, false)
    await clock.advance(10_000)
    await expect.poll(async () => (await state())?.formers).toBeDefined()
    const session = await parts.sessions.refresh('call-c')
    const action = { type: 'session/turnCancelled', turnId: session?.activeTurn?.id }
    const client = { session: 'call-c', on: 'session', dialect: 'older', action } as const
    expect(await parts.actions.dispatch({ principal: 'bob', device: 'd' }, client)).toMatchObject({ kind: 'refused' })
  })

  it('who asked for it counts where that is allowed', async () => {
    const ask = await open({ audience: { principals: ['rita', 'alice'] }, requesterCounts: true }, false)
    await accept('alice')
    expect(await accept('rita')).toMatchObject({ kind: 'accepted' })
    expect(await ask.outcome()).toMatchObject({
      action: 'accept',
      by: [{ principal: 'alice' }, { principal: 'rita' }],
    })
  })

  it('an approval from before an escalation does not count after it', async () => {
    const escalation = { afterMs: 1_000, audience: { groups: ['bosses'] } }
    await open({ audience: { principals: ['alice', 'bob'] }, escalation }, false)
    await accept('alice')
    await clock.advance(10_000)
    await expect.poll(async () => (await state())?.formers).toBeDefined()
    expect((await state())?.approvals).toEqual([])
    expect(await accept('carla', undefined, 'older', ['bosses'])).toMatchObject({ params: { count: 1, of: 2 } })
  })
})
