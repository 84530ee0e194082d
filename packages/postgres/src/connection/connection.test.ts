import { afterEach, expect, it, vi } from 'vitest'
import type { PostgresPool } from '../pool.js'
import { createConnection } from './connection.js'

afterEach(() => void vi.restoreAllMocks())

it.each([
  ['28P01', 'password authentication failed for user "ada"', 'Correct the user or the password'],
  ['3D000', 'database "nosuch" does not exist', 'Make that database'],
])(
  'says once what the database refuses (%s), of which callers hear that it does not answer',
  async (code, message, remedy) => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    const connect = () => Promise.reject(Object.assign(new Error(message), { code }))
    // All that is used of a pool before there is a connection.
    const { query } = createConnection({ connect } as unknown as PostgresPool, 'beckon', 1_000)
    for (let time = 0; time < 2; time++) await expect(query({ text: 'select 1' })).rejects.toThrow('does not answer')
    expect(said.mock.calls).toEqual([[expect.stringContaining(`${message} (${code}). ${remedy}`)]])
  },
)

it('says nothing of a database that is away, which may be back', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const connect = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
  const { query } = createConnection({ connect } as unknown as PostgresPool, 'beckon', 1_000)
  await expect(query({ text: 'select 1' })).rejects.toThrow('does not answer')
  expect(said).not.toHaveBeenCalled()
})
