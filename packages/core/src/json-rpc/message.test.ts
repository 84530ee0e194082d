import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../test/any-character.js'
import {
  decodeMessage,
  encodeError,
  encodeNotification,
  encodeRequest,
  encodeResult,
  errorCodes,
  RpcError,
} from './index.js'

const id = fc.oneof(fc.string(), fc.integer())
const value = fc.jsonValue({ maxDepth: 5 }).map(given => JSON.parse(JSON.stringify(given)))
const params = fc
  .dictionary(fc.string(), value, { noNullPrototype: true })
  .map(given => JSON.parse(JSON.stringify(given)))
const error = fc
  .tuple(fc.integer(), fc.string(), fc.option(value, { nil: undefined }))
  .map(([code, message, data]) => new RpcError(code, message, data))

describe('what was encoded', () => {
  it('is decoded as the same request, with params as a value or as JSON', () => {
    fc.assert(
      fc.property(id, fc.string(), params, (id, method, params) => {
        const request = { kind: 'request', id, method, params }
        expect(decodeMessage(encodeRequest(id, method, params))).toEqual(request)
        expect(decodeMessage(encodeRequest(id, method, JSON.stringify(params)))).toEqual(request)
      }),
    )
  })

  it('is decoded as the same notification, with params as a value or as JSON', () => {
    fc.assert(
      fc.property(fc.string(), params, (method, params) => {
        const notification = { kind: 'notification', method, params }
        expect(decodeMessage(encodeNotification(method, params))).toEqual(notification)
        expect(decodeMessage(encodeNotification(method, JSON.stringify(params)))).toEqual(notification)
      }),
    )
  })

  it('is decoded as the same result', () => {
    fc.assert(
      fc.property(id, value, (id, result) => {
        expect(decodeMessage(encodeResult(id, JSON.stringify(result)))).toEqual({ kind: 'response', id, result })
      }),
    )
    expect(decodeMessage(encodeResult(1, null))).toEqual({ kind: 'response', id: 1, result: null })
  })

  it('is decoded as the same error', () => {
    fc.assert(
      fc.property(fc.option(id), error, (id, error) => {
        const message = decodeMessage(encodeError(id, error))
        expect(message).toEqual({ kind: 'response', id, error })
        expect(message).toMatchObject({ error: { code: error.code, message: error.message, data: error.data } })
      }),
    )
  })
})

describe('what comes in', () => {
  it('is read without failing, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: anyCharacter })), text => {
        expect(['request', 'notification', 'response', 'invalid']).toContain(decodeMessage(text).kind)
      }),
    )
  })

  it.each([
    ['not JSON', 'nothing', null, errorCodes.parseError],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"a"}]', null, errorCodes.invalidRequest],
    ['not an object', '7', null, errorCodes.invalidRequest],
    ['not JSON-RPC 2.0', '{"id":1,"method":"a"}', 1, errorCodes.invalidRequest],
    ['without a method', '{"jsonrpc":"2.0","id":"x"}', 'x', errorCodes.invalidRequest],
    [
      'with an id that is neither string nor number',
      '{"jsonrpc":"2.0","id":{},"method":"a"}',
      null,
      errorCodes.invalidRequest,
    ],
    [
      'with params that are not an object',
      '{"jsonrpc":"2.0","id":1,"method":"a","params":[1]}',
      1,
      errorCodes.invalidParams,
    ],
    [
      'with a number that is read as infinity',
      '{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":[1e400]}}',
      1,
      errorCodes.invalidRequest,
    ],
    ['nested too deeply', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, null, errorCodes.invalidRequest],
  ])('is invalid when it is %s', (_what, text, id, code) => {
    expect(decodeMessage(text)).toMatchObject({ kind: 'invalid', id, error: { code } })
  })

  it('may have null for no params', () => {
    const text = '{"jsonrpc":"2.0","method":"a","params":null}'
    expect(decodeMessage(text)).toEqual({ kind: 'notification', method: 'a', params: {} })
  })

  it('may have null for no error', () => {
    const text = '{"jsonrpc":"2.0","id":1,"result":2,"error":null}'
    expect(decodeMessage(text)).toEqual({ kind: 'response', id: 1, result: 2 })
  })

  it.each(['null', '"no"', '{}', '{"code":"x","message":7}'])('may have the error %s, which says nothing', given => {
    const message = decodeMessage(`{"jsonrpc":"2.0","id":1,"error":${given}}`)
    expect(message).toMatchObject({ kind: 'response', id: 1, error: { code: errorCodes.internalError } })
  })

  it('may be a response to what could not be read', () => {
    const text = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"What?"}}'
    expect(decodeMessage(text)).toMatchObject({ kind: 'response', id: null, error: { code: -32700 } })
  })
})
