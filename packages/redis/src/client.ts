// Clients of ioredis that never send a command twice. A command whose connection was lost may have run, and a second time
// it could put an older value over a newer one, or an entry twice into a log: so it fails, and its caller decides.
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis'
import type { Address } from './address.js'
import { type ScriptedClient, withScripts } from './scripts.js'

const firstRetryMs = 50
const maxRetryMs = 2_000

/** Where Redis is: an address, or a client that has one. */
export type Target = Address | Redis | Cluster

/** Makes a client that connects when it is first used. A client that is given lends its settings, and is left alone. */
export function createClient(target: Target, timeoutMs: number): ScriptedClient {
  return withScripts(createPlain(target, timeoutMs))
}

function createPlain(target: Target, timeoutMs: number): Redis | Cluster {
  const options = redisOptions(timeoutMs)
  if ('kind' in target) return createAt(target, timeoutMs)
  return isCluster(target) ? target.duplicate([], clusterOptions(timeoutMs)) : target.duplicate(options)
}

function createAt(address: Address, timeoutMs: number): Redis | Cluster {
  const options = redisOptions(timeoutMs)
  if (address.kind === 'server') return new Redis(address.url, options)
  const { hosts, login } = address
  if (address.kind === 'cluster') {
    const cluster = clusterOptions(timeoutMs)
    return new Cluster(hosts, { ...cluster, redisOptions: { ...cluster.redisOptions, ...login } })
  }
  const { name, db } = address
  const tls = login.tls && { enableTLSForSentinelMode: true, sentinelTLS: login.tls }
  // Sentinels say when another has become the primary: the old one may go on answering for a while.
  const asked = { failoverDetector: true, sentinelRetryStrategy: retryStrategy, sentinelCommandTimeout: timeoutMs }
  return new Redis({ ...options, ...login, ...tls, ...asked, sentinels: hosts, name, db })
}

/** Whether a client speaks to a Redis Cluster. */
export function isCluster(client: Redis | Cluster): client is Cluster {
  return client.isCluster
}

function redisOptions(timeoutMs: number) {
  return {
    ...connectionOptions(timeoutMs),
    lazyConnect: true,
    // What is queued when a connection fails, fails with it. Nothing waits for longer than one attempt.
    enableOfflineQueue: true,
    retryStrategy,
    // After a failover the old master may be a replica: connect again, to whatever is the master now.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
    // Its promise would be nobody's; see subscriber.ts.
    autoResubscribe: false,
    enableAutoPipelining: false,
  } satisfies RedisOptions
}

function clusterOptions(timeoutMs: number) {
  return {
    lazyConnect: true,
    enableOfflineQueue: true,
    clusterRetryStrategy: retryStrategy,
    // 0: a command whose node was lost fails.
    retryDelayOnFailover: 0,
    scaleReads: 'master',
    enableAutoPipelining: false,
    slotsRefreshTimeout: timeoutMs,
    redisOptions: connectionOptions(timeoutMs),
  } satisfies ClusterOptions
}

function connectionOptions(timeoutMs: number) {
  return {
    connectTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    stringNumbers: false,
  } satisfies RedisOptions
}

/** Longer each time, and never the same for two nodes that lost Redis together. */
export function retryStrategy(attempt: number): number {
  const delayMs = Math.min(firstRetryMs * 2 ** (attempt - 1), maxRetryMs)
  return delayMs / 2 + (Math.random() * delayMs) / 2
}
