import { describe, expect, it } from 'vitest'
import { readAddress } from './address.js'

describe('readAddress', () => {
  it('takes one server as it is', () => {
    expect(readAddress('rediss://:secret@db:7000/2')).toEqual({ kind: 'server', url: 'rediss://:secret@db:7000/2' })
  })

  it('takes Sentinels apart, with the name of the primary and a database', () => {
    expect(readAddress('redis+sentinel://app:p%40ss@a:1,[::1]:2,c/main/3')).toEqual({
      kind: 'sentinel',
      hosts: [
        { host: 'a', port: 1 },
        { host: '::1', port: 2 },
        { host: 'c', port: 26_379 },
      ],
      name: 'main',
      db: 3,
      login: { username: 'app', password: 'p@ss' },
    })
  })

  it('takes the nodes of a Cluster apart, over TLS', () => {
    expect(readAddress('rediss+cluster://:secret@a,b:7001')).toEqual({
      kind: 'cluster',
      hosts: [
        { host: 'a', port: 6_379 },
        { host: 'b', port: 7_001 },
      ],
      login: { password: 'secret', tls: {} },
    })
  })

  it.each([
    'localhost:6379',
    'http://db',
    'redis://db:notaport',
    'redis+sentinel://a:26379',
    'redis+sentinel://a:26379/main/one',
    'redis+sentinel://a:26379/main/1/2',
    'redis+sentinel://a:99999/main',
    'redis+sentinel:///main',
    'redis+cluster://a:6379/0',
    'redis+cluster://a:6379,,b',
    '',
  ])('refuses %j, and says what there is', url => {
    expect(() => readAddress(url)).toThrow(/not an address of Redis: .*redis\+sentinel/)
  })

  it('keeps a password out of what it says', () => {
    expect(() => readAddress('redis+sentinel://:hunter2@a:26379')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    )
  })
})
