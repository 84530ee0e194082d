import { type JsonValue, type Store, StoreUnavailableError } from 'beckon/store'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestDatabase, type TestDatabase, url } from './database.js'
import { createDatabaseProxy, type DatabaseProxy } from './database-proxy.js'

describe.skipIf(url === undefined)('a database that goes away', { timeout: 120_000 }, () => {
  let database: TestDatabase
  let proxy: DatabaseProxy

  beforeEach(async () => {
    database = await createTestDatabase()
    proxy = await createDatabaseProxy(database.url)
  })

  afterEach(async () => {
    await database.remove()
    await proxy.close()
  })

  it('keeps exactly what it acknowledged, whatever connections are ended in the middle', async () => {
    const named = new URL(database.url)
    named.searchParams.set('application_name', database.schema)
    const store = database.open({ url: named.href })
    await store.set('key', 0)
    const acknowledged: JsonValue[] = []
    const refused: unknown[] = []
    let ended = 0
    const writers = Array.from({ length: 20 }, async (_, writer) => {
      for (let turn = 0; turn < 30; turn++) {
        const line = `${writer} ${turn}`
        await store.append(`log ${writer % 3}`, [line]).then(
          () => acknowledged.push(line),
          error => refused.push(error),
        )
      }
    })
    const killer = (async () => {
      while (acknowledged.length + refused.length < 600) {
        ended += (
          await database.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
            database.schema,
          ])
        ).length
        await store.get('key').catch(() => {})
      }
    })()
    await Promise.all([...writers, killer])
    expect(ended).toBeGreaterThan(0)
    for (const error of refused) expect(error).toBeInstanceOf(StoreUnavailableError)
    const logs = await Promise.all([0, 1, 2].map(log => eventually(() => store.read(`log ${log}`))))
    const kept = logs.flat().map(entry => entry.value)
    // What was refused may have been written, and nothing twice.
    expect(new Set(kept).size).toBe(kept.length)
    expect(kept).toEqual(expect.arrayContaining(acknowledged))
  })

  it('is an error for every method while nobody answers there, and works again after', async () => {
    const store = database.open({ url: proxy.url })
    await store.set('key', 1)
    proxy.cut()
    for (const call of methodsOf(store)) await expect(call()).rejects.toThrow(StoreUnavailableError)
    proxy.mend()
    expect(await eventually(() => store.get('key'))).toMatchObject({ value: 1 })
    await eventually(() => store.set('key', 3))
    await eventually(() => store.subscribe('topic', () => {}))
  })

  it('is an error also before it was ever reached', async () => {
    proxy.cut()
    const store = database.open({ url: proxy.url })
    await expect(store.get('key')).rejects.toThrow(StoreUnavailableError)
    proxy.mend()
    expect(await eventually(() => store.get('key'))).toBeUndefined()
  })

  it('keeps nobody waiting for ever when it goes silent', async () => {
    const store = database.open({ url: proxy.url, timeoutMs: 3_000 })
    await store.set('key', 1)
    await store.subscribe('topic', () => {})
    proxy.silence()
    const calls = methodsOf(store).map(call => call())
    for (const result of await Promise.allSettled(calls)) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) })
    }
    proxy.mend()
    expect(await eventually(() => store.get('key'))).toMatchObject({ value: 1 })
  })

  it('closes also while it is away', async () => {
    const store = database.open({ url: proxy.url, timeoutMs: 3_000 })
    await store.subscribe('topic', () => {})
    await store.set('key', 1)
    proxy.silence()
    await store.close()
    await expect(store.get('key')).rejects.toThrow(/closed/)
  })

  it('goes on telling subscribers once it is back', async () => {
    const store = database.open({ url: proxy.url })
    const other = database.open()
    const heard: JsonValue[] = []
    await store.subscribe('topic', message => heard.push(message))
    await other.publish('topic', 'before')
    await vi.waitFor(() => expect(heard).toEqual(['before']), { timeout: 60_000 })
    proxy.cut()
    proxy.mend()
    await vi.waitFor(
      async () => {
        await other.publish('topic', 'after')
        expect(heard).toContain('after')
      },
      { timeout: 60_000 },
    )
  })

  function methodsOf(store: Store): (() => Promise<unknown>)[] {
    return [
      () => store.get('key'),
      () => store.set('other', 1),
      () => store.delete('other'),
      () => store.compareAndSet('other', undefined, 1),
      () => store.append('log', [1]),
      () => store.read('log'),
      () => store.erase('log'),
      () => store.publish('topic', 1),
      () => store.subscribe('topic', () => {}),
    ]
  }

  /** Until the connections that were broken are all found out. */
  function eventually<T>(call: () => Promise<T>): Promise<T> {
    return vi.waitFor(call, { timeout: 60_000 })
  }
})
