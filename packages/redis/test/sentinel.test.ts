// A store that asks Sentinels for its primary, on real servers, with a way to the Sentinel that can be held up.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRedis, startRedis } from '../../../scripts/services/redis.mjs'
import { findRedisCli, redisCli } from '../../../scripts/services/redis-cli.mjs'
import { startServer, type TestServer } from '../../../scripts/services/server-process.mjs'
import { until } from '../../../scripts/services/until.mjs'
import { redisStore } from '../src/index.js'

const isHere = findRedis() !== undefined && findRedisCli() !== undefined

describe.skipIf(!isHere)('redisStore with Sentinels', { timeout: 120_000 }, () => {
  let servers: TestServer[] = []
  let sentinel: TestServer
  let way: Awaited<ReturnType<typeof startWay>>
  beforeAll(async () => {
    const [primary, replica] = await Promise.all([startRedis(), startRedis()])
    servers = [primary, replica]
    await redisCli(replica.port, ['REPLICAOF', '127.0.0.1', `${primary.port}`])
    sentinel = await startSentinel(primary.port)
    await until('it knows the replica', async () => {
      const known = await redisCli(sentinel.port, ['SENTINEL', 'REPLICAS', 'primary'])
      return known.includes(`${replica.port}`) && known.includes('master-link-status\nok')
    })
    way = await startWay(sentinel.port)
  }, 120_000)
  afterAll(async () => {
    await way?.close()
    await Promise.all([...servers, sentinel].map(server => server?.kill().then(() => server.end())))
  })

  it('comes back when it hears of a failover while it asks who is the primary', async () => {
    const store = redisStore({
      url: `redis+sentinel://127.0.0.1:${way.port}/primary`,
      warn: () => {},
      timeoutMs: 3_000,
    })
    await store.set('key', 'before')
    const port = await primaryOf(sentinel.port)
    // Whoever asks from now on gets no answer yet; who asked before still hears of everything.
    way.hold()
    await redisCli(port, ['CLIENT', 'KILL', 'TYPE', 'normal'])
    await until('it asks again', async () => way.held() > 0)
    await redisCli(sentinel.port, ['SENTINEL', 'FAILOVER', 'primary'])
    await until('there is another', async () => (await primaryOf(sentinel.port)) !== port)
    way.release()
    await until('it can be written to again', async () => {
      await store.set('key', 'after')
      return true
    })
    expect(await store.get('key')).toMatchObject({ value: 'after' })
    await store.close()
  })
})

async function primaryOf(sentinel: number): Promise<number> {
  return Number((await redisCli(sentinel, ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'primary'])).split('\n')[1])
}

async function startSentinel(primary: number): Promise<TestServer> {
  const settings = (folder: string): string => join(folder, 'sentinel.conf')
  return startServer({
    name: 'sentinel',
    program: findRedis() ?? '',
    args: ({ port, folder }) => [settings(folder), '--sentinel', '--port', `${port}`, '--bind', '127.0.0.1'],
    ready: /\+monitor master/,
    stopSignal: 'SIGTERM',
    urlOf: port => `redis://127.0.0.1:${port}`,
    async prepare(folder) {
      writeFileSync(settings(folder), `dir ${folder}\nsentinel monitor primary 127.0.0.1 ${primary} 1\n`)
    },
  })
}

/** A way to a server on which answers to new connections can be held back for a while. */
async function startWay(port: number) {
  const sockets = new Set<Socket>()
  let waiting: (() => void)[] | undefined
  const server = createServer(client => {
    const upstream = connect(port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream)
    if (waiting === undefined) upstream.pipe(client)
    else waiting.push(() => upstream.pipe(client))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // A server on a port has an address.
    port: (server.address() as AddressInfo).port,
    hold() {
      waiting = []
    },
    held: () => waiting?.length ?? 0,
    release() {
      for (const go of waiting ?? []) go()
      waiting = undefined
    },
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
