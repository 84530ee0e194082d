import { expect, it, vi } from 'vitest'
import * as errors from './index.js'

const all = [
  [new errors.ProtocolMismatchError('1.2.0', '2.0.0'), errors.ProtocolMismatchError, 'ProtocolMismatch', -32000],
  [new errors.ActionTimeoutError('act', 5), errors.ActionTimeoutError, 'ActionTimeout', -32002],
  [new errors.SamplingNotAvailableError(), errors.SamplingNotAvailableError, 'SamplingNotAvailable', -32006],
  [new errors.SamplingDepthError(), errors.SamplingDepthError, 'SamplingDepth', -32008],
  [new errors.ConnectionClosedError(), errors.ConnectionClosedError, 'ConnectionClosed', -32010],
] as const

it.each(all)('%s', (error, type, kind, code) => {
  expect(error).toBeInstanceOf(errors.AppError)
  expect(all.filter(([other]) => other instanceof type)).toHaveLength(1)
  expect(error).toMatchObject({ code, kind, name: `${kind}Error` })
  expect(error.message).toMatch(/\.$/)
})

it('are known across copies of the package, and told from what others derive', async () => {
  vi.resetModules()
  const copy = await import('./index.js')
  const error = new copy.SamplingDepthError()
  expect(error).toBeInstanceOf(errors.SamplingDepthError)
  expect(error).not.toBeInstanceOf(errors.ConnectionClosedError)
  class Derived extends errors.SamplingDepthError {}
  expect(error instanceof Derived).toBe(false)
  expect(new Derived()).toBeInstanceOf(errors.SamplingDepthError)
  expect([null, 'text', {}, new Error('other')].some(value => value instanceof errors.AppError)).toBe(false)
})
