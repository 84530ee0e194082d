import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** @typedef {import('./contender.mjs').Contender} Contender */

/** As long as what Beckon writes for a round. */
const sealed = 'x'.repeat(350)

/**
 * What one call writes, as plain SQL on a pool: its answer, its reply, and the hint that it is there.
 * @param {string} url
 * @returns {Promise<Contender>}
 */
export async function barePostgres(url) {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  await pool.query('create schema bare')
  await pool.query('create table bare.heads (log text primary key, last bigint not null, expires_at bigint)')
  await pool.query('create table bare.entries (log text, seq bigint, value text not null, primary key (log, seq))')
  const insert = {
    name: 'first',
    text: `with head as (insert into bare.heads values ($1, 1, $3) returning log)
           insert into bare.entries select log, 1, $2 from head`,
  }
  const update = {
    name: 'next',
    text: `with head as (update bare.heads set last = 2, expires_at = $3 where log = $1 and last = 1 returning log)
           insert into bare.entries select log, 2, $2 from head`,
  }
  return {
    async cycle() {
      const log = randomUUID()
      await pool.query({ ...insert, values: [log, sealed, Date.now()] })
      await pool.query({ ...update, values: [log, sealed, Date.now()] })
      await pool.query({ name: 'hint', text: `select pg_notify('bare', $1)`, values: [log] })
    },
    close: () => pool.end(),
  }
}
