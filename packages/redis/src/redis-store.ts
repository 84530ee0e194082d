import type { LogEntry, SetMember, Store } from 'beckon/store'
import {
  afterOf,
  countLimitOf,
  encodeJson,
  encodeMessage,
  expiryOf,
  limitOf,
  memberOf,
  putConditionOf,
  removeConditionOf,
  scoreOf,
  spanOf,
  upToOf,
} from 'beckon/store/adapter'
import type { Cluster, Redis } from 'ioredis'
import { isCluster, type Target } from './client.js'
import { createConnection } from './connection.js'
import { findDurabilityProblems } from './durability.js'
import { createVersion, decodeEntry, encodeEntry, isVersion } from './entry.js'
import { pxatOf } from './expiry.js'
import { createNames } from './names.js'
import { createSubscriber } from './subscriber.js'

/** What `redisStore` takes: where Redis is, and how to use it. */
export type RedisStoreOptions = RedisStoreTarget & {
  /** What the names of everything in Redis begin with: `beckon` unless given. Two prefixes are two stores. */
  prefix?: string | undefined
  /** How long Redis may take to answer before it counts as away: 5,000 unless given. */
  timeoutMs?: number | undefined
  /** Is told, once, what is wrong with how Redis keeps data; `console.warn` unless given. */
  warn?: ((problem: string) => void) | undefined
}

/**
 * An address (`redis://`, `rediss://`), or a client of ioredis, for a Cluster or Sentinels. A client lends its settings: the
 * store makes connections of its own, and leaves the client to its owner.
 */
export type RedisStoreTarget = { url: string; client?: undefined } | { client: Redis | Cluster; url?: undefined }

/**
 * A store in Redis (6.2 or later), for any number of nodes. It connects when it is first used.
 *
 * @example
 * const store = redisStore('redis://localhost:6379')
 *
 * @example
 * const store = redisStore({ client: new Cluster([{ host: 'redis-1', port: 6379 }]) })
 */
export function redisStore(urlOrOptions: string | RedisStoreOptions): Store {
  const options = typeof urlOrOptions === 'string' ? { url: urlOrOptions } : urlOrOptions
  const { prefix = 'beckon', timeoutMs = 5_000, warn = console.warn } = options
  const target: Target = options.client ?? options.url
  const connection = createConnection(target, timeoutMs)
  const { client, send } = connection
  const { keyOf, logOf, setOf, channelOf } = createNames(prefix, databaseOf(client))
  const subscriber = createSubscriber(() => createConnection(target, timeoutMs), 2 * timeoutMs)

  client.once('ready', async () => {
    for (const problem of await findDurabilityProblems(client)) warn(problem)
  })

  return {
    shared: true,

    async get(key) {
      const text = await send(client => client.get(keyOf(key)))
      return text === null ? undefined : decodeEntry(text)
    },

    async set(key, value, options) {
      const entry = encodeEntry(createVersion(), value)
      const expiresAt = expiryOf(options)
      await send(client =>
        expiresAt === undefined
          ? client.set(keyOf(key), entry)
          : client.set(keyOf(key), entry, 'PXAT', pxatOf(expiresAt)),
      )
    },

    async delete(key) {
      return (await send(client => client.unlink(keyOf(key)))) === 1
    },

    async compareAndSet(key, version, value, options) {
      const next = createVersion()
      const entry = encodeEntry(next, value)
      const pxat = pxatOrNone(expiryOf(options))
      // No key is at a version that is none of ours.
      const known = version === undefined ? '' : isVersion(version) ? version : undefined
      const set = await send(async client =>
        known === undefined ? 0 : client.beckonCompareAndSet(keyOf(key), known, entry, pxat),
      )
      return set === 1 ? next : undefined
    },

    async append(log, entries, options) {
      const values = Array.from(entries, entry => encodeJson(entry))
      const after = afterOf(options) ?? ''
      const pxat = pxatOrNone(expiryOf(options))
      return (await send(client => client.beckonAppend(logOf(log), after, pxat, values))) ?? undefined
    },

    async read(log, options) {
      const first = `${(afterOf(options) ?? 0) + 1}-0`
      const limit = limitOf(options)
      const found = await send(async client => {
        if (limit === 0) return []
        return limit === undefined
          ? client.xrange(logOf(log), first, '+')
          : client.xrange(logOf(log), first, '+', 'COUNT', limit)
      })
      return found.map(decodeLogEntry)
    },

    async trim(log, number) {
      const first = upToOf(number) + 1
      await send(client => client.beckonTrim(logOf(log), first))
    },

    async erase(log) {
      return (await send(client => client.unlink(logOf(log)))) === 1
    },

    async put(set, member, score, options) {
      const [checked, place] = [memberOf(member), scoreOf(score)]
      const condition = putConditionOf(options) ?? ''
      const pxat = pxatOrNone(expiryOf(options))
      return (await send(client => client.beckonPut(setOf(set), checked, place, condition, pxat))) === 1
    },

    async remove(set, member, options) {
      const checked = memberOf(member)
      const condition = removeConditionOf(options) ?? ''
      return (await send(client => client.beckonRemove(setOf(set), checked, condition))) === 1
    },

    async range(set, options) {
      const { after, to, limit, reverse } = spanOf(options)
      const found = await send(client =>
        client.beckonRange(setOf(set), after.score, after.member, to, limit, reverse ? 1 : 0),
      )
      const members = decodeMembers(found)
      return reverse ? members.reverse() : members
    },

    async count(set, options) {
      const upTo = countLimitOf(options)
      return Math.min(upTo, await send(client => client.zcard(setOf(set))))
    },

    async publish(topic, message) {
      const channel = channelOf(topic)
      const text = encodeMessage(message)
      await send(client =>
        isCluster(client) ? client.beckonPublish(channel, channel, text) : client.publish(channel, text),
      )
    },

    async subscribe(topic, listener) {
      return subscriber.subscribe(channelOf(topic), listener)
    },

    async close() {
      await Promise.all([connection.close(), subscriber.close()])
    },
  }
}

function databaseOf(client: Redis | Cluster): number {
  return isCluster(client) ? 0 : (client.options.db ?? 0)
}

function pxatOrNone(expiresAt: number | undefined): number | '' {
  return expiresAt === undefined ? '' : pxatOf(expiresAt)
}

/** From a list of a member and its score, the next member and its score, and so on. */
function decodeMembers(found: readonly string[]): SetMember[] {
  return found.flatMap((member, index) => (index % 2 === 0 ? [{ member, score: Number(found[index + 1]) }] : []))
}

function decodeLogEntry([id, [, text = '']]: [id: string, fields: string[]]): LogEntry {
  return { seq: Number.parseInt(id, 10), value: JSON.parse(text) }
}
