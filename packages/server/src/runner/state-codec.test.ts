import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeState, encodeState } from './state-codec.js'

const time = fc.integer({ min: 0, max: 4_000_000_000_000 })
const small = fc.nat({ max: 1_000 })

const mark = fc.record(
  {
    key: fc.string(),
    digest: fc.string(),
    nth: small,
    position: small,
    id: fc.string(),
    ask: fc.constantFrom('confirm', 'form', 'url', 'sample', 'roots'),
    from: small,
    askedAt: time,
    expiresAt: time,
    floor: fc.record({ ms: small, node: fc.string() }),
  },
  { requiredKeys: ['digest', 'nth', 'position', 'id', 'ask', 'from', 'askedAt', 'expiresAt'] },
)

const state = fc.record(
  {
    call: fc.string(),
    node: fc.string(),
    round: small,
    expiresAt: time,
    principal: fc.option(fc.string()),
    target: fc.record({ method: fc.string(), name: fc.string(), digest: fc.string() }),
    open: fc.array(mark, { maxLength: 4 }),
    journal: fc.string(),
    misses: small,
    promisedUntil: time,
    isLogged: fc.boolean(),
  },
  {
    requiredKeys: [
      'call',
      'node',
      'round',
      'expiresAt',
      'principal',
      'target',
      'open',
      'misses',
      'promisedUntil',
      'isLogged',
    ],
  },
)

it('comes back as it was', () => {
  fc.assert(
    fc.property(state, fc.string(), time, (given, version, issuedAt) => {
      const sealed = JSON.parse(JSON.stringify(encodeState(given, version, issuedAt)))
      expect(decodeState(sealed)).toEqual({ ...given, version, issuedAt })
    }),
  )
})

it.each([undefined, null, 'x', {}, [], [1, 0], { 0: 2 }])('is nothing that is sealed as %j', value => {
  expect(decodeState(value)).toBeUndefined()
})
