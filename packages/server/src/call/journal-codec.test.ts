import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Entry } from './journal.js'
import { addToJournal, decodeJournal } from './journal-codec.js'

const json = fc.jsonValue() as fc.Arbitrary<never>
const count = fc.nat(300)

const reply = fc.oneof(
  fc.record({ kind: fc.constant('expired' as const) }),
  fc.record({ kind: fc.constant('discounted' as const) }),
  fc.record({
    kind: fc.constant('outcome' as const),
    afterFloor: fc.constant(true as const),
    outcome: fc.record({ action: fc.constant('accept' as const), content: json }),
  }),
  fc.record({
    kind: fc.constant('outcome' as const),
    outcome: fc.oneof(
      fc.record({ action: fc.constant('cancel' as const), why: fc.constant('withdrawn' as const) }),
      fc.record({
        action: fc.constant('decline' as const),
        reason: fc.string({ minLength: 1 }),
        by: fc.array(fc.record({ principal: fc.string() })),
      }),
    ),
  }),
  fc.record({ kind: fc.constant('result' as const), result: json }),
  fc.record({
    kind: fc.constant('outcome' as const),
    outcome: fc.oneof(
      fc.record({ action: fc.constant('accept' as const), content: json }),
      fc.record({ action: fc.constant('decline' as const) }),
      fc.record({ action: fc.constant('decline' as const), reason: fc.string({ minLength: 1 }) }),
      fc.record({ action: fc.constant('cancel' as const) }),
    ),
  }),
)

const entry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({ kind: fc.constant('step' as const), name: fc.string(), nth: count, from: count, result: json }),
  fc.record(
    {
      kind: fc.constant('ask' as const),
      key: fc.string(),
      digest: fc.string(),
      nth: count,
      position: count,
      from: count,
      reply,
    },
    { requiredKeys: ['kind', 'digest', 'nth', 'position', 'from', 'reply'] },
  ),
)

it('gives back a journal as it was, however it came together', () => {
  fc.assert(
    fc.property(fc.array(entry), fc.array(entry), (before, after) => {
      const text = addToJournal(addToJournal('', before), after)
      expect(decodeJournal(text)).toEqual(JSON.parse(JSON.stringify([...before, ...after])))
    }),
  )
})
