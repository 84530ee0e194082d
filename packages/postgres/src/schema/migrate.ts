import type { PostgresQuery } from '../pool.js'
import { version1 } from './version-1/version-1.js'

/** Runs a statement on one connection. */
export type Query = (query: PostgresQuery) => Promise<Record<string, unknown>[]>

/** A database that answers, but that this version cannot use. Trying again does not help. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

/** How long a migration may take, or another node's. */
const patientMs = 600_000

/** What brings a schema from one version to the next. */
export interface Migration {
  readonly statements: (schema: string) => string
  /** The oldest version of this package that can use what it leaves behind. Default: that which brings it. */
  readonly oldest?: number
}

/** The first one first. What is here never changes, only grows. */
const migrations: readonly Migration[] = [{ statements: version1 }]

/**
 * Brings a schema to this version, also when others do so at the same time. Each step runs once, all missing ones in one
 * transaction: it is done wholly or not at all.
 * @param later steps of a version to come
 */
export async function migrate(query: Query, schema: string, later: readonly Migration[] = []): Promise<void> {
  const steps = [...migrations, ...later]
  // A user who may only use the schema can still start when somebody else has made it.
  if ((await versionOf(query, schema, steps.length)) === steps.length) return
  await query({ text: 'begin' })
  try {
    await query({ text: 'set local statement_timeout = 0' })
    await query({
      text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
      values: [`beckon ${schema}`],
      query_timeout: patientMs,
    })
    await runMissing(query, schema, steps)
    await query({ text: 'commit' })
  } catch (error) {
    // The connection may be what failed; it is not used again.
    await query({ text: 'rollback' }).catch(() => {})
    throw error
  }
}

async function runMissing(query: Query, schema: string, steps: readonly Migration[]): Promise<void> {
  const current = await versionOf(query, schema, steps.length)
  if (current === 0) {
    await checkEncoding(query)
    await query({ text: `create schema if not exists "${schema}"` })
    await query({
      text: `create table "${schema}".migrations (version integer primary key, oldest integer not null, applied_at timestamptz not null default now())`,
    })
  }
  for (const [index, step] of steps.entries()) {
    if (index < current) continue
    const version = index + 1
    await query({ text: step.statements(`"${schema}"`), query_timeout: patientMs })
    await query({
      text: `insert into "${schema}".migrations (version, oldest) values ($1, $2)`,
      values: [version, step.oldest ?? version],
    })
  }
}

/** The version of a schema; that of this package, where the schema is later and says that it can be used all the same. */
async function versionOf(query: Query, schema: string, newest: number): Promise<number> {
  const table = `"${schema}".migrations`
  // `to_regclass` would remember that there was none, although another node has made it since.
  const found = await query({
    text: "select from pg_tables where schemaname = $1 and tablename = 'migrations'",
    values: [schema],
  })
  if (found.length === 0) return 0
  const [row] = await query({ text: `select max(version) as version, max(oldest) as oldest from ${table}` })
  const version = Number(row?.version ?? 0)
  if (version <= newest) return version
  if (Number(row?.oldest) <= newest) return newest
  throw new SchemaError(
    `The schema "${schema}" is at version ${version}, and this @beckon/postgres knows versions up to ${newest}. ` +
      'Update @beckon/postgres, or give it another schema.',
  )
}

async function checkEncoding(query: Query): Promise<void> {
  const [row] = await query({ text: 'show server_encoding' })
  if (row?.server_encoding === 'UTF8') return
  throw new SchemaError(
    `This database is encoded in ${row?.server_encoding}, which cannot hold every text. Give one with the encoding UTF8.`,
  )
}
