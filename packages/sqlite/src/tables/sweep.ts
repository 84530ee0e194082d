import type { Clock } from 'beckon/store'
import type { Connection } from '../database/connection.js'

/**
 * Deletes some of what has expired, and says how many rows that were. Has to be in a transaction. Does nothing while the
 * last one, by whichever process, left little behind and is less than `everyMs` ago.
 */
export type Sweep = (options: { max: number; everyMs: number }) => number

/** Goes by the indexes on expiries: what it costs does not depend on how much there is. */
export function createSweep(connection: Connection, clock: Clock): Sweep {
  const claim = connection.prepare('update sweeps set due_at = ? where due_at <= ? or due_at > ?')
  const hasten = connection.prepare('update sweeps set due_at = ?')
  const simple = ['keys', 'messages'].map(table =>
    connection.prepare(
      `delete from ${table} where rowid in (select rowid from ${table} where expires_at <= ? order by expires_at limit ?)`,
    ),
  )
  const sweepLogs = sweepOf('logs', {
    removeSome: 'delete from entries where log = ?1 and seq < ?2 + (select min(seq) from entries where log = ?1)',
    find: 'select 1 from entries where log = ? limit 1',
  })
  const sweepSets = sweepOf('sets', {
    removeSome:
      'delete from members where "set" = ?1 and member in (select member from members where "set" = ?1 limit ?2)',
    find: 'select 1 from members where "set" = ? limit 1',
  })

  /** Removes logs or sets that have expired, a large one in parts. */
  function sweepOf(table: 'logs' | 'sets', parts: { removeSome: string; find: string }) {
    const expired = connection.prepare(`select id from ${table} where expires_at <= ? order by expires_at limit ?`)
    const removeSome = connection.prepare(parts.removeSome)
    const find = connection.prepare(parts.find)
    const remove = connection.prepare(`delete from ${table} where id = ?`)
    return (now: number, max: number): number => {
      let removed = 0
      for (const row of expired.all([now, max])) {
        const id = Number(row.id)
        removed += removeSome.run([id, max - removed])
        if (find.get([id]) === undefined) removed += remove.run([id])
        if (removed >= max) break
      }
      return removed
    }
  }

  return function sweep({ max, everyMs }) {
    const now = clock.now()
    // A time further ahead than any process would set is from a clock that went back since.
    if (claim.run([now + everyMs, now, now + 10 * everyMs]) === 0) return 0
    const rows = simple.reduce((sum, statement) => sum + statement.run([now, max]), 0)
    const removed = rows + sweepLogs(now, max) + sweepSets(now, max)
    if (removed >= max) hasten.run([now])
    return removed
  }
}
