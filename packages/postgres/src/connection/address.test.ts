import { describe, expect, it } from 'vitest'
import { readAddress } from './address.js'

describe('readAddress', () => {
  it('leaves one host as it is', () => {
    expect(readAddress('postgresql://u:p%40@db:5433/x?sslmode=require')).toEqual([
      'postgresql://u:p%40@db:5433/x?sslmode=require',
    ])
    expect(readAddress('postgres:///beckon?host=/run/postgresql')).toEqual(['postgres:///beckon?host=/run/postgresql'])
  })

  it('gives a URL for each of several, without what libpq calls the target', () => {
    expect(readAddress('postgres://u:p@a,b:5433,[::1]:7/x?target_session_attrs=read-write')).toEqual([
      'postgres://u:p@a/x',
      'postgres://u:p@b:5433/x',
      'postgres://u:p@[::1]:7/x',
    ])
  })

  it.each([
    'db.internal',
    'mysql://db/x',
    'postgres://a:port/x',
    'postgres://a,,b/x',
    'postgres://a,b/x?target_session_attrs=standby',
    '',
  ])('refuses %j', url => {
    expect(() => readAddress(url)).toThrow(/not an address of Postgres/)
  })

  it('keeps a password out of what it says', () => {
    expect(() => readAddress('postgres://u:hunter2@a:port/x')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    )
  })
})
