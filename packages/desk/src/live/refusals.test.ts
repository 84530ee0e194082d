import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { questions, type Served, serveTurn, startTurn, text } from '../../test/live-served.js'
import { type RefusalCode, refusals } from '../policy/refusals.js'

interface Action {
  readonly type: string
  readonly [key: string]: unknown
}

const draft = (questionId: string, answer: unknown, requestId = 'form') => ({
  type: 'inputAnswerChanged',
  requestId,
  questionId,
  answer,
})
const complete = (response: unknown, answers?: unknown, requestId = 'form') => ({
  type: 'inputCompleted',
  requestId,
  response,
  ...(answers !== undefined && { answers }),
})
const number = (value: unknown) => ({ state: 'submitted', value: { kind: 'number', value } })

const cases: [string, RefusalCode, Action][] = [
  ['an action that only the desk can send', 'not-allowed', { type: 'inputRequested', request: { id: 'x' } }],
  ['an action that nobody knows', 'not-allowed', { type: 'toString' }],
  ['a draft for what is not there', 'ask-not-found', draft('name', text('Ada'), 'nope')],
  ['an answer to what is not there', 'ask-not-found', complete('decline', undefined, 'nope')],
  ['an answer to what is for others', 'ask-not-found', complete('decline', undefined, 'secret')],
  ['a draft for what has ended', 'ask-ended', draft('name', text('Ada'), 'ended')],
  ['an answer to what has ended', 'ask-ended', complete('accept', undefined, 'ended')],
  ['an answer to what its turn has left behind', 'ask-ended', complete('accept', undefined, 'abandoned')],
  ['an answer to what time has ended', 'ask-expired', complete('decline', undefined, 'late')],
  ['a question that is not there', 'question-not-found', draft('nope', text('Ada'))],
  ['an accept with a question that is not there', 'question-not-found', complete('accept', { nope: text('Ada') })],
  ['a response that is none', 'action-invalid', complete('maybe')],
  ['answers that are a list', 'action-invalid', complete('accept', [])],
  ['a required answer that is missing', 'answer-required', complete('accept')],
  ['a required answer that is a draft', 'answer-required', complete('accept', { name: text('Ada') })],
  ['a number typed as a text', 'answer-invalid', draft('count', text('3', 'submitted'))],
  ['a number in a text', 'answer-invalid', draft('count', number('3'))],
  ['a number out of bounds', 'answer-invalid', draft('count', number(9))],
  ['an answer without a value', 'answer-invalid', draft('name', { state: 'draft' })],
  [
    'a turn while another is active',
    'turn-in-progress',
    { type: 'turnStarted', turnId: 't9', message: { text: 'go' } },
  ],
  ['the end of a turn that is over', 'turn-not-active', { type: 'turnCancelled', turnId: 't0' }],
  ['a cut behind a turn that never was', 'turn-not-found', { type: 'truncated', turnId: 'nope' }],
]

describe.each(['older', 'later'] as const)('what the desk refuses in the %s dialect', dialect => {
  let desk: Served
  let client: LiveClient

  beforeEach(async () => {
    desk = await serveTurn()
    await desk.ask({ id: 'abandoned', message: 'Sure?' })
    await desk.happen({ type: 'turnEnded', turn: 't1', state: 'complete' })
    await startTurn(desk, 't2')
    await desk.ask({ id: 'form', message: 'Fill in', questions })
    await desk.ask({ id: 'secret', message: 'Pay?' }, { audience: { principals: ['bob'] } })
    await desk.ask({ id: 'late', message: 'Quick?' }, { expiresAt: desk.clock.now() })
    await desk.ask({ id: 'ended', message: 'Sure?' })
    await desk.happen({ type: 'askEnded', ask: 'ended', response: 'decline' })
    client = await desk.connect(dialect)
    await client.subscribe()
  })
  afterEach(() => desk.close())

  it.each(cases)('%s has the code %s, beside its words', async (_what, code, action) => {
    const before = client.confirmed()
    const { lastSeen } = client
    expect(await client.reasonFor(action)).toMatch(/^[A-Z].*\.$/)
    expect(client.rejections).toMatchObject([{ rejectionCode: code, serverSeq: lastSeen }])
    expect(client.confirmed()).toBe(before)
  })

  it.each(cases)('%s is an error with the number of %s to who asks for an answer', async (_what, code, action) => {
    const params = { channel: client.chatChannel, clientSeq: 1, action: client.prefixed(action) }
    expect(await client.failure('dispatchAction', params)).toMatchObject({ code: refusals[code].rpc, data: { code } })
    expect(client.rejections).toMatchObject([{ rejectionCode: code }])
  })

  it('an accept that needs others is no error', async () => {
    await desk.ask({ id: 'two', message: 'Delete?' }, { quorum: 2 })
    const action = complete('accept', undefined, 'two')
    expect(await client.reasonFor(action)).toBe('recorded, 1 of 2')
    expect(client.rejections).toMatchObject([{ rejectionCode: 'recorded' }])
    const params = { channel: client.chatChannel, clientSeq: 7, action: client.prefixed(action) }
    expect(await client.request('dispatchAction', params)).toEqual({ status: 'recorded', message: 'recorded, 1 of 2' })
  })

  it('what is taken is answered too, after everyone was told', async () => {
    const action = client.prefixed(draft('name', text('Ada')))
    expect(await client.request('dispatchAction', { channel: client.chatChannel, clientSeq: 7, action })).toBeNull()
    expect(client.envelopes).toMatchObject([{ action, origin: { clientSeq: 7 } }])
  })

  it('what has no name or no channel is answered, and nothing happens', async () => {
    const action = client.prefixed(draft('name', text('Ada')))
    expect(await client.failure('dispatchAction', { channel: client.chatChannel, action })).toMatchObject({
      code: -32602,
    })
    expect(
      await client.failure('dispatchAction', { channel: 'ahp-session:/nope', clientSeq: 1, action }),
    ).toMatchObject({ code: -32001 })
    expect(await client.failure('dispatchAction', { channel: 'ahp-what:/s', clientSeq: 1, action })).toMatchObject({
      code: -32008,
    })
    expect(await client.failure('dispatchAction', { channel: 'ahp-root://', clientSeq: 1, action })).toMatchObject({
      code: -32009,
    })
    expect(client.envelopes.filter(({ channel }) => channel === client.chatChannel)).toEqual([])
  })
})
