// The way to the database. Nothing waits for ever: a connection that is not made, or does not answer, is given up.
import { setTimeout as delay } from 'node:timers/promises'
import { StoreUnavailableError } from 'beckon/store'
import type { PostgresClient, PostgresPool, PostgresQuery } from '../pool.js'
import { migrate, SchemaError } from '../schema/migrate.js'
import { createAttempts } from './attempts.js'
import { backOff } from './back-off.js'
import { deadline } from './deadline.js'

/** Time for the server to say that it gave up, before we do. */
const graceMs = 2_000
const maxRetries = 5

/** What the store needs of its database. Everything rejects with a `StoreUnavailableError` when it is away. */
export interface Connection {
  /** True once the schema is known to be there. */
  readonly isOpen: boolean
  /**
   * Runs a statement, on any connection. The schema is there by then.
   * @param check Runs on the same connection, with what came back, before anybody is told.
   */
  query(query: PostgresQuery, check?: Check): Promise<Record<string, unknown>[]>
  /** A connection for as long as it is wanted. */
  connect(): Promise<PostgresClient>
  /** Runs a statement on such a connection. */
  queryOn(client: PostgresClient, query: PostgresQuery): Promise<Record<string, unknown>[]>
}

/** Looks at what a server said, and may ask it something more. */
export type Check = (
  rows: readonly Record<string, unknown>[],
  ask: (query: PostgresQuery) => Promise<Record<string, unknown>[]>,
) => Promise<void>

export function createConnection(pool: PostgresPool, schema: string, timeoutMs: number): Connection {
  const attempts = createAttempts()
  const tell = refusals()
  let isOpen = false
  let opening: Promise<void> | undefined

  function open(): Promise<void> {
    opening ??= using(async client => {
      await migrate(query => queryOn(client, query), schema)
      isOpen = true
    }).catch(error => {
      opening = undefined
      throw error
    })
    return opening
  }

  function connect(): Promise<PostgresClient> {
    return attempts.try(() => {
      const client = pool.connect()
      return deadline(client, timeoutMs, () => {
        // One that is made after all is not wanted any more.
        client.then(late => late.release(true)).catch(ignore)
      })
    })
  }

  async function using<T>(work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const client = await connect()
    // The caller that waits for an answer gets the error as well.
    client.on('error', ignore)
    try {
      const result = await work(client)
      client.off('error', ignore)
      client.release()
      return result
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  async function queryOn(client: PostgresClient, query: PostgresQuery): Promise<Record<string, unknown>[]> {
    const { query_timeout = timeoutMs + graceMs } = query
    return (await deadline(client.query({ ...query, query_timeout }), query_timeout, ignore)).rows
  }

  async function retrying<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (attempt > maxRetries || !isRolledBack(error)) throw error
        await delay(backOff(attempt))
      }
    }
  }

  return {
    get isOpen() {
      return isOpen
    },
    query: (query, check) =>
      named(async () => {
        await open()
        return retrying(() =>
          using(async client => {
            const rows = await queryOn(client, query)
            await check?.(rows, more => queryOn(client, more))
            return rows
          }),
        )
      }, tell),
    connect: () =>
      named(async () => {
        await open()
        return connect()
      }, tell),
    queryOn: (client, query) => named(() => queryOn(client, query), tell),
  }
}

/** A deadlock or a conflict between transactions: nothing was written, and the same again may work. */
function isRolledBack(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40P01' || code === '40001'
}

async function named<T>(work: () => Promise<T>, tell: (error: unknown) => void): Promise<T> {
  try {
    return await work()
  } catch (error) {
    tell(error)
    if (error instanceof SchemaError || error instanceof StoreUnavailableError) throw error
    throw new StoreUnavailableError('Postgres', error)
  }
}

/** Says what a database refuses that has to be told otherwise: callers hear only that it does not answer. The message names no password. */
function refusals(): (error: unknown) => void {
  const told = new Set<string>()
  return error => {
    const code = String(codeOf(error))
    const remedy = remedies.get(code)
    if (remedy === undefined || told.has(code)) return
    told.add(code)
    console.error(`postgresStore: ${error instanceof Error ? error.message : code} (${code}). ${remedy}`)
  }
}

/** By SQLSTATE: what waiting does not mend. */
const remedies: ReadonlyMap<string, string> = new Map([
  ['28P01', 'Correct the user or the password in its address.'],
  ['28000', 'Correct the user in its address, or let that user in (pg_hba.conf).'],
  ['3D000', 'Make that database (createdb), or correct its name in the address.'],
  ['42501', 'Grant that to the user in its address.'],
])

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function ignore(): void {}
