import type { Clock, LogEntry } from 'beckon/store'
import type { Connection } from '../database/connection.js'

/** What is added to a log, encoded. */
interface Addition {
  readonly values: readonly string[]
  readonly after: number | undefined
  readonly expiresAt: number | undefined
}

/** The logs of the file. Everything but `read` has to be in a transaction. */
export interface Logs {
  append(log: string, addition: Addition): number | undefined
  read(log: string, after: number, limit: number | undefined): LogEntry[]
  trim(log: string, upTo: number): void
  erase(log: string): boolean
}

export function createLogs(connection: Connection, clock: Clock): Logs {
  const find = connection.prepare(
    'select id, last, expires_at is null or expires_at > ? as is_alive from logs where name = ?',
  )
  const begin = connection.prepare('insert into logs (name, last, expires_at) values (?, 0, ?) returning id')
  const move = connection.prepare('update logs set last = ?, expires_at = coalesce(?, expires_at) where id = ?')
  const add = connection.prepare('insert into entries (log, seq, value) values (?, ?, ?)')
  const list = connection.prepare(
    'select e.seq, e.value from logs as l join entries as e on e.log = l.id ' +
      'where l.name = ? and (l.expires_at is null or l.expires_at > ?) and e.seq > ? order by e.seq limit ?',
  )
  const removeFirst = connection.prepare('delete from entries where log = ? and seq <= ?')
  const removeEntries = connection.prepare('delete from entries where log = ?')
  const removeLog = connection.prepare('delete from logs where id = ?')

  /** The log, unless it is absent; one that has expired is removed. */
  function findAlive(name: string): { id: number; last: number } | undefined {
    const row = find.get([clock.now(), name])
    if (row === undefined) return undefined
    const head = { id: Number(row.id), last: Number(row.last) }
    if (row.is_alive === 1) return head
    remove(head.id)
    return undefined
  }

  function remove(id: number): void {
    removeEntries.run([id])
    removeLog.run([id])
  }

  return {
    append(log, { values, after, expiresAt }) {
      const name = JSON.stringify(log)
      const head = findAlive(name)
      let last = head?.last ?? 0
      if (after !== undefined && after !== last) return undefined
      if (head === undefined && values.length === 0) return 0
      const id = head?.id ?? Number(begin.get([name, expiresAt ?? null])?.id)
      for (const value of values) add.run([id, ++last, value])
      move.run([last, expiresAt ?? null, id])
      return last
    },

    read(log, after, limit) {
      const rows = list.all([JSON.stringify(log), clock.now(), after, limit ?? noLimit])
      return rows.map(row => ({ seq: Number(row.seq), value: JSON.parse(`${row.value}`) }))
    },

    trim(log, upTo) {
      const head = findAlive(JSON.stringify(log))
      if (head !== undefined) removeFirst.run([head.id, upTo])
    },

    erase(log) {
      const head = findAlive(JSON.stringify(log))
      if (head !== undefined) remove(head.id)
      return head !== undefined
    },
  }
}

const noLimit = -1
