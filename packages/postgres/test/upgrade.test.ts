import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate, type Query } from '../src/schema/migrate.js'
import { createTestDatabase, type TestDatabase, url } from './database.js'

const next = (schema: string) =>
  `alter table ${schema}.keys add column note text; update ${schema}.keys set note = name`

describe.skipIf(url === undefined)('a schema of an earlier version', { timeout: 60_000 }, () => {
  let database: TestDatabase
  let clients: pg.Client[]

  beforeEach(async () => {
    database = await createTestDatabase()
    clients = []
    const store = database.open()
    await store.set('key', 'kept')
    await store.append('log', [1, 2])
  })

  afterEach(async () => {
    await Promise.all(clients.map(client => client.end()))
    await database.remove()
  })

  async function connect(): Promise<Query> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    clients.push(client)
    return async query => (await client.query(query as pg.QueryConfig)).rows
  }

  it('is brought to a later one once, by ten nodes that start together, with everything that was in it', async () => {
    const queries = await Promise.all(Array.from({ length: 10 }, connect))
    await Promise.all(queries.map(query => migrate(query, database.schema, [{ statements: next }])))
    const versions = await database.query('select version from $schema.migrations order by version')
    expect(versions).toEqual([{ version: 1 }, { version: 2 }])
    expect(await database.query('select name, value, note from $schema.keys')).toEqual([
      { name: '"key"', value: '"kept"', note: '"key"' },
    ])
    expect(await database.query('select value from $schema.entries order by seq')).toEqual([
      { value: '1' },
      { value: '2' },
    ])
    // What knows only version 1 leaves it alone.
    await expect(database.open().get('key')).rejects.toThrow(/at version 2/)
  })

  it('is used by an older program where it says that it can be', async () => {
    const query = await connect()
    await migrate(query, database.schema, [{ statements: next, oldest: 1 }])
    expect(await database.query('select version, oldest from $schema.migrations order by version')).toEqual([
      { version: 1, oldest: 1 },
      { version: 2, oldest: 1 },
    ])
    expect(await database.open().get('key')).toMatchObject({ value: 'kept' })
  })

  it('is as it was when a step fails', async () => {
    const query = await connect()
    const failing = (schema: string) => `delete from ${schema}.keys; select 1 / 0`
    await expect(migrate(query, database.schema, [{ statements: next }, { statements: failing }])).rejects.toThrow(
      /division by zero/,
    )
    expect(await database.query('select version from $schema.migrations')).toEqual([{ version: 1 }])
    expect(await database.open().get('key')).toMatchObject({ value: 'kept' })
  })
})
