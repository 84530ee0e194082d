import { BeckonError } from '@beckon/core'
import { expect, it } from 'vitest'
import { StoreUnavailableError } from './store-unavailable.js'

it('says which store is away and that it may be back, and keeps the reason from clients', () => {
  const cause = new Error('connect ECONNREFUSED 10.0.0.7:5432')
  const error = new StoreUnavailableError('Postgres', cause)
  expect(error).toBeInstanceOf(BeckonError)
  expect(error).toMatchObject({ name: 'StoreUnavailableError', kind: 'StoreUnavailable', retryable: true, cause })
  expect(error.message).toContain('Postgres')
  expect(error.message).not.toContain('10.0.0.7')
})
