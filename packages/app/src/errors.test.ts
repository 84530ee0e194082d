import { BeckonError } from '@beckon/core'
import { expect, it } from 'vitest'
import * as errors from './errors.js'

const all = [
  [new errors.ProtocolMismatchError('1.2.0', '2.0.0'), errors.ProtocolMismatchError, 'ProtocolMismatch', -32000],
  [new errors.ActionTimeoutError('act', 5), errors.ActionTimeoutError, 'ActionTimeout', -32002],
  [new errors.SamplingNotAvailableError(), errors.SamplingNotAvailableError, 'SamplingNotAvailable', -32006],
  [new errors.SamplingDepthError(), errors.SamplingDepthError, 'SamplingDepth', -32008],
  [new errors.ConnectionClosedError(), errors.ConnectionClosedError, 'ConnectionClosed', -32010],
] as const

it.each(all)('%s', (error, type, kind, code) => {
  expect(error).toBeInstanceOf(BeckonError)
  expect(all.filter(([other]) => other instanceof type)).toHaveLength(1)
  expect(error).toMatchObject({ code, kind, name: `${kind}Error` })
  expect(error.message).toMatch(/\.$/)
})
