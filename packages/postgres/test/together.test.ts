// What is written at once travels in batches, and much of a batch is written by statements that know no order. Nobody notices:
// it is as if one write had come after the other.
import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import fc from 'fast-check'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { postgresStore } from '../src/index.js'
import { createTestDatabase, type TestDatabase, url, watchedPool } from './database.js'

const key = fc.constantFrom('k1', 'k2')
const log = fc.constantFrom('l1', 'l2', 'l3', 'l4', 'l5', 'l6')
const set = fc.constantFrom('s1', 's2', 's3')
const member = fc.constantFrom('a', 'b', 'c')
const score = fc.integer({ min: 0, max: 3 })
/** Long gone, or nothing. */
const expiresAt = fc.option(fc.constant(1), { nil: undefined, freq: 8 })
const values = fc.array(fc.nat(9), { minLength: 1, maxLength: 3 })
const after = fc.constantFrom(0, 0, 1, 2, 3)
const put = fc.record({ set, member, score })
const removal = fc.record({ set, member })

/** Most are such as nearly all writes are. */
const write: fc.Arbitrary<(store: Store) => Promise<unknown>> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .record({
        log,
        values,
        after,
        expiresAt,
        puts: fc.array(put, { maxLength: 2 }),
        removals: fc.array(removal, { maxLength: 1 }),
      })
      .map(
        ({ log, values, after, expiresAt, puts, removals }) =>
          (store: Store) =>
            store.append(log, values, {
              after,
              ...(expiresAt !== undefined && { expiresAt }),
              puts,
              removals,
            }),
      ),
  },
  {
    weight: 4,
    arbitrary: put.map(
      ({ set, member, score }) =>
        (store: Store) =>
          store.put(set, member, score),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.record({ set, member, only: fc.option(score) }).map(
      ({ set, member, only }) =>
        (store: Store) =>
          store.remove(set, member, only === null ? {} : { if: only }),
    ),
  },
  fc.record({ log, values }).map(
    ({ log, values }) =>
      (store: Store) =>
        store.append(log, values),
  ),
  fc.record({ log, after }).map(
    ({ log, after }) =>
      (store: Store) =>
        store.trim(log, after),
  ),
  log.map(log => (store: Store) => store.erase(log)),
  key.map(key => (store: Store) => store.set(key, 'x')),
  fc.record({ set, member, score, expiresAt }).map(
    ({ set, member, score, expiresAt }) =>
      (store: Store) =>
        store.put(set, member, score, { if: 'absent', ...(expiresAt !== undefined && { expiresAt }) }),
  ),
)

async function contents(store: Store): Promise<unknown> {
  const logs = ['l1', 'l2', 'l3', 'l4', 'l5', 'l6'].map(log => store.read(log))
  const sets = ['s1', 's2', 's3'].map(set => store.range(set, { limit: 100 }))
  return Promise.all([...logs, ...sets, store.get('k1').then(entry => entry?.value)])
}

describe.skipIf(url === undefined)('writes of Postgres that travel together', { timeout: 120_000 }, () => {
  let database: TestDatabase

  beforeEach(async () => {
    database = await createTestDatabase()
  })

  afterEach(() => database.remove())

  it('do what they would do one after the other', async () => {
    const store = database.open({ sweepMs: 3_600_000 })
    await store.set('open', true)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(write, { maxLength: 12 }), { minLength: 1, maxLength: 4 }), async batches => {
        await database.query('truncate $schema.keys, $schema.logs, $schema.entries, $schema.sets, $schema.members')
        const model = memoryStore()
        for (const batch of batches) {
          const expected: unknown[] = []
          for (const write of batch) expected.push(await write(model))
          expect(await Promise.all(batch.map(write => write(store)))).toEqual(expected)
        }
        expect(await contents(store)).toEqual(await contents(model))
      }),
      { numRuns: 60 },
    )
  })

  it('begin a set anew that has expired, and end the expiry of one that they empty', async () => {
    const store = database.open({ sweepMs: 3_600_000 })
    await store.set('open', true)
    const clock = await database.takeClock()
    await store.put('live', 'a', 1, { expiresAt: clock.now() + 1_000 })
    await store.put('old', 'a', 1, { expiresAt: clock.now() + 10 })
    await Promise.all([store.put('live', 'b', 1), store.put('old', 'c', 1), store.put('plain', 'a', 1)])
    await clock.advance(20)
    const done = [
      store.remove('live', 'a'),
      store.remove('live', 'b'),
      store.put('old', 'b', 2),
      store.remove('old', 'a'),
      store.append('log', [1], { after: 0, removals: [{ set: 'plain', member: 'a' }] }),
      store.remove('plain', 'b'),
    ]
    expect(await Promise.all(done)).toEqual([true, true, true, false, 1, false])
    await store.put('live', 'c', 3)
    await clock.advance(1_000_000)
    const membersOf = async (set: string) => (await store.range(set, { limit: 9 })).map(({ member }) => member)
    expect(await Promise.all(['live', 'old', 'plain'].map(membersOf))).toEqual([['c'], ['b'], []])
  })

  it('end the expiry of a set that they empty, also when another has given it meanwhile', async () => {
    const store = database.open({ sweepMs: 3_600_000 })
    await store.put('s', 'm', 1)
    const clock = await database.takeClock()
    const other = new pg.Client({ connectionString: database.url })
    await other.connect()
    const own = (text: string) => other.query(text.replaceAll('$schema', database.schema))
    await own('begin')
    await own(`select $schema.hold_set('"s"')`)
    await own(`select $schema.put('"s"', 'm', 1, null, ${clock.now() + 1_000})`)
    const removed = store.remove('s', 'm')
    await new Promise(resolve => setTimeout(resolve, 200))
    await own('commit')
    await other.end()
    expect(await removed).toBe(true)
    await store.put('s', 'n', 1)
    await clock.advance(2_000)
    expect(await store.range('s', { limit: 9 })).toEqual([{ member: 'n', score: 1 }])
  })

  it('do not wait for each other at a set that has expired', async () => {
    const pool = new pg.Pool({ connectionString: database.url })
    const failures: unknown[] = []
    const watched = watchedPool(pool, { failed: error => failures.push(error) })
    const [one, other] = [1, 2].map(() => postgresStore({ pool: watched, schema: database.schema })) as [Store, Store]
    await Promise.all([one.put('s', 'a', 0), one.put('s', 'b', 0)])
    await one.put('s', 'c', 0, { expiresAt: 0 })
    await other.get('open')
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    await holder.query('begin')
    await holder.query(`select from ${database.schema}.sets for update`)
    const done = [one.put('s', 'a', 1)]
    await new Promise(resolve => setTimeout(resolve, 200))
    done.push(other.put('s', 'b', 1))
    await new Promise(resolve => setTimeout(resolve, 200))
    await holder.query('commit')
    expect(await Promise.all(done)).toEqual([true, true])
    expect(await one.count('s', { upTo: 9 })).toBe(2)
    expect(failures).toEqual([])
    await Promise.all([one.close(), other.close(), holder.end()])
    await pool.end()
  })

  it('wait for each other in one order, whoever puts what another removes', async () => {
    const pool = new pg.Pool({ connectionString: database.url })
    const failures: unknown[] = []
    const watched = watchedPool(pool, { failed: error => failures.push(error) })
    const [one, other] = [1, 2].map(() => postgresStore({ pool: watched, schema: database.schema })) as [Store, Store]
    // Enough for both to be at it at the same time.
    const many = Array.from({ length: 500 }, (_, index) => index)
    for (let round = 1; round <= 10; round++) {
      await Promise.all([one.put('set', 'x', 0), one.put('set', 'y', 0)])
      await Promise.all([
        ...many.map(index => one.put('set', `z1 ${index}`, round)),
        ...many.map(index => other.put('set', `z2 ${index}`, round)),
        ...[one.put('set', 'x', round), one.remove('set', 'y')],
        ...[other.put('set', 'y', round), other.remove('set', 'x')],
      ])
    }
    expect(failures).toEqual([])
    await Promise.all([one.close(), other.close()])
    await pool.end()
  })

  it('change what is there by then, where another is at it', async () => {
    const store = database.open()
    await Promise.all([store.put('set', 'x', 1), store.put('set', 'y', 1), store.append('log', [1])])
    const other = new pg.Client({ connectionString: database.url })
    await other.connect()
    await other.query('begin')
    const own = (text: string) => other.query(text.replaceAll('$schema', database.schema))
    await own('update $schema.members set score = score + 1')
    await own('update $schema.logs set last = last + 1')
    const done = Promise.all([
      store.remove('set', 'x'),
      store.remove('set', 'y', { if: 1 }),
      store.append('log', [2], { after: 1, puts: [{ set: 'set', member: 'z', score: 1 }] }),
      store.append('new log', [1], { after: 0 }),
    ])
    await new Promise(resolve => setTimeout(resolve, 200))
    await other.query('commit')
    expect(await done).toEqual([true, false, undefined, 1])
    expect(await store.range('set', { limit: 9 })).toEqual([{ member: 'y', score: 2 }])
    await other.end()
  })

  it('find their rows by an index, also while the planner takes their tables for small ones', async () => {
    const store = database.open({ sweepMs: 3_600_000 })
    const few = ['a', 'b']
    let last = 0
    const appendTimes = async (times: number) => {
      for (const until = last + times; last < until; last++)
        await Promise.all([
          ...few.map(name =>
            store.append(name, [1], { after: last, puts: [{ set: 'set', member: `${name} ${last}`, score: last }] }),
          ),
          ...few.map(name => store.remove('set', `${name} ${last - 1}`)),
          ...few.flatMap(name => [store.get(name), store.read(name, { after: last })]),
        ])
    }
    await Promise.all(few.map(name => store.set(name, 1)))
    await appendTimes(2)
    await database.query('analyze $schema.keys')
    await database.query('analyze $schema.logs')
    await database.query('analyze $schema.members')
    // Often enough for plans that are kept, and made for any arguments.
    await appendTimes(20)
    await database.query(
      `insert into $schema.keys (name, value, version) select 'many ' || n, '1', n from generate_series(1, 20000) as n`,
    )
    await database.query(
      `insert into $schema.logs (name, last) select 'many ' || n, 1 from generate_series(1, 20000) as n`,
    )
    await database.query(
      `insert into $schema.members (set, member, score) select 'many', 'many ' || n, n from generate_series(1, 20000) as n`,
    )
    await appendTimes(20)
    await store.close()
    expect(await rowsRead()).toBeLessThan(2_000)
  })

  /** Rows of keys, logs and members that were looked at so far. */
  async function rowsRead(): Promise<number> {
    await new Promise(resolve => setTimeout(resolve, 1_200))
    const [row] = await database.query(
      `select sum(idx_tup_fetch + seq_tup_read)::int as rows from pg_stat_user_tables
       where schemaname = '$schema' and relname in ('keys', 'logs', 'members')`,
    )
    return Number(row?.rows)
  }
})
