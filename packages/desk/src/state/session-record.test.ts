import { reduceChat, reduceSessionSummary } from '@beckon/core/chat'
import { reduceSession } from '@beckon/core/session-0.3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Accepted, Act } from '../log/act.js'
import { createRecord } from './create-record.js'
import { DeskState } from './desk-state.js'
import { chatAction, olderAction, summaryAction } from './dialects.js'
import type { SessionStates } from './session-states.js'

const requestId = fc.constantFrom('a', 'b', 'c', 'not a', '__proto__')
const turnId = fc.constantFrom('t', 'u')
const answer = fc.option(
  fc.record({
    state: fc.constantFrom('draft', 'submitted'),
    value: fc.record({ kind: fc.constant('text'), value: fc.string() }),
  }),
  { nil: undefined },
)
const answers = fc.option(fc.dictionary(fc.constantFrom('p', 'q'), answer.filter(Boolean)), { nil: undefined })

/** Any act, in any order: also those that a desk would not come up with. */
const act = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(requestId, answers).map(([id, given]) => requested(id, given)) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('inputAnswerChanged'),
      requestId,
      questionId: fc.constantFrom('p', 'q'),
      answer,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('inputCompleted'),
      requestId,
      response: fc.constantFrom('accept', 'decline', 'cancel'),
      answers,
    }),
  },
  { weight: 4, arbitrary: requestId.map(id => needed(id)) },
  { weight: 3, arbitrary: requestId.map(id => ({ type: 'inputNeededRemoved', id })) },
  {
    weight: 4,
    arbitrary: turnId.map(id => ({
      type: 'turnStarted',
      turnId: id,
      message: { text: '' },
      startedAt: '2026-01-01T00:00:00.000Z',
    })),
  },
  turnId.map(id => ({ type: 'turnComplete', turnId: id, duration: 1 })),
  turnId.map(id => ({ type: 'turnCancelled', turnId: id, duration: 1 })),
  turnId.map(id => ({ type: 'error', turnId: id, duration: 1, error: { errorType: 'E', message: '' } })),
  fc.option(turnId, { nil: undefined }).map(id => ({ type: 'truncated', ...(id && { turnId: id }) })),
  fc.boolean().map(isRead => ({ type: 'isReadChanged', isRead })),
  fc.boolean().map(isArchived => ({ type: 'isArchivedChanged', isArchived })),
  fc.string().map(title => ({ type: 'titleChanged', title })),
  fc
    .constantFrom(1, 8, 24)
    .map(status => ({ type: 'chatUpdated', chat: 'ahp-chat:/s', changes: { status, modifiedAt: 'now' } })),
) as fc.Arbitrary<Act>

function requested(id: string, given: unknown): object {
  const request = { id, message: id, ...(given !== undefined && { answers: given }) }
  return { type: 'inputRequested', request, policy: { expiresAt: 1 } }
}

function needed(id: string): object {
  return { type: 'inputNeededSet', request: { kind: 'chatInput', id, chat: 'ahp-chat:/s', request: { id } } }
}

const created = { type: 'sessionCreated', title: 'S', server: 'shop' } as const

/** What the reducers make of it, with every list in its place. */
function reduced(states: SessionStates, { act, at }: Accepted): SessionStates {
  const older = olderAction(act)
  const chat = chatAction(act)
  const summary = summaryAction(act)
  return {
    older: older ? reduceSession(states.older, older, at) : states.older,
    chat: chat ? reduceChat(states.chat, chat, at) : states.chat,
    summary: summary ? reduceSessionSummary(states.summary, summary, at) : states.summary,
  }
}

const lines = (acts: readonly Act[]): Accepted[] =>
  acts.map((act, index) => ({ session: 's', act, at: index + 1, seq: index + 2 }))

describe('SessionRecord', () => {
  it('is what the reducers make of the whole lists, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), acts => {
        const record = createRecord('s', created, 0)
        const { older, chat, summary } = record
        let expected: SessionStates = { older, chat, summary }
        for (const line of lines(acts)) {
          record.apply(line)
          expected = reduced(expected, line)
          expect({ older: record.older, chat: record.chat, summary: record.summary }).toEqual(expected)
          expect(record.openRequests).toEqual(expected.older.inputRequests ?? [])
          expect(record.openCount).toBe(record.openRequests.length)
        }
      }),
      { numRuns: 400 },
    )
  })

  it('comes back from a snapshot as it was, and weighs the same', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), acts => {
        const state = new DeskState()
        state.apply({ session: 's', act: created, at: 0, seq: 1 })
        for (const line of lines(acts)) state.apply(line)
        const loaded = new DeskState()
        loaded.load(JSON.parse(JSON.stringify(state.save())))
        expect(JSON.stringify(loaded.save())).toBe(JSON.stringify(state.save()))
        expect(JSON.stringify(loaded.session('s')?.chat)).toEqual(JSON.stringify(state.session('s')?.chat))
        expect(loaded.weight).toBeCloseTo(state.weight)
        const { endings, policies, askedAt } = state.session('s') ?? createRecord('s', created, 0)
        expect(loaded.session('s')).toMatchObject({ endings, policies, askedAt })
      }),
      { numRuns: 200 },
    )
  })

  it('is written in pieces when it has many asks', () => {
    const state = new DeskState()
    state.apply({ session: 's', act: created, at: 0, seq: 1 })
    const acts = Array.from({ length: 1_000 }, (_, index) => [requested(`r${index}`, undefined), needed(`r${index}`)])
    const start = { type: 'turnStarted', turnId: 't', message: { text: '' }, startedAt: '2026-01-01T00:00:00.000Z' }
    for (const line of lines([start, ...acts.flat()] as Act[])) state.apply(line)
    expect(state.save()).toHaveLength(50)
    expect(state.weight).toBe(51)
    const loaded = new DeskState()
    loaded.load(state.save())
    expect(loaded.session('s')?.older).toEqual(state.session('s')?.older)
    expect(loaded.session('s')?.openRequest('r999')).toEqual({ id: 'r999', message: 'r999' })
  })
})
