import { StoreUnavailableError } from 'beckon/store'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type PostgresClient, type PostgresPool, postgresStore } from '../src/index.js'
import { createTestDatabase, type TestDatabase, url } from './database.js'

describe.skipIf(url === undefined)('postgresStore', { timeout: 60_000 }, () => {
  let database: TestDatabase

  beforeEach(async () => {
    database = await createTestDatabase()
  })

  afterEach(() => database.remove())

  it('sends what is asked for at once in a few statements', async () => {
    const pool = new pg.Pool({ connectionString: database.url })
    const statements: (string | undefined)[] = []
    const counting: PostgresPool = {
      async connect() {
        const client = await pool.connect()
        return {
          query: query => {
            statements.push(query.name)
            return client.query(query)
          },
          on: ((event: 'error', listener: () => void) => client.on(event, listener)) as PostgresClient['on'],
          off: (event, listener) => client.off(event, listener),
          release: destroy => client.release(destroy),
        }
      },
    }
    const store = postgresStore({ pool: counting, schema: database.schema })
    await store.set('key', 0)
    statements.length = 0
    const hundred = Array.from({ length: 100 }, (_, index) => index)
    await Promise.all(hundred.map(n => store.set(`key ${n}`, n)))
    expect(statements.length).toBeLessThanOrEqual(2)
    await Promise.all(hundred.map(n => store.get(`key ${n}`)))
    await Promise.all(hundred.map(n => store.publish('topic', n)))
    expect(statements.length).toBeLessThanOrEqual(4)
    await store.close()
    await pool.end()
  })

  it('leaves a pool that it was given open', async () => {
    const pool = new pg.Pool({ connectionString: database.url })
    const store = postgresStore({ pool, schema: database.schema })
    await store.subscribe('topic', () => {})
    await store.set('key', 1)
    await store.close()
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await pool.end()
  })

  it('goes by the clock of the database, whatever the time of its process', async () => {
    const store = database.open()
    const now = Date.now()
    await store.set('key', 1, { expiresAt: now + 600_000 })
    await store.append('log', [1], { expiresAt: now + 600_000 })
    vi.useFakeTimers({ now: now + 3_600_000, toFake: ['Date'] })
    try {
      expect(await store.get('key')).toMatchObject({ value: 1 })
      expect(await store.read('log')).toHaveLength(1)
      // It is past for the database alone.
      vi.setSystemTime(now - 3_600_000)
      await store.set('key', 2, { expiresAt: now - 60_000 })
      expect(await store.get('key')).toBeUndefined()
    } finally {
      vi.useRealTimers()
    }
  })

  it('makes what expires at a moment of the database absent from then on', async () => {
    const store = database.open()
    await store.get('key')
    const now = Number((await database.query('select $schema.now_ms() as now'))[0]?.now)
    await store.set('now', 1, { expiresAt: now })
    await store.append('now', [1], { expiresAt: now })
    await store.set('later', 1, { expiresAt: now + 600_000 })
    expect(await store.get('now')).toBeUndefined()
    expect(await store.read('now')).toEqual([])
    expect(await store.get('later')).toMatchObject({ value: 1 })
  })

  it('deletes what has expired, some at a time, and nothing else', async () => {
    const store = database.open()
    await store.get('key')
    const clock = await database.takeClock()
    const soon = { expiresAt: clock.now() + 1_000 }
    await Promise.all(Array.from({ length: 25 }, (_, index) => store.set(`soon ${index}`, index, soon)))
    await store.append(
      'long',
      Array.from({ length: 25 }, (_, index) => index),
      soon,
    )
    await store.set('for good', 1)
    await store.append('for good', [1])
    await clock.advance(1_000)
    // The log itself counts as well.
    const removed = []
    for (let turn = 0; turn < 6; turn++) removed.push(await sweep(10))
    expect(removed).toEqual([10, 10, 10, 10, 11, 0])
    expect(await store.get('for good')).toMatchObject({ value: 1 })
    expect(await store.read('for good')).toHaveLength(1)
    for (const table of ['keys', 'logs', 'entries']) {
      expect(await database.query(`select from $schema.${table}`)).toHaveLength(1)
    }
  })

  it('sweeps by itself', async () => {
    const store = database.open({ sweepMs: 1 })
    await store.set('key', 1, { expiresAt: 0 })
    const rows = () => database.query('select from $schema.keys')
    await vi.waitFor(async () => expect(await rows()).toHaveLength(0), { timeout: 50_000 })
  })

  it('leaves a sweep to the node that is at it, and rows to whoever writes them', async () => {
    const store = database.open()
    await store.set('swept', 1, { expiresAt: 0 })
    await store.set('written', 1, { expiresAt: 0 })
    const other = new pg.Client({ connectionString: database.url })
    await other.connect()
    await other.query('begin')
    await other.query(`select ${database.schema}.sweep(0)`)
    expect(await sweep(10)).toBe(0)
    await other.query('rollback')
    await other.query('begin')
    await other.query(`update ${database.schema}.keys set value = '2', expires_at = null where name = '"written"'`)
    expect(await sweep(10)).toBe(1)
    await other.query('commit')
    await other.end()
    expect(await store.get('written')).toMatchObject({ value: 2 })
  })

  it('says that a database which is not there is unavailable, and never where it is', async () => {
    const missing = new URL(database.url)
    missing.pathname = '/beckon_missing'
    const store = postgresStore(missing.href)
    const error: unknown = await store.get('key').catch(error => error)
    expect(error).toBeInstanceOf(StoreUnavailableError)
    expect(`${error}`).not.toContain('beckon_missing')
    await store.close()
  })

  async function sweep(most: number): Promise<unknown> {
    return (await database.query('select $schema.sweep($1) as removed', [most]))[0]?.removed
  }
})
