// Two real servers, of which one follows the other: the store finds the one that can be written to, and acknowledges only what
// both have.
import { StoreUnavailableError } from 'beckon/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPostgres, startPostgres } from '../../../scripts/services/postgres.mjs'
import { hasPostgresStandby, startPostgresPair } from '../../../scripts/services/postgres-standby.mjs'
import { until } from '../../../scripts/services/until.mjs'
import { postgresStore } from '../src/index.js'

describe.skipIf(!hasPostgresStandby())('postgresStore with several hosts', { timeout: 120_000 }, () => {
  let pair: Awaited<ReturnType<typeof startPostgresPair>>
  beforeAll(async () => {
    pair = await startPostgresPair()
  }, 120_000)
  afterAll(() => pair?.end())

  it('writes to the one that can be written to, in whichever order they are given', async () => {
    const ports = [pair.standby().port, pair.primary().port]
    for (const [first, second] of [ports, ports.toReversed()]) {
      const store = postgresStore(`postgres://postgres@127.0.0.1:${first},127.0.0.1:${second}/postgres`)
      await store.set('key', `${first}`)
      expect((await store.get('key'))?.value).toBe(`${first}`)
      await store.close()
    }
  })

  it('goes on with the other one when the first is gone, and has lost nothing that it acknowledged', async () => {
    const store = postgresStore({ url: pair.url, requireSync: true, timeoutMs: 5_000 })
    const heard: unknown[] = []
    await store.subscribe('topic', message => heard.push(message))
    const acknowledged: string[] = []
    let isOver = false
    const writing = (async () => {
      for (let index = 0; !isOver; index++) {
        const name = `key ${index}`
        await store.set(name, index).then(
          () => acknowledged.push(name),
          error => expect(error).toBeInstanceOf(StoreUnavailableError),
        )
      }
    })()
    await until('something was written', async () => acknowledged.length > 20)
    await pair.failOver('kill')
    const before = acknowledged.length
    await until('more was written', async () => acknowledged.length > before + 20)
    isOver = true
    await writing
    for (const name of acknowledged) expect(await store.get(name), name).toBeDefined()
    await until('it listens again', async () => {
      await store.publish('topic', 'hello')
      return heard.length > 0
    })
    await store.close()
  })

  it('does not take the word of a server that can commit nothing for what is absent', async () => {
    const store = postgresStore({ url: pair.url, requireSync: true, timeoutMs: 2_000 })
    await store.set('key', 1)
    await store.append('log', [1])
    expect(await store.get('absent')).toBeUndefined()
    // As for a primary that is cut off: its standby may have been promoted.
    await pair.holdStandby(async () => {
      expect((await store.get('key'))?.value).toBe(1)
      expect(await store.read('log')).toHaveLength(1)
      await expect(store.get('absent')).rejects.toThrow(StoreUnavailableError)
      await expect(store.read('absent')).rejects.toThrow(StoreUnavailableError)
    })
    await until('it can commit again', () =>
      store.get('absent').then(
        () => true,
        () => false,
      ),
    )
    await store.close()
  })

  it('does not reach a host that is only read from', async () => {
    const { port } = pair.standby()
    const store = postgresStore({
      url: `postgres://postgres@127.0.0.1:${port},127.0.0.1:${port}/postgres`,
      timeoutMs: 3_000,
    })
    await expect(store.set('key', 1)).rejects.toThrow(StoreUnavailableError)
    await store.close()
  })
})

describe.skipIf(findPostgres() === undefined)('postgresStore that requires synchronous replication', () => {
  it('acknowledges nothing that is on one host alone, and says why', { timeout: 60_000 }, async () => {
    const server = await startPostgres()
    const store = postgresStore({ url: server.url, requireSync: true })
    const error = await store.set('key', 1).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(StoreUnavailableError)
    expect(error).toMatchObject({ cause: { message: expect.stringContaining('synchronous_standby_names') } })
    await store.close()
    await server.end()
  })
})
