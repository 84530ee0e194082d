import pg from 'pg'

/** @typedef {import('./contender.mjs').Bare} Bare */

/** As long as what Beckon writes for an ask, and for its answer. */
const sealed = 'x'.repeat(350)

/**
 * The least that a durable ask needs, as plain SQL on a pool: one insert and one conditional update.
 * @param {string} url
 * @returns {Promise<Bare>}
 */
export async function barePostgres(url) {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  // One that is idle when the server ends is no error of anyone's.
  pool.on('error', () => {})
  await pool.query('create schema if not exists bare')
  await pool.query('create table if not exists bare.asks (id text primary key, ask text not null, answer text)')
  const insert = { name: 'ask', text: 'insert into bare.asks values ($1, $2)' }
  const update = { name: 'answer', text: 'update bare.asks set answer = $2 where id = $1 and answer is null' }
  return {
    async ask(id) {
      await pool.query({ ...insert, values: [id, sealed] })
    },
    async answer(id) {
      const { rowCount } = await pool.query({ ...update, values: [id, sealed] })
      if (rowCount !== 1) throw new Error('It was answered before.')
    },
    close: () => pool.end(),
  }
}
