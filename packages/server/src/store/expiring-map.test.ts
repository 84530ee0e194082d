import fc from 'fast-check'
import { expect, it } from 'vitest'
import { expiringMap } from './expiring-map.js'

it('forgets everything that expired, with nobody touching it, in one round of sweeps', () => {
  let now = 0
  const map = expiringMap({ now: () => now })
  for (let index = 0; index < 1_000; index++) map.put({ key: `${index}`, expiresAt: 10 })
  map.put({ key: 'for good', expiresAt: Number.POSITIVE_INFINITY })
  now = 10
  expect(map.size).toBe(1_001)
  for (let round = 0; round <= 1_001 / 4; round++) map.sweep()
  expect(map.size).toBe(1)
})

it('holds less than half as many expired items as live ones, however long it goes on', () => {
  let now = 0
  const map = expiringMap({ now: () => now })
  for (let index = 0; index < 1_000; index++) map.put({ key: `live ${index}`, expiresAt: 1e9 })
  for (now = 1; now < 50_000; now++) {
    map.put({ key: `${now}`, expiresAt: now + 10 })
    map.sweep()
    if (now > 10_000) expect(map.size).toBeLessThan(1_010 * 1.5)
  }
})

it('is a map without what has expired, whatever is done to it in whatever order', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
  const command = fc.oneof(
    fc.record({ kind: fc.constant('put' as const), key, ttl: fc.integer({ min: -1, max: 5 }) }),
    fc.record({ kind: fc.constant('delete' as const), key }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ kind: fc.constant('sweep' as const) }),
    fc.record({ kind: fc.constant('clear' as const) }),
  )
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), commands => {
      let now = 0
      const map = expiringMap({ now: () => now })
      const model = new Map<string, number>()
      const alive = (name: string): boolean => (model.get(name) ?? 0) > now
      for (const step of commands) {
        if (step.kind === 'put') {
          map.put({ key: step.key, expiresAt: now + step.ttl })
          model.set(step.key, now + step.ttl)
        } else if (step.kind === 'delete') {
          expect(map.delete(step.key)).toBe(alive(step.key))
          model.delete(step.key)
        } else if (step.kind === 'wait') {
          now += step.ms
        } else {
          map[step.kind]()
          if (step.kind === 'clear') model.clear()
        }
        expect(map.size).toBeGreaterThanOrEqual([...model.keys()].filter(alive).length)
      }
      for (const name of 'abcdef') expect(map.get(name)?.expiresAt).toBe(alive(name) ? model.get(name) : undefined)
    }),
  )
})
