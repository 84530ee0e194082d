import { describe, expect, it } from 'vitest'
import { unprivilegedUser } from './postgres.mjs'

const root = 'root:x:0:0:root:/root:/bin/bash'
const nobody = 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin'
const postgres = 'postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash'

describe('unprivilegedUser', () => {
  it('prefers the user that Postgres came with', () => {
    expect(unprivilegedUser([root, nobody, postgres, ''].join('\n'))).toEqual({ uid: 101, gid: 104 })
  })

  it('takes nobody where there is none', () => {
    expect(unprivilegedUser([root, nobody, ''].join('\n'))).toEqual({ uid: 65534, gid: 65534 })
  })

  it('never takes root', () => {
    expect(() => unprivilegedUser(root)).toThrow('does not run as root')
  })
})
