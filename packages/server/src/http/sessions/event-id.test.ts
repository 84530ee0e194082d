import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeEventId, encodeEventId, eventIdSuffix } from './event-id.js'

it('an event id says which stream of which node it is of, and what that is the response to', () => {
  const requests = fc.array(fc.oneof(fc.integer(), fc.string({ maxLength: 20 })), { maxLength: 3 })
  const node = fc.option(fc.stringMatching(/^[\w-]{24}$/), { nil: undefined })
  fc.assert(
    fc.property(fc.nat(), fc.nat(), node, requests, (stream, number, of, ids) => {
      const id = encodeEventId(`${stream}`, number, eventIdSuffix(of, ids))
      expect(decodeEventId(id)).toEqual({
        stream: `${stream}`,
        number,
        node: of,
        requests: of === undefined ? [] : ids,
      })
    }),
  )
})

it('leaves requests out that would not fit into a header', () => {
  const suffix = eventIdSuffix('node', ['x'.repeat(10_000)])
  expect(decodeEventId(encodeEventId('1', 2, suffix))).toEqual({ stream: '1', number: 2, node: 'node', requests: [] })
})

it.each([
  '',
  'x',
  '1',
  '1-2.',
  '1-2.node',
  '1-2.node.!',
  '1-2.node.e30',
  '1-2.node.WzEuNV0x',
  `1-2.${'n'.repeat(65)}.`,
])('knows that %j is none of ours', id => expect(decodeEventId(id)).toBeUndefined())

it('reads whatever a client sends without failing', () => {
  fc.assert(fc.property(fc.string(), id => void decodeEventId(id)))
})
