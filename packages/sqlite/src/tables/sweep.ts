import type { Clock } from 'beckon/store'
import type { Connection } from '../database/connection.js'

/**
 * Deletes some of what has expired, and says how many rows that were. Has to be in a transaction. Does nothing while the
 * last one, by whichever process, left little behind and is less than `everyMs` ago.
 */
export type Sweep = (options: { most: number; everyMs: number }) => number

/** Goes by the indexes on expiries: what it costs does not depend on how much there is. */
export function createSweep(connection: Connection, clock: Clock): Sweep {
  const claim = connection.prepare('update sweeps set due_at = ? where due_at <= ? or due_at > ?')
  const hasten = connection.prepare('update sweeps set due_at = ?')
  const simple = ['keys', 'messages'].map(table =>
    connection.prepare(
      `delete from ${table} where rowid in (select rowid from ${table} where expires_at <= ? order by expires_at limit ?)`,
    ),
  )
  const expiredLogs = connection.prepare('select id from logs where expires_at <= ? order by expires_at limit ?')
  const removeEntries = connection.prepare(
    'delete from entries where log = ?1 and seq < ?2 + (select min(seq) from entries where log = ?1)',
  )
  const findEntry = connection.prepare('select 1 from entries where log = ? limit 1')
  const removeLog = connection.prepare('delete from logs where id = ?')

  function sweepLogs(now: number, most: number): number {
    let removed = 0
    for (const { id } of expiredLogs.all([now, most])) {
      const log = Number(id)
      removed += removeEntries.run([log, most - removed])
      if (findEntry.get([log]) === undefined) removed += removeLog.run([log])
      if (removed >= most) break
    }
    return removed
  }

  return function sweep({ most, everyMs }) {
    const now = clock.now()
    // A time further ahead than any process would set is from a clock that went back since.
    if (claim.run([now + everyMs, now, now + 10 * everyMs]) === 0) return 0
    const removed = simple.reduce((sum, statement) => sum + statement.run([now, most]), 0) + sweepLogs(now, most)
    if (removed >= most) hasten.run([now])
    return removed
  }
}
