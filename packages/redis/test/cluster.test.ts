import { randomUUID } from 'node:crypto'
import { StoreUnavailableError } from 'beckon/store'
import { testStore } from 'beckon/store/adapter'
import { Cluster } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { hasRedisCluster, startRedisCluster } from '../../../scripts/services/redis-cluster.mjs'
import { redisStore } from '../src/index.js'
import { slotOf } from '../src/slot.js'
import { eventually } from './eventually.js'
import { timeLapse } from './time-lapse.js'

describe.skipIf(!hasRedisCluster())('redisStore on a Cluster of three', { timeout: 60_000 }, () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>
  let client: Cluster

  beforeAll(async () => {
    cluster = await startRedisCluster()
    client = new Cluster(
      cluster.nodes.map(({ port }) => ({ host: '127.0.0.1', port })),
      { lazyConnect: true },
    )
    // Only a client that has been used knows its nodes.
    await client.ping()
  }, 60_000)

  afterAll(async () => {
    client.disconnect()
    await cluster.end()
  })

  testStore(
    'Cluster',
    () => {
      const prefix = randomUUID()
      const open = () => redisStore({ client, prefix, warn() {} })
      const { clock, wrap } = timeLapse(() => client.nodes('master'), prefix)
      const [store, second] = [wrap(open()), wrap(open())]
      return { store, second, clock, teardown: () => Promise.all([store.close(), second.close()]).then(() => {}) }
    },
    { test },
  )

  it('rejects what is on a node that is gone, and takes it again when the node is back', async () => {
    // These names are on all three nodes, in every run.
    const store = redisStore({ client, prefix: 'spread', timeoutMs: 30_000, warn() {} })
    const keys = Array.from({ length: 50 }, (_, n) => `key ${n}`)
    await Promise.all(keys.map(key => store.set(key, 1)))
    await cluster.nodes[0]?.kill()
    const outcomes = await Promise.allSettled(keys.map(key => store.set(key, 2)))
    const rejected = outcomes.filter(outcome => outcome.status === 'rejected')
    expect(rejected.length).toBeGreaterThan(0)
    expect(rejected.length).toBeLessThan(keys.length)
    for (const { reason } of rejected) expect(reason).toBeInstanceOf(StoreUnavailableError)
    await cluster.nodes[0]?.start()
    for (const key of keys) await eventually(() => store.set(key, 3))
    for (const key of keys) expect((await store.get(key))?.value).toBe(3)
    await store.close()
  })

  it('is found by the address of any of its nodes, and knows the slot of a key as the Cluster does', async () => {
    const store = redisStore({ url: cluster.url, prefix: 'by-address', warn() {} })
    await store.set('key', 'value')
    expect((await store.get('key'))?.value).toBe('value')
    await store.close()
    for (const key of ['foo', 'a{tag}b', 'a{}b', 'ü{x', '{a}{b}'])
      expect(slotOf(key)).toBe(await client.cluster('KEYSLOT', key))
  })
})
