// Takes the end of a log away, as a store does that went on with a replica which was behind.
import { Redis } from 'ioredis'
import Libsql from 'libsql'
import pg from 'pg'

/**
 * @param {string} url of the store
 * @param {string} log
 * @param {number} count how many of its last entries
 */
export async function cutLog(url, log, count) {
  const cut = url.startsWith('postgres:') ? cutInPostgres : url.startsWith('redis:') ? cutInRedis : cutInSqlite
  await cut(url, log, count)
}

/**
 * @param {string} path
 * @param {string} log
 * @param {number} count
 */
async function cutInSqlite(path, log, count) {
  const database = new Libsql(path)
  try {
    // Others may hold the file for a moment.
    database.pragma('busy_timeout = 5000')
    database.exec('begin immediate')
    const row = /** @type {{ id: number, last: number } | undefined} */ (
      database.prepare('select id, last from logs where name = ?').get(JSON.stringify(log))
    )
    if (row !== undefined) {
      const last = Math.max(0, row.last - count)
      database.prepare('delete from entries where log = ? and seq > ?').run(row.id, last)
      if (last === 0) database.prepare('delete from logs where id = ?').run(row.id)
      else database.prepare('update logs set last = ? where id = ?').run(last, row.id)
    }
    database.exec('commit')
  } finally {
    database.close()
  }
}

/**
 * @param {string} url
 * @param {string} log
 * @param {number} count
 */
async function cutInPostgres(url, log, count) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query('select id, last from beckon.logs where name = $1 for update', [
      JSON.stringify(log),
    ])
    const [row] = rows
    if (row !== undefined) {
      const last = Math.max(0, Number(row.last) - count)
      await client.query('delete from beckon.entries where log = $1 and seq > $2', [row.id, last])
      if (last === 0) await client.query('delete from beckon.logs where id = $1', [row.id])
      else await client.query('update beckon.logs set last = $2 where id = $1', [row.id, last])
    }
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/**
 * @param {string} url
 * @param {string} log
 * @param {number} count
 */
async function cutInRedis(url, log, count) {
  const client = new Redis(url)
  try {
    const key = `beckon:log:${JSON.stringify(log)}`
    // Of a list that has no entries left, its first element would stay.
    if (count >= (await client.llen(key)) - 1) await client.del(key)
    else await client.ltrim(key, 0, -count - 1)
  } finally {
    client.disconnect()
  }
}
