import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HeldMap } from './held-map.js'

it('has what a Map has, whatever comes and goes', () => {
  const key = fc.integer({ min: 0, max: 5 })
  const change = fc.oneof(
    fc.tuple(fc.constant('set' as const), key, fc.string()),
    fc.tuple(fc.constant('delete' as const), key),
    fc.tuple(fc.constant('clear' as const)),
  )
  fc.assert(
    fc.property(fc.array(change), changes => {
      const held = new HeldMap<number, string>()
      const plain = new Map<number, string>()
      for (const [kind, ...rest] of changes) {
        const [at = 0, value = ''] = rest
        if (kind === 'set') {
          held.set(at, value)
          plain.set(at, value)
        } else if (kind === 'delete') expect(held.delete(at)).toBe(plain.delete(at))
        else {
          held.clear()
          plain.clear()
        }
        expect(held.get(at)).toBe(plain.get(at))
      }
      expect([...held.entries()]).toEqual([...plain])
      expect([...held.values()]).toEqual([...plain.values()])
    }),
  )
})
