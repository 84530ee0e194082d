import { randomUUID } from 'node:crypto'
import type { Store } from 'beckon/store'
import { StoreUnavailableError } from 'beckon/store'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from './client.js'
import { redisStore } from './redis-store.js'
import { checkSchema, type Schema, SchemaError } from './schema.js'

const url = process.env.BECKON_TEST_REDIS ?? ''

describe.skipIf(!url)('the version of a store in Redis', { timeout: 60_000 }, () => {
  const opened: Store[] = []
  let admin: Redis
  let prefix: string

  beforeAll(() => {
    admin = new Redis(url)
  })

  afterEach(async () => {
    await Promise.all(opened.splice(0).map(store => store.close()))
    await admin.unlink(`${prefix}:schema`)
  })

  afterAll(() => admin.disconnect())

  function open(): Store {
    const store = redisStore({ url, prefix, warn() {} })
    opened.push(store)
    return store
  }

  const recorded = async (): Promise<unknown> => JSON.parse((await admin.get(`${prefix}:schema`)) ?? 'null')

  /** What a version to come does when it starts, in so many processes at once. */
  async function startLater(own: Schema, processes = 1): Promise<void> {
    const clients = Array.from({ length: processes }, () => createClient({ kind: 'server', url }, 30_000))
    await Promise.all(clients.map(client => checkSchema(client, prefix, own)))
    for (const client of clients) client.disconnect()
  }

  it('is written with the first use', async () => {
    prefix = randomUUID()
    const store = open()
    expect(await recorded()).toBeNull()
    await store.get('key')
    expect(await recorded()).toEqual({ version: 2, oldest: 2 })
  })

  it('is raised by a later one, whoever is first, and then this one leaves all that is in it alone', async () => {
    prefix = randomUUID()
    await open().set('key', 'kept')
    await open().append('log', [1, 2])
    const names = await admin.keys(`${prefix}:*`)
    await startLater({ version: 3, oldest: 3 }, 3)
    expect(await recorded()).toEqual({ version: 3, oldest: 3 })
    const store = open()
    const refused = [
      ...[store.get('key'), store.set('key', 'lost'), store.delete('key'), store.compareAndSet('new', undefined, 1)],
      ...[store.append('log', [3], { puts: [{ set: 'set', member: 'a', score: 1 }] }), store.read('log')],
      ...[store.trim('log', 1), store.erase('log'), store.put('set', 'a', 1), store.remove('set', 'a')],
      ...[store.range('set', { limit: 1 }), store.count('set', { upTo: 1 }), store.publish('topic', 1)],
      ...[store.subscribe('topic', () => {}), store.rewrite?.(() => 'lost')],
    ]
    for (const { status, reason } of (await Promise.allSettled(refused)) as PromiseRejectedResult[]) {
      expect(status).toBe('rejected')
      expect(reason).toBeInstanceOf(SchemaError)
      expect(reason).not.toBeInstanceOf(StoreUnavailableError)
      expect(reason.message).toBe(
        `The store with the prefix "${prefix}" is at version 3, and this @beckon/redis knows versions up to 2. ` +
          'Update @beckon/redis, or give it another prefix.',
      )
    }
    expect((await admin.keys(`${prefix}:*`)).sort()).toEqual(names.sort())
    expect(await admin.lrange(`${prefix}:log:"log"`, 0, -1)).toHaveLength(3)
    expect(await admin.get(`${prefix}:key:"key"`)).toContain('"kept"')
    expect(await recorded()).toEqual({ version: 3, oldest: 3 })
    // Not for good: it may be brought back, or given another.
    await admin.unlink(`${prefix}:schema`)
    expect(await store.get('key')).toMatchObject({ value: 'kept' })
  })

  it('may be a later one that says that this one can use it, and stays so', async () => {
    prefix = randomUUID()
    await open().set('key', 'kept')
    await startLater({ version: 3, oldest: 2 })
    expect(await open().get('key')).toMatchObject({ value: 'kept' })
    expect(await recorded()).toEqual({ version: 3, oldest: 2 })
  })

  it('is looked at once for all that is called', async () => {
    prefix = randomUUID()
    const store = open()
    await Promise.all([store.set('key', 1), store.append('log', [1]), store.subscribe('topic', () => {})])
    await admin.unlink(`${prefix}:schema`)
    await Promise.all([store.set('key', 2), store.append('log', [2]), store.publish('topic', 1)])
    expect(await recorded()).toBeNull()
  })

  it('leaves what was called meanwhile in its order', async () => {
    prefix = randomUUID()
    const store = open()
    const written: number[] = []
    let isAnswered = false
    const writes: Promise<unknown>[] = []
    while (!isAnswered) {
      const n = written.push(written.length)
      writes.push(store.append('log', [n]), store.set('key', n))
      void writes[0]?.then(() => {
        isAnswered = true
      })
      await new Promise(resolve => setImmediate(resolve))
    }
    await Promise.all(writes)
    expect(await store.get('key')).toMatchObject({ value: written.length })
    expect((await store.read('log')).map(({ value }) => value)).toEqual(written.map(n => n + 1))
  })

  it('lets what was called before a close through', async () => {
    prefix = randomUUID()
    const store = open()
    const set = store.set('key', 1)
    await store.close()
    await set
    expect(await open().get('key')).toMatchObject({ value: 1 })
  })

  it('may be one that this one cannot read, which is refused and left as it is', async () => {
    prefix = randomUUID()
    const before = '{"version":1,"oldest":1}'
    await admin.set(`${prefix}:schema`, before)
    await admin.xadd(`${prefix}:log:"log"`, '1-0', 'v', '1')
    const failure: unknown = await open()
      .read('log')
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(SchemaError)
    expect(String(failure)).toContain('is at version 1, which this @beckon/redis cannot read. Give it another prefix.')
    expect(await admin.get(`${prefix}:schema`)).toBe(before)
    await admin.unlink(`${prefix}:log:"log"`)
  })
})
