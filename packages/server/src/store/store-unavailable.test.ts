import { BeckonError } from '@beckon/core'
import { expect, it } from 'vitest'
import { StoreUnavailableError, tooContended } from './store-unavailable.js'

it('says which store is away and that it may be back, and keeps the reason from clients', () => {
  const cause = new Error('connect ECONNREFUSED 10.0.0.7:5432')
  const error = new StoreUnavailableError('Postgres', cause)
  expect(error).toBeInstanceOf(BeckonError)
  expect(error).toMatchObject({ name: 'StoreUnavailableError', kind: 'StoreUnavailable', retryable: true, cause })
  expect(error.message).toContain('Postgres')
  expect(error.message).not.toContain('10.0.0.7')
})

it('counts what too many processes change as a store that is away, and keeps the key from clients', () => {
  const error = tooContended('shop/call/7', 100)
  expect(error).toBeInstanceOf(StoreUnavailableError)
  expect(error.message).toBe('Too many processes changed this at once. Try again.')
  expect(error.cause).toMatchObject({ message: expect.stringContaining('shop/call/7') })
})
