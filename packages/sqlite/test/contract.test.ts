import { testStore } from 'beckon/store/adapter'
import { test } from 'vitest'
import { sqliteStore } from '../src/index.js'
import { createTestFile, manualClock } from './file.js'

const options = { test: (name: string, run: () => Promise<void>) => test(name, { timeout: 60_000 }, run) }

testStore(
  'SQLite',
  async () => {
    const file = await createTestFile()
    const clock = manualClock()
    return { store: file.open({ clock }), second: file.open({ clock }), clock, teardown: file.remove }
  },
  options,
)

testStore(
  'SQLite, relaxed',
  async () => {
    const file = await createTestFile()
    const durability = 'relaxed'
    return { store: file.open({ durability }), second: file.open({ durability }), teardown: file.remove }
  },
  options,
)

testStore(
  'SQLite in memory',
  () => {
    const clock = manualClock()
    const store = sqliteStore({ path: ':memory:', clock })
    return { store, clock, teardown: () => store.close() }
  },
  options,
)
