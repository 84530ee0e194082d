import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SetModel } from './cases/set-model.js'
import { spanOf } from './set-options.js'
import { sortedMembers } from './sorted-members.js'

const member = fc.string({ unit: fc.constantFrom('a', 'B', '-', '~'), minLength: 1, maxLength: 3 })
const score = fc.oneof(fc.constantFrom(0, 1, -1), fc.double({ noNaN: true, noDefaultInfinity: true }))
const step = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), member, score }),
  fc.record({ kind: fc.constant('remove' as const), member }),
)
const options = fc.record(
  {
    from: fc.record({ score, member: fc.option(member, { nil: undefined }) }, { requiredKeys: ['score'] }),
    to: score,
    reverse: fc.boolean(),
    limit: fc.nat({ max: 12 }),
  },
  { requiredKeys: ['limit'] },
)

it('has what a plain model has, in its order, after any steps', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.array(options, { maxLength: 10 }), (steps, ranges) => {
      const [set, model] = [sortedMembers(), new SetModel()]
      for (const taken of steps) {
        if (taken.kind === 'put') set.put(taken.member, taken.score + 0)
        else set.remove(taken.member)
        if (taken.kind === 'put') model.put(taken.member, taken.score + 0)
        else model.remove(taken.member)
      }
      expect(set.size).toBe(model.count(1e9))
      for (const range of [{ limit: 1e9 }, ...ranges]) expect(set.range(spanOf(range))).toEqual(model.range(range))
    }),
  )
})
