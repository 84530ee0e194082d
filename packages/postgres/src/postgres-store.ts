import type { SetRemoval, Store, Version } from 'beckon/store'
import {
  afterOf,
  type CheckedPut,
  countLimitOf,
  createTopics,
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
import { readAddress } from './connection/address.js'
import { createConnection } from './connection/connection.js'
import { deadline } from './connection/deadline.js'
import { createPublisher } from './hints/publisher.js'
import { createSubscriber } from './hints/subscriber.js'
import { digestOf, storedName, storedSetName } from './names.js'
import { createPool, type PostgresPool } from './pool.js'
import { createReads } from './reads/reads.js'
import { rewriteValues } from './rewrite-values.js'
import { startSweeper } from './sweeper.js'
import type { SetWrite } from './writes/write.js'
import { createWrites } from './writes/writes.js'

/**
 * What `postgresStore` takes: where the database is, or a pool that its caller closes. A URL may have several hosts, with commas
 * between: the one that can be written to is found, and found again when it changes.
 */
export type PostgresStoreOptions = ({ url: string; pool?: never } | { pool: PostgresPool; url?: never }) & {
  /** The schema that the tables are in; it is made when it is not there. `beckon` unless given. */
  schema?: string | undefined
  /** How long the database may take for an answer. 10 seconds unless given. */
  timeoutMs?: number | undefined
  /**
   * Acknowledges nothing that Postgres does not replicate synchronously: then what was acknowledged outlives the host. Off unless
   * given.
   */
  requireSync?: boolean | undefined
  /** How often expired rows are deleted. 10 seconds unless given. */
  sweepMs?: number | undefined
}

/**
 * A store in Postgres 13 or later, for any number of nodes. It connects when it is first used, and makes its tables then.
 *
 * @example
 * const store = postgresStore('postgres://beckon@localhost/beckon')
 */
export function postgresStore(urlOrOptions: string | PostgresStoreOptions): Store {
  const options = typeof urlOrOptions === 'string' ? { url: urlOrOptions } : urlOrOptions
  const {
    schema = 'beckon',
    timeoutMs = 10_000,
    sweepMs = 10_000,
    requireSync = false,
  }: Omit<PostgresStoreOptions, 'url' | 'pool'> = options
  checkSchema(schema)
  const own = options.url === undefined ? undefined : createPool(readAddress(options.url), timeoutMs)
  // Without a URL there is a pool.
  const connection = createConnection(own ?? (options.pool as PostgresPool), schema, timeoutMs)
  const writes = createWrites(connection, schema, { requireSync })
  const reads = createReads(connection, schema, { requireSync })
  const topics = createTopics()
  const publisher = createPublisher(connection, schema)
  const subscriber = createSubscriber(connection, schema, topics)
  const stopSweeper = startSweeper(connection, schema, sweepMs)
  let closing: Promise<void> | undefined

  function checkOpen(): void {
    if (closing) throw new Error('This store was closed. Open a new one, or close it later.')
  }

  async function giveBack(): Promise<void> {
    topics.clear()
    stopSweeper()
    await Promise.all([writes.drained(), reads.drained(), publisher.drained()])
    subscriber.close()
    // A connection that does not even say goodbye is left behind.
    if (own) await deadline(own.end(), timeoutMs, () => {}).catch(() => {})
  }

  return {
    shared: true,

    async get(key) {
      checkOpen()
      return reads.get(storedName(key))
    },

    async set(key, value, options) {
      checkOpen()
      await writes.write({
        kind: 'set',
        name: storedName(key),
        value: encodeJson(value),
        expiresAt: expiryOf(options),
      })
    },

    async delete(key) {
      checkOpen()
      return (await writes.write({ kind: 'delete', name: storedName(key) })) === 'true'
    },

    async compareAndSet(key, version, value, options) {
      checkOpen()
      const written = await writes.write({
        kind: 'compareAndSet',
        name: storedName(key),
        expected: expectedOf(version),
        value: encodeJson(value),
        expiresAt: expiryOf(options),
      })
      return written ?? undefined
    },

    async append(log, entries, options) {
      checkOpen()
      const last = await writes.write({
        kind: 'append',
        name: storedName(log),
        expected: afterOf(options),
        values: Array.from(entries, encodeJson),
        expiresAt: expiryOf(options),
        names: [...putsOf(options).map(putWrite), ...removalsOf(options).map(removalWrite)],
      })
      return last === null ? undefined : Number(last)
    },

    async read(log, options) {
      checkOpen()
      return reads.read({ name: storedName(log), after: afterOf(options) ?? 0, limit: limitOf(options) })
    },

    async trim(log, upTo) {
      checkOpen()
      await writes.write({ kind: 'trim', name: storedName(log), upTo: upToOf(upTo) })
    },

    async erase(log) {
      checkOpen()
      return (await writes.write({ kind: 'erase', name: storedName(log) })) === 'true'
    },

    async put(set, member, score, options) {
      checkOpen()
      const put = await writes.write({
        kind: 'put',
        name: storedSetName(set),
        member: memberOf(member),
        score: scoreOf(score),
        expected: putConditionOf(options),
        expiresAt: expiryOf(options),
      })
      return put === 'true'
    },

    async remove(set, member, options) {
      checkOpen()
      const removed = await writes.write({
        kind: 'remove',
        name: storedSetName(set),
        member: memberOf(member),
        expected: removeConditionOf(options),
      })
      return removed === 'true'
    },

    async range(set, options) {
      checkOpen()
      return reads.range({ name: storedSetName(set), span: spanOf(options) })
    },

    async rewrite(change) {
      checkOpen()
      return rewriteValues(connection, schema, change)
    },

    async count(set, options) {
      checkOpen()
      return reads.count({ name: storedSetName(set), upTo: countLimitOf(options) })
    },

    async publish(topic, message) {
      checkOpen()
      await publisher.add({ topic: digestOf(JSON.stringify(topic)), text: encodeMessage(message) })
    },

    async subscribe(topic, listener) {
      checkOpen()
      return subscriber.subscribe(digestOf(JSON.stringify(topic)), listener)
    },

    close() {
      closing ??= giveBack()
      return closing
    },
  }
}

function putWrite({ set, member, score, expiresAt }: CheckedPut): SetWrite {
  return { kind: 'put', name: storedSetName(set), member, score, expected: undefined, expiresAt }
}

function removalWrite({ set, member }: SetRemoval): SetWrite {
  return { kind: 'remove', name: storedSetName(set), member, expected: undefined }
}

/** The versions of this store are strings; anything else is not a version of any key. */
function expectedOf(version: Version | undefined): string | undefined {
  return typeof version === 'number' ? '' : version
}

function checkSchema(schema: string): void {
  if (/^[a-z_][a-z0-9_]{0,47}$/.test(schema)) return
  throw new RangeError(
    `The schema "${schema}" must be 1 to 48 characters of a-z, 0-9 and _, and not start with a digit.`,
  )
}
