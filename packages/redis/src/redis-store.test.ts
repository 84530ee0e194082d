import { randomUUID } from 'node:crypto'
import type { Store } from 'beckon/store'
import { testStore } from 'beckon/store/adapter'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { timeLapse } from '../test/time-lapse.js'
import { type RedisStoreOptions, redisStore } from './redis-store.js'

const url = process.env.BECKON_TEST_REDIS ?? ''

describe.skipIf(!url)('redisStore', { timeout: 60_000 }, () => {
  const opened: Store[] = []
  let admin: Redis

  beforeAll(() => {
    admin = new Redis(url)
  })

  afterEach(async () => {
    await Promise.all(opened.splice(0).map(store => store.close()))
  })

  afterAll(() => admin.disconnect())

  /** One that shares nothing with any other test, unless given a prefix. */
  function open(options: Partial<RedisStoreOptions> = {}): Store {
    // Only one of the two targets is ever given.
    const all = { url, prefix: randomUUID(), warn() {}, ...options } as RedisStoreOptions
    const store = redisStore(all)
    opened.push(store)
    return store
  }

  testStore(
    'Redis',
    () => {
      const prefix = randomUUID()
      const { clock, wrap } = timeLapse(() => [admin], prefix)
      return { store: wrap(open({ prefix })), second: wrap(open({ prefix })), clock, teardown() {} }
    },
    { test },
  )

  it('keeps a key and a log to the very millisecond, by the clock of Redis', async () => {
    const prefix = randomUUID()
    const store = open({ prefix })
    // In a script keys expire by the time at which it began, which some versions do not tell: not before the one, nor after the other.
    const look = async () => {
      const script = `redis.call('SET', KEYS[3], '', 'PX', 1000)
        local now = redis.call('PEXPIRETIME', KEYS[3]) - 1000
        return { now, redis.call('EXISTS', KEYS[1]), redis.call('EXISTS', KEYS[2]) }`
      const [[seconds, micros], reply] = await Promise.all([
        admin.time(),
        admin.eval(script, 3, `${prefix}:key:"key"`, `${prefix}:log:"log"`, `${prefix}:now`),
      ])
      // It returns three numbers.
      const [notAfter, ...alive] = reply as [number, number, number]
      return { notBefore: Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000), notAfter, alive }
    }
    const first = await look()
    const expiresAt = first.notAfter + 100
    await Promise.all([store.set('key', 1, { expiresAt }), store.append('log', [1], { expiresAt })])
    const looks = [await look()]
    while ((looks.at(-1) ?? first).notBefore < expiresAt) looks.push(await look())
    // On a machine so slow that it was written in its last millisecond, it may be gone already.
    const isInTime = (looks[0] ?? first).notAfter < expiresAt - 1
    for (const { notBefore, notAfter, alive } of looks) {
      if (notBefore >= expiresAt) expect(alive).toEqual([0, 0])
      else if (notAfter < expiresAt && isInTime) expect(alive).toEqual([1, 1])
    }
  })

  it('gives a key the expiry of its last write, and none when that had none', async () => {
    const prefix = randomUUID()
    const store = open({ prefix })
    const pxat = () => admin.pexpiretime(`${prefix}:key:"key"`)
    const soon = Date.now() + 600_000
    await store.set('key', 1, { expiresAt: soon })
    expect(await pxat()).toBe(soon - 1)
    await store.set('key', 1, { expiresAt: soon + 10.5 })
    expect(await pxat()).toBe(soon + 10)
    await store.set('key', 1)
    expect(await pxat()).toBe(-1)
    await store.compareAndSet('key', (await store.get('key'))?.version, 2, { expiresAt: soon })
    expect(await pxat()).toBe(soon - 1)
    await store.compareAndSet('key', undefined, 3)
    expect(await pxat()).toBe(soon - 1)
    await store.compareAndSet('key', (await store.get('key'))?.version, 4)
    expect(await pxat()).toBe(-1)
  })

  it('moves the expiry of a log with each append that has one, and leaves it with one that has none', async () => {
    const prefix = randomUUID()
    const store = open({ prefix })
    const pxat = () => admin.pexpiretime(`${prefix}:log:"log"`)
    const soon = Date.now() + 600_000
    await store.append('log', [1])
    expect(await pxat()).toBe(-1)
    await store.append('log', [2], { expiresAt: soon })
    expect(await pxat()).toBe(soon - 1)
    await store.append('log', [3])
    await store.append('log', [4], { after: 7, expiresAt: soon + 1 })
    expect(await pxat()).toBe(soon - 1)
    await store.append('log', [], { expiresAt: soon + 20 })
    expect(await pxat()).toBe(soon + 19)
  })

  it('sends the appends of a turn as one command, and fails none for another of them', async () => {
    const prefix = randomUUID()
    const store = open({ prefix })
    await admin.set(`${prefix}:log:"no log"`, 'a string')
    await store.append('known', [1])
    // A script is sent in full the first time.
    const calls = async () => {
      const stats = (await admin.info('commandstats')).matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)
      return Array.from(stats, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0)
    }
    const before = await calls()
    const logs = Array.from({ length: 200 }, (_, index) => `log ${index}`)
    const appends = ['no log', 'known', ...logs].map(log => store.append(log, [log], { after: 0 }))
    const settled = await Promise.allSettled(appends)
    // Others may use this server meanwhile.
    expect((await calls()) - before).toBeLessThan(100)
    expect(settled.shift()).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringMatching(/WRONGTYPE/) },
    })
    expect(settled.shift()).toEqual({ status: 'fulfilled', value: undefined })
    expect(settled).toEqual(logs.map(() => ({ status: 'fulfilled', value: 1 })))
    for (const log of ['log 0', 'log 199']) expect(await store.read(log)).toEqual([{ seq: 1, value: log }])
    await admin.unlink(`${prefix}:log:"no log"`)
  })

  it('leaves nothing but its version in Redis once everything was deleted, erased and unsubscribed', async () => {
    const prefix = randomUUID()
    const store = open({ prefix })
    await store.set('key', 1)
    await store.append('log', [1])
    await store.trim('log', 1)
    await store.put('set', 'a', 1)
    const unsubscribe = await store.subscribe('topic', () => {})
    expect(await admin.keys(`${prefix}*`)).toHaveLength(4)
    expect(await admin.pubsub('CHANNELS', `${prefix}*`)).toHaveLength(1)
    await store.delete('key')
    await store.erase('log')
    await store.remove('set', 'a')
    await unsubscribe()
    expect(await admin.keys(`${prefix}*`)).toEqual([`${prefix}:schema`])
    expect(await admin.pubsub('CHANNELS', `${prefix}*`)).toEqual([])
  })

  it('finds a cursor that is gone among 100,000 of equal score in one short script', async () => {
    const prefix = randomUUID()
    const store = open({ prefix })
    const name = `${prefix}:set:"set"`
    const members = Array.from({ length: 100_000 }, (_, index) => `m${`${index}`.padStart(6, '0')}`)
    for (let start = 0; start < members.length; start += 5_000) {
      await admin.zadd(name, ...members.slice(start, start + 5_000).flatMap(member => [1, member]))
    }
    const calls = async () => {
      const stats = await admin.info('commandstats')
      return Number(/cmdstat_zrange:calls=(\d+)/.exec(stats)?.[1] ?? 0)
    }
    const before = await calls()
    const from = { score: 1, member: 'm050000.5' }
    expect(await store.range('set', { from, limit: 1 })).toEqual([{ member: 'm050001', score: 1 }])
    expect(await store.range('set', { from, limit: 1, reverse: true })).toEqual([{ member: 'm050000', score: 1 }])
    // Others may use this server meanwhile.
    expect((await calls()) - before).toBeLessThan(1_000)
    await admin.unlink(name)
  })

  it('takes another prefix and another database for another store', async () => {
    const prefix = randomUUID()
    const database = new URL(url)
    database.pathname = '/1'
    const [store, ...others] = [open({ prefix }), open(), open({ prefix, url: database.href })]
    const heard: unknown[] = []
    for (const other of others) await other.subscribe('topic', message => heard.push(message))
    await store.set('key', 1)
    await store.append('log', [1])
    await store.publish('topic', 'not for them')
    for (const other of others) {
      expect(await other.get('key')).toBeUndefined()
      expect(await other.read('log')).toEqual([])
      await other.publish('topic', 'for one of them')
    }
    await expect.poll(() => heard, { timeout: 30_000 }).toEqual(['for one of them', 'for one of them'])
  })

  it('uses the settings of a client, and leaves the client alone', async () => {
    const client = new Redis(url, { lazyConnect: true, keyPrefix: `${randomUUID()}:` })
    const store = open({ client, url: undefined })
    await store.set('key', 1)
    await store.append('log', [1])
    const heard: unknown[] = []
    await store.subscribe('topic', message => heard.push(message))
    await store.publish('topic', 'heard')
    await expect.poll(() => heard, { timeout: 30_000 }).toEqual(['heard'])
    expect(await admin.keys(`${client.options.keyPrefix}*`)).toHaveLength(3)
    await store.close()
    expect(client.status).toBe('wait')
    expect(await client.ping()).toBe('PONG')
    client.disconnect()
  })

  it('says what is wrong with how Redis keeps data, once', async () => {
    const problems: string[] = []
    const server = await admin.info('persistence')
    const store = open({ warn: problem => problems.push(problem) })
    await store.get('key')
    const isDurable = server.includes('aof_enabled:1')
    await expect.poll(() => problems.length > 0 || isDurable, { timeout: 30_000 }).toBe(true)
    expect(new Set(problems).size).toBe(problems.length)
  })
})
