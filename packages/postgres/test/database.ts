// A schema of its own for each test, on the server that the run was given.
import { randomUUID } from 'node:crypto'
import type { Store } from 'beckon/store'
import type { TestClock } from 'beckon/store/adapter'
import pg from 'pg'
import { type PostgresClient, type PostgresPool, type PostgresStoreOptions, postgresStore } from '../src/index.js'

export const url: string | undefined = process.env.BECKON_TEST_POSTGRES

if (url === undefined) console.info('skipped: Postgres (BECKON_TEST_POSTGRES is not set)')

export interface TestDatabase {
  readonly url: string
  readonly schema: string
  /** Another handle on this schema. */
  open(options?: Partial<PostgresStoreOptions>): Store
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** Makes the database go by a clock that a test moves. Needs the tables. */
  takeClock(): Promise<TestClock>
  /** Closes every handle, and drops the schema. */
  remove(): Promise<void>
}

export async function createTestDatabase(): Promise<TestDatabase> {
  if (url === undefined) throw new Error('There is no database to test with.')
  const schema = `test_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: url })
  // A test may end every connection, this one too.
  client.on('error', () => {})
  await client.connect()
  const stores: Store[] = []

  async function query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    return (await client.query(text.replaceAll('$schema', schema), values)).rows
  }

  return {
    url,
    schema,
    query,
    open(options = {}) {
      const store = postgresStore({ url, schema, ...options } as PostgresStoreOptions)
      stores.push(store)
      return store
    },
    async takeClock() {
      let time = 1_000_000
      const tell = () => query(`update $schema.test_clock set now = ${time}`)
      await query(`create table $schema.test_clock as select ${time}::double precision as now`)
      await query(`create or replace function $schema.now_ms() returns double precision language sql volatile
        as 'select now from $schema.test_clock'`)
      return {
        now: () => time,
        async advance(ms) {
          time += ms
          await tell()
        },
      }
    },
    async remove() {
      await Promise.all(stores.map(store => store.close()))
      await query('drop schema if exists $schema cascade')
      await client.end()
    },
  }
}

/** A pool that tells of every statement, and how it ended. */
export function watchedPool(
  pool: pg.Pool,
  { sent = () => {}, failed = () => {} }: { sent?(name: string | undefined): void; failed?(error: unknown): void },
): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect()
      return {
        query(query) {
          sent(query.name)
          return client.query(query).catch(error => {
            failed(error)
            throw error
          })
        },
        on: ((event: 'error', listener: () => void) => client.on(event, listener)) as PostgresClient['on'],
        off: (event, listener) => client.off(event, listener),
        release: destroy => client.release(destroy),
      }
    },
  }
}
