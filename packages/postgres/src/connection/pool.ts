import pg from 'pg'

/** A pool of connections: one of `pg`, or whatever has the same methods. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
}

/** One connection of a pool. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<{ rows: Record<string, unknown>[] }>
  on(event: 'notification', listener: (message: { payload?: string | undefined }) => void): unknown
  on(event: 'error' | 'end', listener: () => void): unknown
  off(event: 'error', listener: () => void): unknown
  /** Gives it back; with true, it is closed instead. */
  release(destroy?: boolean): void
}

/** What a connection is asked for. */
export interface PostgresQuery {
  text: string
  values?: unknown[]
  /** Prepares the statement under this name, once for each connection. */
  name?: string
  /** Milliseconds. */
  query_timeout?: number
}

/** A pool of ours, which connects when it is first used. */
export interface OwnPool extends PostgresPool {
  end(): Promise<void>
}

/** Enough for every batch that can be on its way at once, one that listens, and one that sweeps. */
const connections = 8
const idleMs = 300_000

export function createPool(url: string, timeoutMs: number): OwnPool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'beckon',
    max: connections,
    connectionTimeoutMillis: timeoutMs,
    // The server gives up before we do, so that nothing takes effect after it was said to have failed.
    statement_timeout: timeoutMs,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    allowExitOnIdle: true,
  })
  // A connection that breaks while it is idle leaves the pool; the next call makes another.
  pool.on('error', () => {})
  // One may break before anybody had the chance to listen for that.
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}
