import { describe, expect, it } from 'vitest'
import type { Answer } from '../../questions/question.js'
import { type AskEntry, type AsksAction, type AsksState, reduceAsks } from './index.js'

const entry = (id: string, more: Partial<AskEntry> = {}): AskEntry => ({
  session: 's',
  server: 'shop',
  title: 'Shop',
  request: { id },
  askedAt: 1,
  expiresAt: 2,
  ...more,
})
const draft: Answer = { state: 'draft', value: { kind: 'text', value: 'a' } }
const submitted: Answer = { state: 'submitted', value: { kind: 'text', value: 'b' } }
const where = { session: 's', requestId: 'r' }
const after = (...actions: AsksAction[]): AsksState =>
  actions.reduce(reduceAsks, { asks: [entry('other'), entry('r')] })

describe('the asks of a desk', () => {
  it('keeps the drafts of an ask that is put again', () => {
    const { asks } = after(
      { type: 'asks/answerChanged', ...where, questionId: 'q', answer: draft },
      { type: 'asks/asked', ask: entry('r', { expiresAt: 9 }) },
    )
    expect(asks).toEqual([entry('other'), entry('r', { expiresAt: 9, request: { id: 'r', answers: { q: draft } } })])
  })

  it('lays the final answers over the drafts, and keeps the first ending', () => {
    const { asks } = after(
      { type: 'asks/answerChanged', ...where, questionId: 'q', answer: draft },
      { type: 'asks/ended', ...where, ending: { at: 3, response: 'accept', by: 'ana' }, answers: { q: submitted } },
      { type: 'asks/ended', ...where, ending: { at: 4 } },
      { type: 'asks/answerChanged', ...where, questionId: 'q', answer: draft },
    )
    expect(asks[1]).toEqual(
      entry('r', {
        request: { id: 'r', answers: { q: submitted } },
        ending: { at: 3, response: 'accept', by: 'ana' },
      }),
    )
  })

  it('takes an id that has ended for a new ask', () => {
    const { asks } = after(
      { type: 'asks/ended', ...where, ending: { at: 3 } },
      { type: 'asks/asked', ask: entry('r', { askedAt: 5 }) },
    )
    expect(asks.map(({ askedAt }) => askedAt)).toEqual([1, 1, 5])
  })

  it('ends the asks of a turn that ended, and no earlier ones', () => {
    const { asks } = after(
      { type: 'asks/turnEnded', session: 's', turn: 'complete', at: 7 },
      { type: 'asks/asked', ask: entry('next') },
      { type: 'asks/turnEnded', session: 's', turn: 'error', at: 8 },
    )
    expect(asks.map(({ turn, ending }) => [turn, ending?.at])).toEqual([
      ['complete', 7],
      ['complete', 7],
      ['error', 8],
    ])
  })

  it('keeps how an ask ended when its turn ends later', () => {
    const { asks } = after(
      { type: 'asks/ended', ...where, ending: { at: 5, response: 'decline' } },
      { type: 'asks/turnEnded', session: 's', turn: 'complete', at: 7 },
    )
    expect(asks[1]).toMatchObject({ turn: 'complete', ending: { at: 5, response: 'decline' } })
  })

  it('waits for nobody once its turn has ended', () => {
    const approval = { of: 2, by: ['ana'], missing: ['ben'], groups: ['ops'] }
    const { asks } = after(
      { type: 'asks/peopleChanged', ...where, approval },
      { type: 'asks/turnEnded', session: 's', turn: 'complete', at: 7 },
    )
    expect(asks[1]?.approval).toEqual({ of: 2, by: ['ana'], missing: [] })
  })

  it('says who has accepted, and whom it is for now, while it is open', () => {
    const approval = { of: 2, by: ['ana'], missing: ['ben'] }
    const to = { principals: ['ana', 'ben'] }
    expect(after({ type: 'asks/peopleChanged', ...where, to, approval }).asks[1]).toEqual(entry('r', { to, approval }))
    const { asks } = after(
      { type: 'asks/peopleChanged', ...where, to, approval },
      { type: 'asks/peopleChanged', ...where },
      { type: 'asks/ended', ...where, ending: { at: 3 }, approval: { ...approval, missing: [] } },
      { type: 'asks/peopleChanged', ...where, to },
    )
    expect(asks[1]).toEqual(entry('r', { ending: { at: 3 }, approval: { ...approval, missing: [] } }))
  })

  it('has the comments of an open ask, and of one that has ended where none of its id is open', () => {
    const comment = (text: string) => ({ by: 'ana', at: 2, text })
    const { asks } = after(
      { type: 'asks/commented', ...where, comment: comment('first') },
      { type: 'asks/commented', ...where, comment: comment('second') },
      { type: 'asks/ended', ...where, ending: { at: 3 } },
      { type: 'asks/commented', ...where, comment: comment('third') },
      { type: 'asks/asked', ask: entry('r', { askedAt: 5 }) },
      { type: 'asks/commented', ...where, comment: comment('another') },
    )
    expect(asks.map(({ comments }) => comments?.map(({ text }) => text))).toEqual([
      undefined,
      ['first', 'second', 'third'],
      ['another'],
    ])
  })

  it('says of every ask of a call, and of no other, what came of it, once', () => {
    const report = { status: 'done', text: 'Deployed.', at: 4 } as const
    const { asks } = after(
      { type: 'asks/asked', ask: entry('r', { session: 'another' }) },
      { type: 'asks/ended', ...where, ending: { at: 3 } },
      { type: 'asks/reported', session: 's', report },
      { type: 'asks/reported', session: 's', report: { status: 'failed', at: 5 } },
    )
    expect(asks.map(ask => ask.report)).toEqual([report, report, undefined])
  })

  it('forgets a session that is gone', () => {
    expect(after({ type: 'asks/sessionRemoved', session: 's' }).asks).toEqual([])
  })

  it('gives back the same object when nothing changed', () => {
    const state = after()
    const nothing: AsksAction[] = [
      { type: 'asks/answerChanged', session: 's', requestId: 'gone', questionId: 'q' },
      { type: 'asks/ended', session: 'gone', requestId: 'r', ending: { at: 1 } },
      { type: 'asks/peopleChanged', session: 'gone', requestId: 'r' },
      { type: 'asks/commented', session: 's', requestId: 'gone', comment: { by: 'ana', at: 1, text: 'Hm.' } },
      { type: 'asks/reported', session: 'gone', report: { status: 'done', at: 1 } },
      { type: 'asks/turnEnded', session: 'gone', turn: 'complete', at: 7 },
      { type: 'asks/sessionRemoved', session: 'gone' },
    ]
    nothing.push({ type: 'asks/later' } as never)
    for (const action of nothing) expect(reduceAsks(state, action)).toBe(state)
  })
})
