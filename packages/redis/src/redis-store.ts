import type { SetMember, Store } from 'beckon/store'
import {
  afterOf,
  countLimitOf,
  encodeJson,
  encodeMessage,
  expiryOf,
  limitOf,
  memberOf,
  putConditionOf,
  putsOf,
  removalsOf,
  removeConditionOf,
  scoreOf,
  spanOf,
  upToOf,
} from 'beckon/store/adapter'
import type { Cluster, Redis } from 'ioredis'
import { readAddress } from './address.js'
import { type Append, createClusterAppend, LogOrder } from './append.js'
import { AppendBatch } from './append-batch.js'
import { isCluster, type Target } from './client.js'
import { createConnection } from './connection.js'
import { findDurabilityProblems } from './durability.js'
import { createVersion, decodeEntry, encodeEntry, isVersion } from './entry.js'
import { pxatOf } from './expiry.js'
import { findFailoverProblems } from './failover-problems.js'
import { createNames } from './names.js'
import { Replicas } from './replicas.js'
import { rewriteValues } from './rewrite-values.js'
import { checkSchema } from './schema.js'
import type { ScriptedClient } from './scripts.js'
import { createSubscriber } from './subscriber.js'

/** What `redisStore` takes: where Redis is, and how to use it. */
export type RedisStoreOptions = RedisStoreTarget & {
  /** What the names of everything in Redis begin with: `beckon` unless given. Two prefixes are two stores. */
  prefix?: string | undefined
  /** How long Redis may take to answer before it counts as away: 5,000 unless given. */
  timeoutMs?: number | undefined
  /**
   * How many replicas have to have a write before it is acknowledged; one that they do not have in a second rejects. Only with
   * as many as each primary has, a failover loses nothing, since any of them may take over. None unless given.
   */
  replicas?: number | undefined
  /** Is told, once, what can lose data in how Redis is set up; `console.warn` unless given. */
  warn?: ((problem: string) => void) | undefined
}

/**
 * An address (`redis://`, `redis+sentinel://`, `redis+cluster://`, and with `rediss` over TLS), or a client of ioredis. A
 * client lends its settings: the store makes connections of its own, and leaves the client to its owner.
 */
export type RedisStoreTarget = { url: string; client?: undefined } | { client: Redis | Cluster; url?: undefined }

/** How long replicas may take: while they do, nothing else is answered on their connection. */
const replicaMs = 1_000

/**
 * A store in Redis (6.2 or later), for any number of nodes. It connects when it is first used.
 *
 * @example
 * const store = redisStore('redis://localhost:6379')
 *
 * @example
 * const store = redisStore({ url: 'redis+sentinel://s1,s2,s3/primary', replicas: 2 })
 */
export function redisStore(urlOrOptions: string | RedisStoreOptions): Store {
  const options = typeof urlOrOptions === 'string' ? { url: urlOrOptions } : urlOrOptions
  const { prefix = 'beckon', timeoutMs = 5_000, warn = console.warn, replicas = 0 } = options
  if (!Number.isInteger(replicas) || replicas < 0) throw new RangeError('`replicas` is a whole number, 0 or more.')
  const target: Target = options.client ?? readAddress(options.url)
  const confirmed =
    replicas > 0 ? new Replicas({ count: replicas, timeoutMs: Math.min(replicaMs, timeoutMs) }) : undefined
  const connection = createConnection(target, timeoutMs, client => checkSchema(client, prefix))
  const { client } = connection
  const { keyOf, logOf, setOf, channelOf } = createNames(prefix, databaseOf(client))
  const subscriber = createSubscriber(() => createConnection(target, timeoutMs), 2 * timeoutMs)

  /** Behind what was called before, and is not sent yet. */
  function send<T>(command: (client: ScriptedClient) => Promise<T>): Promise<T> {
    batch.flush()
    return connection.send(command)
  }

  /** Sends what reads or changes a key. */
  function sendTo<T>(key: string, command: (client: ScriptedClient) => Promise<T>): Promise<T> {
    return send(client => confirmed?.confirm(client, key, () => command(client)) ?? command(client))
  }

  const batch = new AppendBatch(sendTo)
  const clusterAppend = createClusterAppend(sendTo)
  const order = new LogOrder()

  client.once('ready', async () => {
    const problems = [findDurabilityProblems(client), findFailoverProblems(client, options.replicas)]
    for (const problem of (await Promise.all(problems)).flat()) warn(problem)
  })

  return {
    shared: true,

    async get(key) {
      const text = await sendTo(keyOf(key), client => client.get(keyOf(key)))
      return text === null ? undefined : decodeEntry(text)
    },

    async set(key, value, options) {
      const entry = encodeEntry(createVersion(), value)
      const expiresAt = expiryOf(options)
      await sendTo(keyOf(key), client =>
        expiresAt === undefined
          ? client.set(keyOf(key), entry)
          : client.set(keyOf(key), entry, 'PXAT', pxatOf(expiresAt)),
      )
    },

    async delete(key) {
      return (await sendTo(keyOf(key), client => client.unlink(keyOf(key)))) === 1
    },

    async compareAndSet(key, version, value, options) {
      const next = createVersion()
      const entry = encodeEntry(next, value)
      const pxat = pxatOrNone(expiryOf(options))
      // No key is at a version that is none of ours.
      const known = version === undefined ? '' : isVersion(version) ? version : undefined
      const set = await sendTo(keyOf(key), async client =>
        known === undefined ? 0 : client.beckonCompareAndSet(keyOf(key), known, entry, pxat),
      )
      return set === 1 ? next : undefined
    },

    async append(log, entries, options) {
      const values = Array.from(entries, entry => encodeJson(entry))
      const after: Append['after'] = afterOf(options) ?? ''
      const puts = putsOf(options).map(put => ({ ...put, set: setOf(put.set), pxat: pxatOrNone(put.expiresAt) }))
      const removals = removalsOf(options).map(({ set, member }) => ({ set: setOf(set), member }))
      const pxat = pxatOrNone(expiryOf(options))
      const append: Append = { log: logOf(log), after, pxat, values, puts, removals }
      if (!isCluster(client)) return (await batch.add(append)) ?? undefined
      const run = () => clusterAppend(append)
      return (await (puts.length > 0 ? order.hold(log, run) : order.run(log, run))) ?? undefined
    },

    async read(log, options) {
      const after = afterOf(options) ?? 0
      const limit = limitOf(options)
      const [before, texts] = await sendTo(logOf(log), async client =>
        limit === 0 ? nothing : client.beckonRead(logOf(log), after, limit ?? ''),
      )
      return texts.map((text, index) => ({ seq: before + 1 + index, value: JSON.parse(text) }))
    },

    async trim(log, number) {
      const upTo = upToOf(number)
      await order.run(log, () => sendTo(logOf(log), client => client.beckonTrim(logOf(log), upTo)))
    },

    async erase(log) {
      return (await order.run(log, () => sendTo(logOf(log), client => client.unlink(logOf(log))))) === 1
    },

    async put(set, member, score, options) {
      const [checked, place] = [memberOf(member), scoreOf(score)]
      const condition = putConditionOf(options) ?? ''
      const pxat = pxatOrNone(expiryOf(options))
      return (await sendTo(setOf(set), client => client.beckonPut(setOf(set), checked, place, condition, pxat))) === 1
    },

    async remove(set, member, options) {
      const checked = memberOf(member)
      const condition = removeConditionOf(options) ?? ''
      return (await sendTo(setOf(set), client => client.beckonRemove(setOf(set), checked, condition))) === 1
    },

    async range(set, options) {
      const { after, to, limit, reverse } = spanOf(options)
      const found = await sendTo(setOf(set), client =>
        client.beckonRange(setOf(set), after.score, after.member, to, limit, reverse ? 1 : 0),
      )
      const members = decodeMembers(found)
      return reverse ? members.reverse() : members
    },

    async rewrite(change) {
      await connection.check()
      return rewriteValues({ client, sendTo }, prefix, change)
    },

    async count(set, options) {
      const upTo = countLimitOf(options)
      return Math.min(upTo, await sendTo(setOf(set), client => client.zcard(setOf(set))))
    },

    async publish(topic, message) {
      const channel = channelOf(topic)
      const text = encodeMessage(message)
      await send(client =>
        isCluster(client) ? client.beckonPublish(channel, channel, text) : client.publish(channel, text),
      )
    },

    async subscribe(topic, listener) {
      await connection.check()
      return subscriber.subscribe(channelOf(topic), listener)
    },

    async close() {
      batch.flush()
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

const nothing: [before: number, values: string[]] = [0, []]
