import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeMessage, encodeError, encodeNotification, encodeResult, RpcError } from './json-rpc.js'

it('reads anything at all without failing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })), text => {
      expect(['request', 'notification', 'answer', 'garbage']).toContain(decodeMessage(text).kind)
    }),
  )
}, 60_000)

it('reads every request and notification', () => {
  const params = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true })
  fc.assert(
    fc.property(
      fc.option(fc.oneof(fc.string(), fc.integer()), { nil: undefined }),
      fc.string(),
      params,
      (id, method, given) => {
        const text = JSON.stringify({ jsonrpc: '2.0', id, method, params: given })
        const expected = { method, params: JSON.parse(JSON.stringify(given)) }
        expect(decodeMessage(text)).toEqual(
          id === undefined ? { kind: 'notification', ...expected } : { kind: 'request', id, ...expected },
        )
      },
    ),
  )
}, 60_000)

it('writes answers and notifications', () => {
  expect(JSON.parse(encodeResult('a"b', '{"x":1}'))).toEqual({ jsonrpc: '2.0', id: 'a"b', result: { x: 1 } })
  expect(JSON.parse(encodeError(null, new RpcError(-1, 'No.')))).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -1, message: 'No.' },
  })
  expect(JSON.parse(String(encodeNotification('action', '{}')))).toEqual({
    jsonrpc: '2.0',
    method: 'action',
    params: {},
  })
})
