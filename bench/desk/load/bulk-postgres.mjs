import pg from 'pg'
import { openFor } from '../../../faults/open-store.mjs'
import { built } from '../../built.mjs'

/** @type {typeof import('../../../packages/postgres/src/batcher.ts')} */
const { createBatcher } = await built('postgres/dist/batcher.js')
/** @type {typeof import('../../../packages/postgres/src/names.ts')} */
const { storedName, storedSetName } = await built('postgres/dist/names.js')

/** @typedef {import('beckon/store').Store} Store */
/** @typedef {{ name: string, expiresAt: number | null, values: string[] }} Append */
/** @typedef {{ set: string, member: string, score: number }} Put */

/** As many operations go in one statement. */
const fullAt = 5_000
/** Logs that begin, with their entries. They are not there yet: only an empty store is filled. */
const insertLogs = `
with head as (
  insert into beckon.logs (name, last, expires_at) select * from unnest($1::text[], $2::bigint[], $3::float8[])
  returning id, name
)
insert into beckon.entries (log, seq, value)
select head.id, e.seq, e.value from unnest($4::text[], $5::bigint[], $6::text[]) as e (name, seq, value) join head using (name)`
const insertMembers = `
insert into beckon.members (set, member, score) select * from unnest($1::text[], $2::text[], $3::float8[])`

/**
 * The store of a database that is filled, with two ways to write of its own: names that are new, and logs that begin. They go
 * as rows, a batch in one statement, and not one by one through the functions of the schema: the rows are the same, and
 * faster there. Whatever else is called goes to the store itself.
 * @param {string} url of an empty one
 * @returns {Promise<Store>}
 */
export async function bulkPostgres(url) {
  const store = await openFor(url)
  // Makes its tables.
  await store.get('bench')
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  /** @param {readonly Append[]} batch */
  async function append(batch) {
    const entries = batch.flatMap(({ name, values }) => values.map((value, index) => ({ name, seq: index + 1, value })))
    await pool.query(insertLogs, [
      batch.map(({ name }) => name),
      batch.map(({ values }) => values.length),
      batch.map(({ expiresAt }) => expiresAt),
      entries.map(({ name }) => name),
      entries.map(({ seq }) => seq),
      entries.map(({ value }) => value),
    ])
    return batch.map(({ values }) => values.length)
  }
  /** @param {readonly Put[]} batch */
  async function put(batch) {
    await pool.query(insertMembers, [
      batch.map(({ set }) => set),
      batch.map(({ member }) => member),
      batch.map(({ score }) => score),
    ])
    return batch.map(() => true)
  }
  const appends = createBatcher({ run: append, fullAt })
  const puts = createBatcher({ run: put, fullAt })
  return {
    ...store,
    async append(log, entries, { expiresAt = null, puts: names = [] } = {}) {
      const [last] = await Promise.all([
        appends.add({ name: storedName(log), expiresAt, values: entries.map(entry => JSON.stringify(entry)) }),
        ...names.map(({ set, member, score }) => puts.add({ set: storedSetName(set), member, score })),
      ])
      return last
    },
    put: (set, member, score) => puts.add({ set: storedSetName(set), member, score }),
    async close() {
      // A table that has just been filled has no statistics, and one that is in use has them.
      await pool.query('vacuum analyze')
      await pool.end()
      await store.close()
    },
  }
}
