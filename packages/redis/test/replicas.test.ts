// What is acknowledged with `replicas` is on a replica: on real servers, of which one follows the other.
import { StoreUnavailableError } from 'beckon/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRedis, startRedis } from '../../../scripts/services/redis.mjs'
import { findRedisCli, redisCli } from '../../../scripts/services/redis-cli.mjs'
import { until } from '../../../scripts/services/until.mjs'
import { redisStore } from '../src/index.js'

const isHere = findRedis() !== undefined && findRedisCli() !== undefined

describe.skipIf(!isHere)('redisStore with replicas', { timeout: 60_000 }, () => {
  let primary: Awaited<ReturnType<typeof startRedis>>
  let replica: Awaited<ReturnType<typeof startRedis>>
  beforeAll(async () => {
    ;[primary, replica] = await Promise.all([startRedis(), startRedis()])
    await redisCli(replica.port, ['REPLICAOF', '127.0.0.1', `${primary.port}`])
    await until('the replica follows', async () =>
      (await redisCli(replica.port, ['INFO', 'replication'])).includes('master_link_status:up'),
    )
  }, 60_000)
  afterAll(async () => {
    await replica?.kill()
    await primary?.kill()
    await Promise.all([primary?.end(), replica?.end()])
  })

  const open = (replicas: number) => redisStore({ url: primary.url, replicas, warn: () => {} })

  it('acknowledges what the replica has, with one question for all that is written in a turn', async () => {
    const store = open(1)
    const count = async () =>
      Number(/cmdstat_wait:calls=(\d+)/.exec(await redisCli(primary.port, ['INFO', 'commandstats']))?.[1] ?? 0)
    await store.set('warm', 1)
    const before = await count()
    const names = Array.from({ length: 50 }, (_, index) => `log ${index}`)
    await Promise.all(names.map(name => store.append(name, ['entry'], { after: 0 })))
    expect((await count()) - before).toBeLessThanOrEqual(2)
    const kept = await redisCli(replica.port, ['DBSIZE'])
    expect(Number(kept)).toBeGreaterThanOrEqual(51)
    await store.close()
  })

  it.each([
    { replicas: undefined, warnings: ['Set `replicas` to 1.'] },
    { replicas: 0, warnings: [] },
    { replicas: 1, warnings: [] },
  ])(
    'warns of replicas that may take over without what was acknowledged: $replicas',
    async ({ replicas, warnings }) => {
      const problems: string[] = []
      const store = redisStore({ url: primary.url, replicas, warn: problem => problems.push(problem) })
      await store.get('key')
      // This server keeps nothing on disk, of which it warns in any case, and before.
      await until('it has looked', async () => problems.length > 0)
      await store.close()
      expect(problems.filter(problem => problem.includes('failover'))).toEqual(
        warnings.map(text => expect.stringContaining(text)),
      )
    },
  )

  it('rejects what too few replicas have, as what may or may not have been written', async () => {
    const store = open(2)
    await expect(store.set('key', 'value')).rejects.toThrow(StoreUnavailableError)
    const plain = open(0)
    expect(await plain.get('key')).toMatchObject({ value: 'value' })
    await Promise.all([store.close(), plain.close()])
  })

  it('shows nothing that too few replicas have, whoever wrote it: after a failover it may never have been', async () => {
    const [writer, reader] = [open(1), open(1)]
    await writer.append('log', ['first'], { after: 0 })
    process.kill(replica.pid() ?? 0, 'SIGSTOP')
    try {
      await expect(writer.append('log', ['second'], { after: 1 })).rejects.toThrow(StoreUnavailableError)
      for (const store of [writer, reader]) await expect(store.read('log')).rejects.toThrow(StoreUnavailableError)
    } finally {
      process.kill(replica.pid() ?? 0, 'SIGCONT')
    }
    await until('it can be read again', async () => (await reader.read('log')).length === 2)
    await Promise.all([writer.close(), reader.close()])
  })

  it('rejects what a server writes that has become a replica meanwhile', async () => {
    const store = open(1)
    await store.set('key', 'first')
    await redisCli(primary.port, ['REPLICAOF', '127.0.0.1', `${replica.port}`])
    await expect(store.set('key', 'second')).rejects.toThrow(StoreUnavailableError)
    await redisCli(primary.port, ['REPLICAOF', 'NO', 'ONE'])
    await store.close()
  })

  it.each([-1, 0.5, Number.NaN])('is not made with %d of them', replicas => {
    expect(() => open(replicas)).toThrow(RangeError)
  })
})
