import { beforeEach, expect, it } from 'vitest'
import { type Connection, connect } from '../database/connection.js'
import { migrate } from '../database/migrate.js'
import { createKeys } from './keys.js'
import { createLogs } from './logs.js'
import { createSets } from './sets.js'
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
  expect([1, 2, 3, 4].map(() => sweep({ max: 10, everyMs: 1_000 }))).toEqual([10, 10, 5, 0])
})

it('takes a long log away in parts', () => {
  const logs = createLogs(connection, clock)
  const sweep = createSweep(connection, clock)
  logs.append('log', { values: Array.from({ length: 25 }, () => '1'), after: 0, expiresAt: now + 1 })
  now += 1
  const removed = [1, 2, 3, 4].map(() => sweep({ max: 10, everyMs: 1_000 }))
  // The log itself counts as well.
  expect(removed).toEqual([10, 10, 6, 0])
  expect(connection.prepare('select 1 from logs').all([])).toEqual([])
})

it('takes a large set away in parts, and no other', () => {
  const sets = createSets(connection, clock)
  const sweep = createSweep(connection, clock)
  for (let index = 0; index < 25; index++) {
    sets.put('set', { member: `${index}`, score: 1, condition: undefined, expiresAt: now + 1 })
    sets.put('kept', { member: `${index}`, score: 1, condition: undefined, expiresAt: undefined })
  }
  now += 1
  // The set itself counts as well.
  expect([1, 2, 3, 4].map(() => sweep({ max: 10, everyMs: 1_000 }))).toEqual([10, 10, 6, 0])
  expect(connection.prepare('select 1 from sets').all([])).toHaveLength(1)
  expect(connection.prepare('select 1 from members').all([])).toHaveLength(25)
})

it('finds members by an index, whatever it is asked for', () => {
  const plan = (sql: string) =>
    connection
      .prepare(`explain query plan ${sql}`)
      .all([])
      .map(row => `${row.detail}`)
      .join('\n')
  const from = 'select member, score from members where "set" = 1 and (score, member)'
  for (const [operator, order] of [
    ['>', 'asc'],
    ['<', 'desc'],
  ]) {
    const detail = plan(`${from} ${operator} (1, 'a') order by score ${order}, member ${order} limit 9`)
    expect(detail).toMatch(/members_score \(set=\? AND \(score,member\)[<>]\(\?,\?\)\)/)
    expect(detail).not.toContain('TEMP B-TREE')
  }
})

it('leaves a sweep to whichever process is first', () => {
  const keys = createKeys(connection, clock)
  const [first, second] = [createSweep(connection, clock), createSweep(connection, clock)]
  keys.set('key', '1', now)
  expect(first({ max: 10, everyMs: 1_000 })).toBe(1)
  keys.set('key', '1', now)
  expect(second({ max: 10, everyMs: 1_000 })).toBe(0)
  now += 1_000
  expect(second({ max: 10, everyMs: 1_000 })).toBe(1)
})

it('sweeps again after the clock was put back', () => {
  const keys = createKeys(connection, clock)
  const sweep = createSweep(connection, clock)
  now = 1_000_000_000
  sweep({ max: 10, everyMs: 1_000 })
  now = 1_000
  keys.set('key', '1', now)
  expect(sweep({ max: 10, everyMs: 1_000 })).toBe(1)
})
