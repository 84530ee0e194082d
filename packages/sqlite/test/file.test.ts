import { existsSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { StoreUnavailableError } from 'beckon/store'
import Libsql from 'libsql'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sqliteStore } from '../src/index.js'
import { createTestFile, manualClock, type TestFile } from './file.js'

// A slow disk is no failure.
vi.setConfig({ testTimeout: 60_000 })

let file: TestFile

beforeEach(async () => {
  file = await createTestFile()
})

afterEach(() => file.remove())

it('makes the file when it is first used, for its owner alone', async () => {
  const store = file.open()
  expect(existsSync(file.path)).toBe(false)
  await store.get('key')
  expect((await stat(file.path)).mode & 0o777).toBe(0o600)
})

it('closes without having been used, and makes no file', async () => {
  await file.open().close()
  expect(existsSync(file.path)).toBe(false)
})

it('has everything again when it is opened again, and runs no migration twice', async () => {
  const first = file.open()
  await first.set('key', 'kept')
  await first.append('log', [1, 2])
  const version = (await first.get('key'))?.version
  await first.close()
  const before = rows('select * from migrations')
  const second = file.open()
  expect(await second.get('key')).toEqual({ value: 'kept', version })
  expect(await second.append('log', [3], { after: 2 })).toBe(3)
  expect(before).toHaveLength(1)
  expect(rows('select * from migrations')).toEqual(before)
})

it('keeps all of it in the one file once every handle is closed', async () => {
  const store = file.open()
  await store.set('key', 'kept')
  await store.close()
  expect((await stat(`${file.path}-wal`).catch(() => ({ size: 0 }))).size).toBe(0)
})

it('refuses a file from a later version, and leaves it as it is', async () => {
  const store = file.open()
  await store.set('key', 1)
  await store.close()
  rows("insert into migrations values (99, 98, 'later') returning version")
  const late = file.open()
  await expect(late.get('key')).rejects.toThrow(/at version 99.*Update @beckon\/sqlite/)
  await expect(late.set('key', 2)).rejects.toThrow(/at version 99/)
  expect(rows('select value from keys')).toMatchObject([{ value: '1' }])
})

it('says what is wrong with a path, and works once it is right', async () => {
  const store = sqliteStore(`${file.path}/missing/beckon.db`)
  await expect(store.get('key')).rejects.toThrow(/cannot be used as a SQLite database.*a folder that is there/)
  await store.close()
  await writeFile(file.path, 'This is a text, and a long one at that. '.repeat(100))
  const other = file.open()
  await expect(other.get('key')).rejects.toThrow(/is not a database/)
  await writeFile(file.path, '')
  expect(await other.get('key')).toBeUndefined()
})

it('waits for another writer without holding up its process', async () => {
  const store = file.open({ busyMs: 600_000 })
  await store.set('key', 1)
  const other = new Libsql(file.path)
  other.exec('begin immediate')
  const written = store.set('key', 2)
  let isWritten = false
  written.then(() => {
    isWritten = true
  })
  // Turns of the event loop go by, and nothing is written.
  for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setTimeout(resolve, 1))
  expect(isWritten).toBe(false)
  other.exec('commit')
  await written
  expect(await store.get('key')).toMatchObject({ value: 2 })
  other.close()
})

it('gives up on a writer that never ends, writes nothing, and goes on when it has ended', async () => {
  const store = file.open({ busyMs: 20 })
  await store.set('key', 1)
  const other = new Libsql(file.path)
  other.exec('begin immediate')
  const writes = [store.set('key', 2), store.append('log', [1]), store.publish('topic', 1)]
  for (const write of writes) {
    await expect(write).rejects.toThrow(StoreUnavailableError)
    await expect(write).rejects.toMatchObject({ retryable: true, cause: { code: 'SQLITE_BUSY' } })
  }
  // Whoever only reads waits for nobody.
  expect(await store.get('key')).toMatchObject({ value: 1 })
  other.exec('commit')
  await store.set('key', 3)
  expect(await store.read('log')).toEqual([])
  other.close()
})

it('deletes what has expired from the file, some at a time, and nothing else', { timeout: 60_000 }, async () => {
  const clock = manualClock()
  const store = file.open({ clock, sweepMs: 1, durability: 'relaxed' })
  const soon = { expiresAt: clock.now() + 1_000 }
  const later = { expiresAt: clock.now() + 100_000_000 }
  await Promise.all(Array.from({ length: 1_200 }, (_, index) => store.set(`soon ${index}`, index, soon)))
  await Promise.all(Array.from({ length: 10 }, (_, index) => store.append(`soon ${index}`, [1, 2, 3], soon)))
  await store.append(
    'long',
    Array.from({ length: 1_700 }, (_, index) => index),
    soon,
  )
  await store.set('later', 1, later)
  await store.set('for good', 1)
  await Promise.all(Array.from({ length: 700 }, (_, index) => store.put('soon', `${index}`, index, soon)))
  await store.put('later', 'a', 1, later)
  await store.put('for good', 'a', 1)
  await store.append('later', [1], later)
  await store.append('for good', [1])
  await store.publish('topic', 1)
  clock.advance(100_000)
  const left = () =>
    ['keys', 'logs', 'entries', 'sets', 'members', 'messages'].map(table => rows(`select 1 from ${table}`).length)
  await vi.waitFor(() => expect(left()).toEqual([2, 2, 2, 2, 2, 0]), { timeout: 50_000, interval: 5 })
  expect(await store.get('later')).toMatchObject({ value: 1 })
  expect(await store.read('for good')).toHaveLength(1)
})

function rows(sql: string): Record<string, unknown>[] {
  const database = new Libsql(file.path)
  try {
    return database.prepare(sql).all([]) as Record<string, unknown>[]
  } finally {
    database.close()
  }
}
