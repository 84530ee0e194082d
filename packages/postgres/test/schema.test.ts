import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { postgresStore } from '../src/index.js'
import { createTestDatabase, type TestDatabase, url } from './database.js'

describe.skipIf(url === undefined)('the schema', { timeout: 60_000 }, () => {
  let database: TestDatabase

  beforeEach(async () => {
    database = await createTestDatabase()
  })

  afterEach(() => database.remove())

  it('is made on first use, and not before', async () => {
    const store = database.open()
    const schemas = () => database.query('select from pg_namespace where nspname = $1', [database.schema])
    expect(await schemas()).toHaveLength(0)
    await store.get('key')
    expect(await schemas()).toHaveLength(1)
  })

  it('is made once by ten nodes that start together', async () => {
    const stores = Array.from({ length: 10 }, () => database.open())
    const versions = await Promise.all(stores.map((store, n) => store.compareAndSet('key', undefined, n)))
    expect(versions.filter(version => version !== undefined)).toHaveLength(1)
    expect(await database.query('select version from $schema.migrations')).toEqual([{ version: 1 }])
  })

  it('has everything again when it is opened again, and runs no migration twice', async () => {
    const first = database.open()
    await first.set('key', 'kept')
    await first.append('log', [1, 2])
    const version = (await first.get('key'))?.version
    await first.close()
    const before = await database.query('select * from $schema.migrations')
    const second = database.open()
    expect(await second.get('key')).toEqual({ value: 'kept', version })
    expect(await second.append('log', [3], { after: 2 })).toBe(3)
    expect(await database.query('select * from $schema.migrations')).toEqual(before)
  })

  it('is refused when it is from a later version, and left as it is', async () => {
    await database.open().set('key', 1)
    await database.query('insert into $schema.migrations (version, oldest) values (99, 98)')
    const late = database.open()
    await expect(late.get('key')).rejects.toThrow(/at version 99.*Update @beckon\/postgres/)
    await expect(late.set('key', 2)).rejects.toThrow(/at version 99/)
    expect(await database.query('select value from $schema.keys')).toEqual([{ value: '1' }])
  })

  it('can be used by somebody who may not make one', async () => {
    await database.open().set('key', 1)
    const role = `${database.schema}_role`
    await database.query(`create role ${role} login`)
    await database.query(`grant usage on schema $schema to ${role}`)
    await database.query(`grant all on all tables in schema $schema to ${role}`)
    await database.query(`grant all on all sequences in schema $schema to ${role}`)
    const pool = new pg.Pool({ connectionString: database.url, options: `-c role=${role}` })
    const store = postgresStore({ pool, schema: database.schema })
    try {
      await store.set('key', 2)
      await store.append('log', [1])
      expect(await store.get('key')).toMatchObject({ value: 2 })
    } finally {
      await store.close()
      await pool.end()
      await database.query(`drop owned by ${role}`)
      await database.query(`drop role ${role}`)
    }
  })

  it('has a name that needs no quotes', () => {
    for (const schema of ['', 'Upper', 'two words', 'a"b', "a'b", '1st', 'x'.repeat(49)]) {
      expect(() => postgresStore({ url: database.url, schema })).toThrow(RangeError)
    }
  })
})
