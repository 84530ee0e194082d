import pg from 'pg'

/** A pool of connections: one of `pg`, or whatever has the same methods, and sends a `Buffer` as binary. */
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
const connections = 11
const idleMs = 300_000

/** Hosts are tried one after the other: what one of several may take, however long the whole may. */
const minHostMs = 1_000

/** Connections to whichever of these hosts can be written to. */
export function createPool(urls: readonly string[], timeoutMs: number): OwnPool {
  if (urls.length > 1) return new WritablePool(urls, Math.max(minHostMs, timeoutMs / (urls.length + 1)), timeoutMs)
  return createHostPool(urls[0] ?? '', { connectMs: timeoutMs, timeoutMs })
}

interface HostPoolOptions {
  readonly connectMs: number
  readonly timeoutMs: number
  readonly isWritten?: boolean
}

function createHostPool(url: string, { connectMs, timeoutMs, isWritten = false }: HostPoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'beckon',
    max: connections,
    connectionTimeoutMillis: connectMs,
    // The server gives up before we do, so that nothing takes effect after it was said to have failed.
    statement_timeout: timeoutMs,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    allowExitOnIdle: true,
    ...(isWritten && { verify: checkWritable }),
  })
  // A connection that breaks while it is idle leaves the pool; the next call makes another.
  pool.on('error', () => {})
  // One may break before anybody had the chance to listen for that.
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

/** A standby takes connections as well. */
function checkWritable(client: pg.ClientBase, done: (error?: Error) => void): void {
  client
    .query(`select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only`)
    .then(
      ({ rows: [row] }) => done(row?.is_read_only === true ? new Error('This host can only be read from.') : undefined),
      done,
    )
}

/** A pool for the host that was last found to be writable. One whose connection failed is left, with all others to it. */
class WritablePool implements OwnPool {
  readonly #pools: pg.Pool[]
  readonly #make: (url: string) => pg.Pool
  readonly #urls: readonly string[]
  #current = 0

  constructor(urls: readonly string[], connectMs: number, timeoutMs: number) {
    this.#urls = urls
    this.#make = url => createHostPool(url, { connectMs, timeoutMs, isWritten: true })
    this.#pools = urls.map(this.#make)
  }

  async connect(): Promise<PostgresClient> {
    let failure: unknown
    for (let tried = 0; tried < this.#pools.length; tried++) {
      const host = this.#current
      const pool = this.#pools[host]
      try {
        if (pool === undefined) break
        return this.#watched(await pool.connect(), pool)
      } catch (error) {
        failure = error
        this.#leave(host, pool)
      }
    }
    throw failure
  }

  async end(): Promise<void> {
    await Promise.all(this.#pools.map(pool => pool.end()))
  }

  /** A connection that is given back as broken says something of its host. */
  #watched(client: pg.PoolClient, pool: pg.Pool): PostgresClient {
    const release = client.release.bind(client)
    client.release = destroy => {
      client.release = release
      if (destroy === true) this.#leave(this.#pools.indexOf(pool), pool)
      release(destroy)
    }
    return client
  }

  /** Others may have left it already. */
  #leave(host: number, pool: pg.Pool | undefined): void {
    const url = this.#urls[host]
    if (host !== this.#current || pool === undefined || url === undefined || this.#pools[host] !== pool) return
    this.#pools[host] = this.#make(url)
    this.#current = (host + 1) % this.#pools.length
    pool.end().catch(() => {})
  }
}
