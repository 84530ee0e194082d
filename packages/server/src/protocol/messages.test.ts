// The SDK's guards are the measure: what they take as a message is one here, and nothing else.
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isRpcError, isRpcNotification, isRpcRequest, isRpcResult } from './messages.js'

const meta = fc.oneof(
  fc.dictionary(fc.constantFrom('progressToken', 'traceparent', 'mine'), fc.oneof(fc.string(), fc.jsonValue())),
  fc.record({ 'io.modelcontextprotocol/related-task': fc.oneof(fc.record({ taskId: fc.string() }), fc.jsonValue()) }),
  fc.jsonValue(),
)
const id = fc.oneof(fc.integer(), fc.string(), fc.jsonValue())
const params = fc.oneof(fc.record({ _meta: meta, name: fc.jsonValue() }, { requiredKeys: [] }), fc.jsonValue())
const message = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0'),
    id,
    method: fc.oneof(fc.constant('tools/call'), fc.jsonValue()),
    params,
    result: params,
    error: fc.oneof(fc.record({ code: fc.integer(), message: fc.string() }), fc.jsonValue()),
    more: fc.constant(1),
  },
  { requiredKeys: ['jsonrpc'] },
)
const without = (...keys: string[]) =>
  message.map(given => Object.fromEntries(Object.entries(given).filter(([key]) => !keys.includes(key))))

it.each([
  ['request', isRpcRequest, isJSONRPCRequest, without('result', 'error', 'more')],
  ['notification', isRpcNotification, isJSONRPCNotification, without('id', 'result', 'error', 'more')],
  ['result', isRpcResult, isJSONRPCResultResponse, without('method', 'params', 'error', 'more')],
  ['error', isRpcError, isJSONRPCErrorResponse, without('method', 'params', 'result', 'more')],
] as const)('knows a %s as the SDK does', (_kind, ours, theirs, likely) => {
  let taken = 0
  fc.assert(
    fc.property(fc.oneof(likely, message, fc.jsonValue()), candidate => {
      if (theirs(candidate)) taken += 1
      expect(ours(candidate)).toBe(theirs(candidate))
    }),
    { numRuns: 2_000 },
  )
  expect(taken).toBeGreaterThan(20)
})
