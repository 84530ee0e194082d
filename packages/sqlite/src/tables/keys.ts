import type { Clock, Entry, Version } from 'beckon/store'
import type { Connection } from '../database/connection.js'

/** The keys of the file. Everything but `get` has to be in a transaction. */
export interface Keys {
  get(key: string): Entry | undefined
  set(key: string, value: string, expiresAt: number | undefined): Version
  compareAndSet(
    key: string,
    version: Version | undefined,
    value: string,
    expiresAt: number | undefined,
  ): Version | undefined
  delete(key: string): boolean
}

export function createKeys(connection: Connection, clock: Clock): Keys {
  const find = connection.prepare(
    'select value, version from keys where name = ? and (expires_at is null or expires_at > ?)',
  )
  const findVersion = connection.prepare(
    'select version from keys where name = ? and (expires_at is null or expires_at > ?)',
  )
  // A row that is replaced is a new one, with a new number.
  const replace = connection.prepare(
    'insert or replace into keys (name, value, expires_at) values (?, ?, ?) returning version',
  )
  const remove = connection.prepare(
    'delete from keys where name = ? returning expires_at is null or expires_at > ? as was_alive',
  )

  function set(key: string, value: string, expiresAt: number | undefined): Version {
    return Number(replace.get([JSON.stringify(key), value, expiresAt ?? null])?.version)
  }

  return {
    get(key) {
      const row = find.get([JSON.stringify(key), clock.now()])
      return row && { value: JSON.parse(`${row.value}`), version: Number(row.version) }
    },
    set,
    compareAndSet(key, version, value, expiresAt) {
      const current = findVersion.get([JSON.stringify(key), clock.now()])?.version
      return current === version ? set(key, value, expiresAt) : undefined
    },
    delete: key => remove.get([JSON.stringify(key), clock.now()])?.was_alive === 1,
  }
}
