// A Cluster whose primaries have a replica each, which takes over.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasRedisCluster, startRedisCluster } from '../../../scripts/services/redis-cluster.mjs'
import { redisStore } from '../src/index.js'
import { eventually } from './eventually.js'

describe.skipIf(!hasRedisCluster())('redisStore on a Cluster with replicas', { timeout: 120_000 }, () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>
  beforeAll(async () => {
    cluster = await startRedisCluster({ replicas: 1 })
  }, 120_000)
  afterAll(() => cluster?.end())

  it('finds the server of every key, for the first ones that are written and after a failover', async () => {
    const store = redisStore({ url: cluster.url, replicas: 1, timeoutMs: 30_000, warn() {} })
    const keys = Array.from({ length: 50 }, (_, n) => `key ${n}`)
    await Promise.all(keys.map(key => store.set(key, 1)))
    await cluster.failOver('kill')
    for (const key of keys) await eventually(() => store.set(key, 2))
    for (const key of keys) expect((await store.get(key))?.value).toBe(2)
    await store.close()
  })
})
