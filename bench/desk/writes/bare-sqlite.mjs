import { createRequire } from 'node:module'

/** @typedef {import('../../durable/contenders/contender.mjs').Bare} Bare */

// The driver that the store has.
const Libsql = createRequire(new URL('../../../packages/sqlite/package.json', import.meta.url))('libsql')

/** As long as what Beckon writes for an ask, and for its answer. */
const sealed = 'x'.repeat(350)

/**
 * The least that a durable ask needs, as plain SQL in a file: one insert and one conditional update, each synced.
 * @param {string} path
 * @returns {Promise<Bare>}
 */
export async function bareSqlite(path) {
  const database = new Libsql(path)
  database.pragma('journal_mode = wal')
  database.pragma('synchronous = full')
  database.exec('create table if not exists asks (id text primary key, ask text not null, answer text)')
  const insert = database.prepare('insert into asks (id, ask) values (?, ?)')
  const update = database.prepare('update asks set answer = ? where id = ? and answer is null')
  return {
    async ask(id) {
      insert.run([id, sealed])
    },
    async answer(id) {
      if (update.run([sealed, id]).changes !== 1) throw new Error('It was answered before.')
    },
    async close() {
      database.close()
    },
  }
}
