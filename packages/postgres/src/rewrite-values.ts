import type { JsonValue } from 'beckon/store'
import { encodeJson } from 'beckon/store/adapter'
import type { Connection } from './connection/connection.js'

type Change = (value: JsonValue) => JsonValue | undefined

const rowsAtOnce = 500

/** The key of a table, and where to begin. */
interface TableKey {
  readonly columns: readonly string[]
  readonly types: readonly string[]
  readonly start: readonly string[]
}

const tables: Readonly<Record<string, TableKey>> = {
  keys: { columns: ['name'], types: ['text'], start: [''] },
  entries: { columns: ['log', 'seq'], types: ['bigint', 'bigint'], start: ['0', '0'] },
}

/** Replaces values where they are, some hundred rows at a time. One that was written meanwhile is left. */
export async function rewriteValues(connection: Connection, schema: string, change: Change): Promise<number> {
  let rewritten = 0
  for (const [table, key] of Object.entries(tables))
    rewritten += await rewriteTable(connection, `"${schema}".${table}`, key, change)
  return rewritten
}

async function rewriteTable(
  connection: Connection,
  table: string,
  { columns, types, start }: TableKey,
  change: Change,
): Promise<number> {
  const place = columns.join(', ')
  const after = types.map((type, at) => `$${at + 1}::${type}`).join(', ')
  const select = `select ${place}, value from ${table} where (${place}) > (${after}) order by ${place} limit ${rowsAtOnce}`
  const given = [...types, 'text', 'text'].map((type, at) => `$${at + 1}::${type}[]`).join(', ')
  const same = columns.map(column => `t.${column} = n.${column}`).join(' and ')
  const update = `update ${table} as t set value = n.next from unnest(${given}) as n(${place}, was, next) where ${same} and t.value = n.was returning 1`
  let rewritten = 0
  for (let at: readonly string[] = start; ; ) {
    const rows = await connection.query({ text: select, values: [...at] })
    const last = rows.at(-1)
    if (last === undefined) return rewritten
    at = columns.map(column => `${last[column]}`)
    const changed = rows.flatMap(row => {
      const next = change(JSON.parse(`${row.value}`))
      return next === undefined ? [] : [[...columns.map(column => `${row[column]}`), `${row.value}`, encodeJson(next)]]
    })
    if (changed.length === 0) continue
    const values = [...columns, 'was', 'next'].map((_, column) => changed.map(row => row[column]))
    rewritten += (await connection.query({ text: update, values })).length
  }
}
