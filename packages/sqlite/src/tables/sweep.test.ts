import { beforeEach, expect, it } from 'vitest'
import { type Connection, connect } from '../database/connection.js'
import { migrate } from '../database/migrate.js'
import { createKeys } from './keys.js'
import { createLogs } from './logs.js'
import { createSweep } from './sweep.js'

let now = 0
const clock = { now: () => now }
let connection: Connection

beforeEach(() => {
  now = 1_000
  connection = connect(':memory:', 'normal')
  migrate(connection, ':memory:')
})

it('removes no more than it may, and goes on at once when there is more', () => {
  const keys = createKeys(connection, clock)
  const sweep = createSweep(connection, clock)
  for (let index = 0; index < 25; index++) keys.set(`${index}`, '1', now + 1)
  now += 1
  expect([1, 2, 3, 4].map(() => sweep({ most: 10, everyMs: 1_000 }))).toEqual([10, 10, 5, 0])
})

it('takes a long log away in parts', () => {
  const logs = createLogs(connection, clock)
  const sweep = createSweep(connection, clock)
  logs.append('log', { values: Array.from({ length: 25 }, () => '1'), after: 0, expiresAt: now + 1 })
  now += 1
  const removed = [1, 2, 3, 4].map(() => sweep({ most: 10, everyMs: 1_000 }))
  // The log itself counts as well.
  expect(removed).toEqual([10, 10, 6, 0])
  expect(connection.prepare('select 1 from logs').all([])).toEqual([])
})

it('leaves a sweep to whichever process is first', () => {
  const keys = createKeys(connection, clock)
  const [first, second] = [createSweep(connection, clock), createSweep(connection, clock)]
  keys.set('key', '1', now)
  expect(first({ most: 10, everyMs: 1_000 })).toBe(1)
  keys.set('key', '1', now)
  expect(second({ most: 10, everyMs: 1_000 })).toBe(0)
  now += 1_000
  expect(second({ most: 10, everyMs: 1_000 })).toBe(1)
})

it('sweeps again after the clock was put back', () => {
  const keys = createKeys(connection, clock)
  const sweep = createSweep(connection, clock)
  now = 1_000_000_000
  sweep({ most: 10, everyMs: 1_000 })
  now = 1_000
  keys.set('key', '1', now)
  expect(sweep({ most: 10, everyMs: 1_000 })).toBe(1)
})
