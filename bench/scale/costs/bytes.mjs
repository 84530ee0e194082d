import { stat } from 'node:fs/promises'
import { Redis } from 'ioredis'
import pg from 'pg'

/**
 * What a store takes: of a disk, or with Redis of memory.
 * @param {string} url
 */
export async function bytesOf(url) {
  if (url.startsWith('postgres:')) return postgresBytes(url)
  if (url.startsWith('redis:')) return redisBytes(url)
  const sizes = await Promise.all([url, `${url}-wal`].map(path => stat(path).catch(() => ({ size: 0 }))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

/** @param {string} url */
async function postgresBytes(url) {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(`select sum(pg_total_relation_size(oid)) as bytes from pg_class
    where relnamespace = 'beckon'::regnamespace and relkind = 'r'`)
  await client.end()
  return Number(rows[0].bytes)
}

/** @param {string} url */
async function redisBytes(url) {
  const client = new Redis(url)
  const [, bytes] = /used_memory:(\d+)/.exec(await client.info('memory')) ?? []
  client.disconnect()
  return Number(bytes)
}
