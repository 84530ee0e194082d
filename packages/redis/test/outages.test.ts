import { type Store, StoreUnavailableError } from 'beckon/store'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findRedis, startRedis } from '../../../scripts/services/redis.mjs'
import type { TestServer } from '../../../scripts/services/server-process.mjs'
import { redisStore } from '../src/index.js'
import { eventually } from './eventually.js'
import { startProxy } from './proxy.js'

describe.skipIf(!findRedis())('a Redis that goes away', { timeout: 120_000 }, () => {
  const opened: Store[] = []
  let server: TestServer
  let admin: Redis

  beforeAll(async () => {
    server = await startRedis({ isDurable: true })
    admin = new Redis(server.url)
    admin.on('error', () => {})
  })

  afterEach(async () => {
    await Promise.all(opened.splice(0).map(store => store.close()))
    await admin.flushall()
  })

  afterAll(async () => {
    admin.disconnect()
    await server.end()
  })

  function open(url = server.url, timeoutMs = 30_000): Store {
    const store = redisStore({ url, timeoutMs, warn() {} })
    opened.push(store)
    return store
  }

  it('connects with the first use, and not before', async () => {
    const connections = () => admin.info('stats').then(info => /total_connections_received:(\d+)/.exec(info)?.[1])
    const before = Number(await connections())
    const [store] = [open(), open(), open()]
    expect(Number(await connections())).toBe(before)
    await store?.get('key')
    expect(Number(await connections())).toBe(before + 1)
  })

  it('keeps every append it acknowledged, once, while it is killed and started again', async () => {
    const acknowledged = new Map<number, string>()
    const written = 300
    let outages = 0

    async function write(writer: string): Promise<void> {
      const store = open()
      for (let n = 0; acknowledged.size < written; n++) {
        const value = `${writer} ${n}`
        const seq = await store.append('log', [value]).catch((error: unknown) => {
          expect(error).toBeInstanceOf(StoreUnavailableError)
        })
        // What failed may be in the log, and is not looked for.
        if (seq === undefined) await eventually(() => store.get('anything'))
        else acknowledged.set(seq, value)
      }
    }

    async function restart(): Promise<void> {
      for (const at of [60, 120, 180]) {
        await expect.poll(() => acknowledged.size, { timeout: 100_000, interval: 1 }).toBeGreaterThan(at)
        await server.kill()
        await server.start()
        outages += 1
      }
    }

    await Promise.all([...['a', 'b', 'c', 'd'].map(write), restart()])
    const log = new Map((await open().read('log')).map(({ seq, value }) => [seq, value]))
    expect(outages).toBe(3)
    for (const [seq, value] of acknowledged) expect(log.get(seq)).toBe(value)
    expect(new Set(log.values()).size).toBe(log.size)
  })

  it('connects again after its connection was killed', async () => {
    const store = open()
    await store.set('key', 1)
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    expect((await eventually(() => store.get('key')))?.value).toBe(1)
  })

  it('hears its topics again after the connection was lost', async () => {
    const store = open()
    const heard = new Set<unknown>()
    for (const topic of ['one', 'two']) await store.subscribe(topic, message => heard.add(`${topic}: ${message}`))
    for (const lose of [
      () => admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub'),
      async () => {
        await server.kill()
        await server.start()
      },
    ]) {
      heard.clear()
      await lose()
      // A hint may be missed for a while.
      while (heard.size < 2) for (const topic of ['one', 'two']) await eventually(() => store.publish(topic, 'hello'))
      expect([...heard].sort()).toEqual(['one: hello', 'two: hello'])
    }
  })

  it('never sends a write again whose answer was lost', async () => {
    const proxy = await startProxy(server.url)
    const [store, witness] = [open(proxy.url), open()]
    await store.append('log', ['first'])
    proxy.mute()
    const [append, set] = [store.append('log', ['second']), store.compareAndSet('key', undefined, 'mine')]
    const rejections = Promise.all(
      [append, set].map(write => expect(write).rejects.toBeInstanceOf(StoreUnavailableError)),
    )
    while ((await witness.get('key')) === undefined);
    await witness.set('key', 'newer')
    proxy.cut()
    await rejections
    await eventually(() => store.append('log', ['third']))
    expect((await witness.read('log')).map(({ value }) => value)).toEqual(['first', 'second', 'third'])
    expect((await witness.get('key'))?.value).toBe('newer')
    await store.close()
    await proxy.close()
  })

  it('gives up on connections that have gone silent, and finds new ones', async () => {
    const proxy = await startProxy(server.url)
    const store = open(proxy.url, 1_000)
    const heard: unknown[] = []
    await eventually(() => store.subscribe('topic', message => heard.push(message)))
    await eventually(() => store.set('key', 1))
    proxy.mute()
    await expect(store.get('key')).rejects.toBeInstanceOf(StoreUnavailableError)
    expect((await eventually(() => store.get('key')))?.value).toBe(1)
    while (heard.length === 0) await eventually(() => store.publish('topic', 'hello'))
    await store.close()
    await proxy.close()
  })

  it('rejects every method where there is no Redis, at once when it has been away', async () => {
    // Nothing can be sent to this port.
    const store = open('redis://127.0.0.1:1')
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(store.get('key')).rejects.toBeInstanceOf(StoreUnavailableError)
      await expect(store.subscribe('topic', () => {})).rejects.toBeInstanceOf(StoreUnavailableError)
    }
    await expect(store.set('key', 1)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    await expect(store.set('key', 1, { expiresAt: Number.NaN })).rejects.toBeInstanceOf(RangeError)
  })

  it('keeps values out of its errors', async () => {
    const store = open()
    await store.get('key')
    await admin.config('SET', 'maxmemory', '1')
    const error = await store.set('key', 'a secret').catch((error: unknown) => error)
    await admin.config('SET', 'maxmemory', '0')
    expect(error).toBeInstanceOf(StoreUnavailableError)
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('a secret')
    expect((error as StoreUnavailableError).cause).not.toHaveProperty('command')
  })
})
