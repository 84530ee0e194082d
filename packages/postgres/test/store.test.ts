import { StoreUnavailableError } from 'beckon/store'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { postgresStore } from '../src/index.js'
import { createTestDatabase, type TestDatabase, url, watchedPool } from './database.js'

describe.skipIf(url === undefined)('postgresStore', { timeout: 60_000 }, () => {
  let database: TestDatabase

  beforeEach(async () => {
    database = await createTestDatabase()
  })

  afterEach(() => database.remove())

  it('sends what is asked for at once in a few statements', async () => {
    const pool = new pg.Pool({ connectionString: database.url })
    const statements: (string | undefined)[] = []
    const counting = watchedPool(pool, { sent: name => statements.push(name) })
    const store = postgresStore({ pool: counting, schema: database.schema })
    await store.set('key', 0)
    statements.length = 0
    const hundred = Array.from({ length: 100 }, (_, index) => index)
    await Promise.all(hundred.map(n => store.set(`key ${n}`, n)))
    expect(statements.length).toBeLessThanOrEqual(2)
    await Promise.all(hundred.map(n => store.get(`key ${n}`)))
    await Promise.all(hundred.map(n => store.publish('topic', n)))
    expect(statements.length).toBeLessThanOrEqual(4)
    statements.length = 0
    const logs = hundred.map(n => `log ${n}`)
    expect(await Promise.all(logs.map(log => store.append(log, [1], { after: 0 })))).toEqual(hundred.map(() => 1))
    expect(await Promise.all(logs.map(log => store.append(log, [2], { after: 1 })))).toEqual(hundred.map(() => 2))
    expect(statements.length).toBeLessThanOrEqual(4)
    await Promise.all(hundred.flatMap(n => [store.put('set', `${n}`, n), store.append(`log ${n}`, [3], { after: 2 })]))
    expect(statements.length).toBeLessThanOrEqual(6)
    await Promise.all(hundred.map(n => store.range('set', { from: { score: n }, limit: 1 })))
    await Promise.all(hundred.map(n => store.count(`set ${n}`, { upTo: 1 })))
    expect(statements.length).toBeLessThanOrEqual(8)
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
    await Promise.all(Array.from({ length: 25 }, (_, index) => store.put('large', `${index}`, 1, soon)))
    await store.set('for good', 1)
    await store.append('for good', [1])
    await store.put('for good', 'a', 1)
    await clock.advance(1_000)
    // The log and the set count as well.
    const removed = []
    for (let turn = 0; turn < 9; turn++) removed.push(await sweep(10))
    expect(removed).toEqual([10, 10, 10, 10, 11, 10, 10, 6, 0])
    expect(await store.count('for good', { upTo: 9 })).toBe(1)
    expect(await database.query('select from $schema.members')).toHaveLength(1)
    expect(await database.query('select from $schema.sets')).toHaveLength(0)
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

  it('reads a page of a large set by its index, in either direction', async () => {
    const store = database.open()
    await store.put('set', 'any', 0)
    await database.query(`insert into $schema.members
      select '"set"', 'm' || n, n % 3 from generate_series(1, 20000) as n`)
    const rowsRead = async (): Promise<number> => {
      const [row] = await database.query(
        'select idx_tup_fetch + seq_tup_read as rows from pg_stat_xact_user_tables where schemaname = $1 and relname = $2',
        [database.schema, 'members'],
      )
      return Number(row?.rows)
    }
    // The counts of a transaction are told at once, within it.
    const readFor = async (reverse: boolean, limit: number): Promise<number> => {
      await database.query('begin')
      const before = await rowsRead()
      const values = [['"set"'], [1], ['m5'], [reverse ? -1 : 9], [reverse], [limit]]
      expect(await database.query('select * from $schema.range($1, $2, $3, $4, $5, $6)', values)).toHaveLength(limit)
      const after = await rowsRead()
      await database.query('commit')
      return after - before
    }
    for (const reverse of [false, true]) {
      expect(await readFor(reverse, 10)).toBeLessThan(100)
      expect(await readFor(reverse, 5_000)).toBeGreaterThanOrEqual(5_000)
    }
  })

  it('forgets an expiry only with the last member, whoever puts another meanwhile', async () => {
    const [store, other] = [database.open(), database.open()]
    await store.put('set', 'a', 1)
    const soon = { expiresAt: Date.now() + 600_000 }
    for (let round = 0; round < 20; round++) {
      await Promise.all([store.remove('set', 'a'), other.put('set', 'b', 1, soon)])
      expect(await database.query('select from $schema.sets')).toHaveLength(1)
      await Promise.all([store.remove('set', 'b'), other.put('set', 'a', 1, soon)])
      expect(await database.query('select from $schema.sets')).toHaveLength(1)
      await store.remove('set', 'a')
      expect(await database.query('select from $schema.sets')).toHaveLength(0)
      await store.put('set', 'a', 1)
    }
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
