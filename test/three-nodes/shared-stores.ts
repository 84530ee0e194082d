// Each kind of store that nodes can share, with a place of its own for a test.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresStore } from '@beckon/postgres'
import { redisStore } from '@beckon/redis'
import { sqliteStore } from '@beckon/sqlite'
import type { Store } from 'beckon/store'
import pg from 'pg'

/** What a process has to be told to open a store. */
export type Where =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string }
  | { readonly kind: 'redis'; readonly url: string; readonly prefix: string }

/** A place that any number of nodes open, each with connections of its own. */
export interface Place {
  readonly where: Where
  open(): Store
  /** Closes every handle, and removes it. */
  remove(): Promise<void>
}

/** A kind of store, and whether there is a server for it here. */
export interface SharedStore {
  readonly name: string
  readonly isHere: boolean
  create(): Promise<Place>
}

const postgresUrl = process.env.BECKON_TEST_POSTGRES
const redisUrl = process.env.BECKON_TEST_REDIS

export const sharedStores: readonly SharedStore[] = [
  {
    name: 'SQLite',
    isHere: true,
    async create() {
      const folder = await mkdtemp(join(tmpdir(), 'beckon-nodes-'))
      return place({ kind: 'sqlite', path: join(folder, 'state.db') }, () => rm(folder, { recursive: true }))
    },
  },
  {
    name: 'Postgres',
    isHere: postgresUrl !== undefined,
    async create() {
      const schema = `nodes_${randomUUID().replaceAll('-', '')}`
      return place({ kind: 'postgres', url: postgresUrl ?? '', schema }, async () => {
        const client = new pg.Client({ connectionString: postgresUrl })
        await client.connect()
        await client.query(`drop schema if exists ${schema} cascade`)
        await client.end()
      })
    },
  },
  {
    name: 'Redis',
    isHere: redisUrl !== undefined,
    async create() {
      // What is left expires.
      return place({ kind: 'redis', url: redisUrl ?? '', prefix: randomUUID() }, async () => {})
    },
  },
]

export function openStore(where: Where): Store {
  if (where.kind === 'sqlite') return sqliteStore(where.path)
  const { url } = where
  if (where.kind === 'postgres') return postgresStore({ url, schema: where.schema })
  return redisStore({ url, prefix: where.prefix, warn() {} })
}

function place(where: Where, removeData: () => Promise<void>): Place {
  const stores: Store[] = []
  return {
    where,
    open() {
      const store = openStore(where)
      stores.push(store)
      return store
    },
    async remove() {
      await Promise.all(stores.map(store => store.close()))
      await removeData()
    },
  }
}
