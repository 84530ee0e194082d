import type { Answer } from '@beckon/core'
import { type AsksAction, type AsksState, reduceAsks } from '@beckon/core/asks'
import type { Envelope } from '@beckon/core/live'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { did, heard, type Mirror, type Pending, renewed, unsent, viewOf, withoutPending } from './mirror.js'

const me = 'me'
const channel = 'beckon-asks://'
const questions = ['a', 'b']
const initial: AsksState = {
  asks: ['r1', 'r2'].map(id => ({
    session: 's',
    server: 'shop',
    title: 'Shop',
    request: { id },
    askedAt: 1,
    expiresAt: 2,
  })),
}
const draftOf = (text: string): Answer => ({ state: 'draft', value: { kind: 'text', value: text } })

const target = fc.record({ requestId: fc.constantFrom('r1', 'r2'), questionId: fc.constantFrom(...questions) })
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('type' as const), target, text: fc.string({ maxLength: 3 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('other' as const), target, text: fc.string({ maxLength: 3 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('work' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('hear' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), target }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('replay' as const, 'snapshot' as const) }) },
)

/** A desk that takes what a client sends one by one, and a connection on which everything takes its time. */
class Rehearsal {
  mirror: Mirror = { confirmed: initial, seq: 0, pending: [] }
  state = initial
  log: Envelope<AsksAction>[] = []
  sent: Pending[] = []
  told: Envelope<AsksAction>[] = []
  isOnline = true
  clientSeq = 0

  type(requestId: string, questionId: string, text: string): void {
    const action = { kind: 'draft' as const, questionId, answer: draftOf(text) }
    const pending = { clientSeq: ++this.clientSeq, session: 's', requestId, askedAt: 1, action, isSent: this.isOnline }
    this.mirror = did(this.mirror, pending)
    if (this.isOnline) this.sent.push(pending)
  }

  accept(action: AsksAction, origin?: Envelope['origin']): void {
    const next = reduceAsks(this.state, action)
    if (next === this.state && origin) {
      this.told.push({ channel, action, serverSeq: this.log.length, origin, rejectionReason: 'over' })
      return
    }
    this.state = next
    const envelope = { channel, action, serverSeq: this.log.length + 1, ...(origin && { origin }) }
    this.log.push(envelope)
    this.told.push(envelope)
  }

  /** The desk does what has reached it longest ago. */
  work(): void {
    const next = this.sent.shift()
    if (next === undefined || next.action.kind !== 'draft') return
    const { session, requestId, clientSeq } = next
    const { questionId, answer } = next.action
    this.accept({ type: 'asks/answerChanged', session, requestId, questionId, answer }, { clientId: me, clientSeq })
  }

  hear(): void {
    const envelope = this.isOnline ? this.told.shift() : undefined
    if (envelope === undefined) return
    this.mirror = envelope.rejectionReason
      ? withoutPending(this.mirror, envelope.origin?.clientSeq ?? 0)
      : heard(this.mirror, envelope, me)
  }

  drop(): void {
    this.isOnline = false
    this.sent = []
    this.told = []
  }

  comeBack(how: 'replay' | 'snapshot'): void {
    this.drop()
    this.isOnline = true
    if (how === 'snapshot') this.mirror = renewed(this.mirror, this.state, this.log.length)
    else for (const envelope of this.log.slice(this.mirror.seq)) this.mirror = heard(this.mirror, envelope, me)
    this.mirror = unsent(this.mirror)
    const pending = this.mirror.pending.map(one => ({ ...one, isSent: true }))
    this.mirror = { ...this.mirror, pending }
    this.sent = [...pending]
  }

  settle(): void {
    if (!this.isOnline) this.comeBack('replay')
    while (this.sent.length > 0) this.work()
    while (this.told.length > 0) this.hear()
  }
}

describe('what is confirmed and what is pending', () => {
  it('comes to the state of the desk, whatever happens in whatever order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        const rehearsal = new Rehearsal()
        for (const one of steps) {
          if (one.kind === 'type') {
            const before = rehearsal.mirror.confirmed.asks.find(({ request }) => request.id === one.target.requestId)
            rehearsal.type(one.target.requestId, one.target.questionId, one.text)
            const after = viewOf(rehearsal.mirror).asks.find(({ request }) => request.id === one.target.requestId)
            // Whoever types sees at once what they typed.
            if (!before?.ending) expect(after?.request.answers?.[one.target.questionId]).toEqual(draftOf(one.text))
          } else if (one.kind === 'other') {
            rehearsal.accept({ type: 'asks/answerChanged', session: 's', ...one.target, answer: draftOf(one.text) })
          } else if (one.kind === 'end') {
            const { requestId } = one.target
            rehearsal.accept({ type: 'asks/ended', session: 's', requestId, ending: { at: 5 } })
          } else if (one.kind === 'work') rehearsal.work()
          else if (one.kind === 'hear') rehearsal.hear()
          else if (one.kind === 'drop') rehearsal.drop()
          else rehearsal.comeBack(one.kind)
        }
        rehearsal.settle()
        expect(rehearsal.mirror.pending).toEqual([])
        expect(rehearsal.mirror.confirmed).toEqual(rehearsal.state)
        expect(viewOf(rehearsal.mirror)).toBe(rehearsal.mirror.confirmed)
      }),
      { numRuns: 500 },
    )
  })

  it('keeps what was typed offline, and only the last of it', () => {
    const rehearsal = new Rehearsal()
    rehearsal.drop()
    rehearsal.type('r1', 'a', 'x')
    rehearsal.type('r1', 'a', 'xy')
    expect(rehearsal.mirror.pending).toHaveLength(1)
    rehearsal.settle()
    expect(rehearsal.state.asks[0]?.request.answers).toEqual({ a: draftOf('xy') })
  })

  it.each(['replay', 'snapshot'] as const)(
    'does not go back to an earlier draft when the desk has the last one already (%s)',
    how => {
      const rehearsal = new Rehearsal()
      rehearsal.type('r1', 'a', 'x')
      rehearsal.drop()
      rehearsal.type('r1', 'a', 'xy')
      // From another tab of the same browser, which found it there.
      const answer = draftOf('xy')
      rehearsal.accept({ type: 'asks/answerChanged', session: 's', requestId: 'r1', questionId: 'a', answer })
      rehearsal.comeBack(how)
      rehearsal.settle()
      expect(rehearsal.state.asks[0]?.request.answers).toEqual({ a: draftOf('xy') })
    },
  )
})
