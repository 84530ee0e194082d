import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OpenAsk } from '../call/ask.js'
import { askEntry } from '../call/journal.js'
import type { CallEvent, CallRecord } from './events.js'
import { type CallState, emptyCallState, reduce } from './reduce.js'

const ids = ['a', 'b', 'c'] as const
const wires = ['push', 'rounds', 'tasks', 'desk'] as const
const record: CallRecord = {
  id: 'call',
  target: { method: 'tools/call', name: 'tool', digest: '' },
  params: {},
  principal: null,
  sessionId: null,
  peer: { capabilities: {}, revision: '2026-07-28', client: undefined },
  isTask: false,
  version: '1',
  createdAt: 0,
  expiresAt: 1,
}
const owner = { node: 'n', run: 'r' }
const at = 1

const askOf = (id: string, wire: OpenAsk['wire']): OpenAsk => ({
  id,
  wire,
  ask: { kind: 'confirm', message: id },
  mark: { digest: id, nth: 0, position: ids.indexOf(id as 'a') },
  from: 0,
  askedAt: 0,
  expiresAt: 1,
})

const answerOf = (id: string): CallEvent => {
  const { mark, from } = askOf(id, 'desk')
  const reply = { kind: 'outcome', outcome: { action: 'accept', content: {} } } as const
  return { kind: 'answered', at, entries: [Object.assign(askEntry(mark, from, reply), { ask: id })] }
}

const id = fc.constantFrom(...ids)
const anyEvent: fc.Arbitrary<CallEvent> = fc.oneof(
  fc
    .record({ id, wire: fc.constantFrom(...wires) })
    .map(({ id, wire }): CallEvent => ({ kind: 'asked', at, ask: askOf(id, wire) })),
  id.map(answerOf),
  id.map((ask): CallEvent => ({ kind: 'expired', at, ask })),
  id.map((ask): CallEvent => ({ kind: 'withdrawn', at, ask })),
  fc.record({ ask: id, wire: fc.constantFrom(...wires) }).map((moved): CallEvent => ({ kind: 'moved', at, ...moved })),
  fc.constant<CallEvent>({ kind: 'claimed', at, owner }),
  fc.constant<CallEvent>({ kind: 'cancelled', at }),
  fc.constant<CallEvent>({ kind: 'ended', at, end: { result: {} } }),
  fc.constant<CallEvent>({ kind: 'delivered', at }),
)

/** Of a durable call. */
const begun = reduce(emptyCallState, { kind: 'begun', at: 0, record, owner })
const stateAfter = (events: readonly CallEvent[]): CallState => events.reduce(reduce, begun)

describe('the events of a durable call', () => {
  it('open an ask once, and answer or expire it once while it is open', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), events => {
        const { open } = stateAfter(events)
        expect(new Set(open.map(ask => ask.id)).size).toBe(open.length)
        // An ask that was answered is open again only when it was asked again.
        for (const ask of ids) {
          const asked = events.filter(event => event.kind === 'asked' && event.ask.id === ask).length
          const answers = stateAfter(events).entries.filter(
            entry => entry.kind === 'ask' && entry.digest === ask,
          ).length
          expect(answers).toBeLessThanOrEqual(asked)
        }
      }),
    )
  })

  it('count for nothing after an end, but that someone has it', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), fc.array(anyEvent), (before, more) => {
        const ended = reduce(stateAfter(before), { kind: 'ended', at, end: { result: {} } })
        const last = more.reduce(reduce, ended)
        const isDelivered = ended.isDelivered || more.some(({ kind }) => kind === 'delivered')
        expect(last).toEqual({ ...ended, isDelivered })
        if (isDelivered === ended.isDelivered) expect(last).toBe(ended)
      }),
    )
  })

  it('give the same state back when they change nothing', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), id, (events, ask) => {
        const state = stateAfter(events)
        if (state.open.some(open => open.id === ask)) return
        for (const event of [
          answerOf(ask),
          { kind: 'expired', at, ask },
          { kind: 'withdrawn', at, ask },
        ] as CallEvent[])
          expect(reduce(state, event)).toBe(state)
      }),
    )
  })
})

describe('a round', () => {
  it('that is opened again forgets what was answered in it, and keeps the steps that were finished', () => {
    const [answered] = [answerOf('a')]
    if (answered?.kind !== 'answered') throw new Error('it is an answer')
    const entry = { kind: 'step', name: 's', nth: 0, from: 1, result: 1 } as const
    const state = [
      { ...answered, round: 1, answers: 'x', owner } as CallEvent,
      { kind: 'step', at, entry } as CallEvent,
      { kind: 'reopened', at, round: 1 } as CallEvent,
    ].reduce(reduce, emptyCallState)
    expect(state).toMatchObject({ entries: [entry], rounds: [] })
  })
})
