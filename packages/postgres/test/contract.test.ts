import { testStore } from 'beckon/store/adapter'
import { describe, test } from 'vitest'
import { createTestDatabase, url } from './database.js'

describe.skipIf(url === undefined)('the contract of a store', () => {
  testStore(
    'Postgres',
    async () => {
      const database = await createTestDatabase()
      const store = database.open()
      // Makes the tables.
      await store.get('a key')
      return { store, second: database.open(), clock: await database.takeClock(), teardown: database.remove }
    },
    { test: (name, run) => test(name, { timeout: 60_000 }, run) },
  )
})
