import type { JsonValue } from 'beckon/store'
import { encodeJson } from 'beckon/store/adapter'
import type { Connection } from '../database/connection.js'

type Change = (value: JsonValue) => JsonValue | undefined

/** Gives, call by call in a transaction each, how many values of the next rows were replaced; undefined after the last. */
type NextRows = () => number | undefined

/** Values replaced where they are. */
export interface Rewrite {
  keys(change: Change): NextRows
  entries(change: Change): NextRows
}

/** Rows in one transaction, so that others get their turn. */
const rowsAtOnce = 200

export function createRewrite(connection: Connection): Rewrite {
  function rewriter(select: string, update: string, start: readonly number[]) {
    return (change: Change): NextRows => {
      let place = start
      return () => {
        const rows = connection.prepare(select).all([...place, rowsAtOnce])
        if (rows.length === 0) return undefined
        let replaced = 0
        for (const { value, ...at } of rows) {
          place = Object.values(at).map(Number)
          const next = change(JSON.parse(`${value}`))
          if (next !== undefined) replaced += connection.prepare(update).run([encodeJson(next), ...place])
        }
        return replaced
      }
    }
  }
  return {
    keys: rewriter(
      'select version, value from keys where version > ? order by version limit ?',
      'update keys set value = ? where version = ?',
      [0],
    ),
    entries: rewriter(
      'select log, seq, value from entries where (log, seq) > (?, ?) order by log, seq limit ?',
      'update entries set value = ? where log = ? and seq = ?',
      [0, 0],
    ),
  }
}
