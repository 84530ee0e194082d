// A folder of its own for each test.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from 'beckon/store'
import type { TestClock } from 'beckon/store/adapter'
import { type SqliteStoreOptions, sqliteStore } from '../src/index.js'

export interface TestFile {
  readonly path: string
  /** Another handle on this file. */
  open(options?: Partial<SqliteStoreOptions>): Store
  /** Closes every handle, and removes the folder. */
  remove(): Promise<void>
}

export async function createTestFile(): Promise<TestFile> {
  const folder = await mkdtemp(join(tmpdir(), 'beckon-sqlite-'))
  const path = join(folder, 'beckon.db')
  const stores: Store[] = []
  return {
    path,
    open(options = {}) {
      const store = sqliteStore({ path, ...options })
      stores.push(store)
      return store
    },
    async remove() {
      await Promise.all(stores.map(store => store.close()))
      await rm(folder, { recursive: true })
    },
  }
}

export function manualClock(): TestClock {
  let time = 1_000_000
  return {
    now: () => time,
    advance(ms) {
      time += ms
    },
  }
}
