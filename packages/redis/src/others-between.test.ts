import { randomUUID } from 'node:crypto'
import type { Store } from 'beckon/store'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from './client.js'
import { redisStore } from './redis-store.js'
import { rewriteValues } from './rewrite-values.js'

const url = process.env.BECKON_TEST_REDIS ?? ''

describe.skipIf(!url)('what Redis has', { timeout: 60_000 }, () => {
  const opened: Store[] = []
  let admin: Redis

  beforeAll(() => {
    admin = new Redis(url)
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(store => store.close()))
  })
  afterAll(() => admin.disconnect())

  function open(prefix: string): Store {
    const store = redisStore({ url, prefix, warn() {} })
    opened.push(store)
    return store
  }

  // store.ts, `rewrite`: "Replaces no value that another was put in place of meanwhile."
  it('replaces no value that another was put in place of, while the log was erased and begun again', async () => {
    const prefix = randomUUID()
    const store = open(prefix)
    await store.append('log', ['old', 'done'])
    const client = createClient({ kind: 'server', url }, 5_000)
    let isMeddled = false
    try {
      await rewriteValues(
        {
          client,
          // Between what `rewrite` reads and what it writes, another process has its turn.
          sendTo: async (_key, command) => {
            const result = await command(client)
            if (!isMeddled && Array.isArray(result)) {
              isMeddled = true
              await store.erase('log')
              await store.append('log', ['new', 'done'])
            }
            return result
          },
        },
        prefix,
        value => (typeof value === 'string' && !value.startsWith('sealed ') ? `sealed ${value}` : undefined),
      )
    } finally {
      client.disconnect()
    }
    expect(isMeddled).toBe(true)
    expect((await store.read('log')).map(({ value }) => value)).toEqual(['sealed new', 'sealed done'])
  })

  // docs/stores.md: "Stores with different prefixes, or in different databases, share nothing." redis-store.ts: "Two prefixes are two stores."
  it.each(['key', 'log'])('rewrites nothing of a store whose prefix goes on with `:%s`', async kind => {
    const prefix = randomUUID()
    const store = open(prefix)
    const other = open(`${prefix}:${kind}`)
    await store.set('key', 'mine')
    await other.set('key', 'theirs')
    await other.append('log', ['theirs'])
    const rewritten = await store.rewrite?.(value => (value === 'changed' ? undefined : 'changed')).catch(String)
    const theirs = [(await other.get('key'))?.value, (await other.read('log'))[0]?.value]
    expect({ rewritten, theirs }).toEqual({ rewritten: 1, theirs: ['theirs', 'theirs'] })
  })

  // store.ts: "Writes to one key, log, member of a set or topic through one handle take effect in the order of their calls, awaited or not."
  describe('when Redis has forgotten the scripts, as with SCRIPT FLUSH, or since 7.4 where others run many of their own', () => {
    it('appends before it erases', async () => {
      const store = open(randomUUID())
      await store.append('log', [1])
      await admin.script('FLUSH')
      const done = await Promise.all([store.append('log', [2]), store.erase('log')])
      expect({ done, left: await store.read('log') }).toEqual({ done: [2, true], left: [] })
    })

    it('compares before it sets', async () => {
      const store = open(randomUUID())
      const version = await store.compareAndSet('key', undefined, 1)
      await admin.script('FLUSH')
      const [next] = await Promise.all([store.compareAndSet('key', version, 2), store.set('key', 3)])
      expect({ next: typeof next, value: (await store.get('key'))?.value }).toEqual({ next: 'string', value: 3 })
    })

    it('creates before it deletes', async () => {
      const store = open(randomUUID())
      await store.compareAndSet('warm', undefined, 1)
      await admin.script('FLUSH')
      await Promise.all([store.compareAndSet('key', undefined, 'here'), store.delete('key')])
      expect(await store.get('key')).toBeUndefined()
    })
  })
})
