import type { FieldProblem } from '@beckon/core'
import { describeRefusal, type Refusal } from '@beckon/core/live'
import { refusalIn } from '@beckon/inbox/refusals'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { questions, type Served, serveTurn, startTurn, text } from '../../test/live-served.js'
import { refusals } from '../policy/refusals.js'

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

const wrong = (question: string, problem: FieldProblem): Refusal => ({
  code: 'answer-invalid',
  params: { question, problem },
})
const malformed = (field: string, expected: string): FieldProblem => ({
  code: 'malformed',
  params: { field, expected },
})
const action = (field: string, expected: string): Refusal => ({ code: 'action-invalid', params: { field, expected } })
const required: Refusal = { code: 'answer-required', params: { question: 'name', title: 'Name?' } }
const ended: Refusal = { code: 'ask-ended', params: {} }

const cases: [string, Refusal, Action][] = [
  ['an action that only the desk can send', { code: 'not-allowed' }, { type: 'inputRequested', request: { id: 'x' } }],
  ['an action that nobody knows', { code: 'not-allowed' }, { type: 'toString' }],
  ['a draft for what is not there', { code: 'ask-not-found' }, draft('name', text('Ada'), 'nope')],
  ['an answer to what is not there', { code: 'ask-not-found' }, complete('decline', undefined, 'nope')],
  ['an answer to what is for others', { code: 'ask-not-found' }, complete('decline', undefined, 'secret')],
  ['a draft for what has ended', ended, draft('name', text('Ada'), 'ended')],
  ['an answer to what has ended', ended, complete('accept', undefined, 'ended')],
  ['an answer to what its turn has left behind', ended, complete('accept', undefined, 'abandoned')],
  ['an answer to what time has ended', { code: 'ask-expired' }, complete('decline', undefined, 'late')],
  ['a question that is not there', { code: 'question-not-found' }, draft('nope', text('Ada'))],
  [
    'an accept with a question that is not there',
    { code: 'question-not-found' },
    complete('accept', { nope: text('Ada') }),
  ],
  ['a response that is none', action('response', 'accept, decline or cancel'), complete('maybe')],
  ['answers that are a list', action('answers', 'an object by question'), complete('accept', [])],
  ['a required answer that is missing', required, complete('accept')],
  ['a required answer that is a draft', required, complete('accept', { name: text('Ada') })],
  [
    'a required answer that is too short',
    {
      code: 'answer-invalid',
      params: { question: 'name', title: 'Name?', problem: { code: 'too-short', params: { min: 2 } } },
    },
    complete('accept', { name: text('A', 'submitted') }),
  ],
  [
    'a number typed as a text',
    wrong('count', malformed('value.kind', '"number"')),
    draft('count', text('3', 'submitted')),
  ],
  ['a number in a text', wrong('count', { code: 'number-expected' }), draft('count', number('3'))],
  ['a number out of bounds', wrong('count', { code: 'too-high', params: { max: 5 } }), draft('count', number(9))],
  ['an answer without a value', wrong('name', malformed('value', 'an object')), draft('name', { state: 'draft' })],
  [
    'a turn while another is active',
    { code: 'turn-in-progress' },
    { type: 'turnStarted', turnId: 't9', message: { text: 'go' } },
  ],
  ['the end of a turn that is over', { code: 'turn-not-active' }, { type: 'turnCancelled', turnId: 't0' }],
  ['a cut behind a turn that never was', { code: 'turn-not-found' }, { type: 'truncated', turnId: 'nope' }],
]

describe.each(['0.3', '1.0'] as const)('what the desk refuses in the %s dialect', dialect => {
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

  it.each(cases)('%s comes back with %j and a sentence', async (_what, refusal, action) => {
    const before = client.confirmed()
    const { lastSeen } = client
    const { code: rejectionCode, params: rejectionParams } = refusal
    expect(await client.reasonFor(action)).toBe(describeRefusal(refusal))
    expect(client.rejections).toMatchObject([{ rejectionCode, serverSeq: lastSeen }])
    expect(client.rejections[0]?.rejectionParams).toEqual(rejectionParams)
    expect(client.confirmed()).toBe(before)
  })

  it.each(cases)('%s comes back in the language of its client, with the same code', async (_what, refusal, action) => {
    const german = await desk.dial(dialect)
    await german.initialize({ locale: 'de' })
    await german.subscribe()
    const reason = await german.reasonFor(action)
    expect(reason).toBe(refusalIn('de', refusal, ''))
    expect(reason).not.toBe(describeRefusal(refusal))
    expect(german.rejections[0]?.rejectionParams).toEqual(refusal.params)
  })

  it.each(cases)('%s is an error with the number of %j to who asks for an answer', async (_what, refusal, action) => {
    const sent = { channel: client.chatChannel, clientSeq: 1, action: client.prefixed(action) }
    const { code, params } = refusal
    expect(await client.failure('dispatchAction', sent)).toEqual({
      code: refusals[code].rpc,
      message: describeRefusal(refusal),
      data: { code, ...(params && { params }) },
    })
    expect(client.rejections).toMatchObject([{ rejectionCode: code }])
  })

  it('an accept that needs others is no error', async () => {
    await desk.ask({ id: 'two', message: 'Delete?' }, { quorum: 2 })
    const action = complete('accept', undefined, 'two')
    const message = 'Your answer is recorded: 1 of 2 have accepted.'
    expect(await client.reasonFor(action)).toBe(message)
    expect(client.rejections).toMatchObject([{ rejectionCode: 'recorded', rejectionParams: { count: 1, of: 2 } }])
    const sent = { channel: client.chatChannel, clientSeq: 7, action: client.prefixed(action) }
    const recorded = { status: 'recorded', params: { count: 1, of: 2 }, message }
    expect(await client.request('dispatchAction', sent)).toEqual(recorded)
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
