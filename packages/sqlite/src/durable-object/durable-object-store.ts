import type { Clock, Store, Unsubscribe } from 'beckon/store'
import { createTopics, type Topics } from 'beckon/store/adapter'
import type { Connection } from '../database/connection.js'
import { storeOnTables, type Tables, tablesOf } from '../store-on-tables.js'

type Value = string | number | null

/** What a Durable Object with SQLite has as `ctx.storage`, as far as it is used here. */
export interface DurableObjectStorage {
  readonly sql: { exec(query: string, ...bindings: Value[]): { toArray(): Record<string, unknown>[] } }
  transactionSync<T>(work: () => T): T
}

export interface DurableObjectStoreOptions {
  /** Says what time it is; `Date` unless given. */
  readonly clock?: Clock | undefined
  /** How often expired rows are deleted, at most: it happens while something is written. 10 seconds unless given. */
  readonly sweepMs?: number | undefined
}

/** Rows of a kind that one sweep deletes at most. */
const maxSwept = 500

/**
 * A store in the SQLite database of a Cloudflare Durable Object. Everything that is served in that object shares it, and what
 * a response says is on disk before the response leaves: the platform holds it back until then.
 *
 * @example
 * const server = createServer({ name: 'shop', version: '1.0.0', store: durableObjectStore(ctx.storage) })
 */
export function durableObjectStore(storage: DurableObjectStorage, options: DurableObjectStoreOptions = {}): Store {
  const { clock = systemClock, sweepMs = 10_000 } = options
  const topics = topicsOf(storage)
  const subscriptions = new Set<Unsubscribe>()
  let tables: Tables | undefined
  let sweepAt = 0

  function open(): Tables {
    tables ??= tablesOf(connectionTo(storage), 'of this Durable Object', clock)
    return tables
  }

  function sweep(): void {
    if (clock.now() < sweepAt) return
    sweepAt = clock.now() + sweepMs
    open().sweep({ max: maxSwept, everyMs: sweepMs })
  }

  return storeOnTables({
    // Nobody else has it, but it outlives this start of the object.
    shared: true,
    open,
    runner: {
      async write(work) {
        open()
        return storage.transactionSync(() => {
          sweep()
          return work()
        })
      },
      read: async work => work(),
    },
    publish: async (topic, text) => topics.deliver(topic, text),
    async subscribe(topic, listener) {
      const end = topics.subscribe(topic, listener)
      subscriptions.add(end)
      return () => {
        subscriptions.delete(end)
        return end()
      }
    },
    async close() {
      for (const end of subscriptions) await end()
    },
  })
}

/** Handles of one object hear of each other. */
const knownTopics = new WeakMap<DurableObjectStorage, Topics>()

function topicsOf(storage: DurableObjectStorage): Topics {
  const topics = knownTopics.get(storage) ?? createTopics()
  knownTopics.set(storage, topics)
  return topics
}

const systemClock: Clock = { now: () => Date.now() }

function connectionTo(storage: DurableObjectStorage): Connection {
  const { sql } = storage
  return {
    prepare: query => ({
      get: parameters => sql.exec(query, ...parameters).toArray()[0],
      all: parameters => sql.exec(query, ...parameters).toArray(),
      run(parameters) {
        sql.exec(query, ...parameters)
        return Number(sql.exec('select changes() as changed').toArray()[0]?.changed)
      },
    }),
    run(query) {
      sql.exec(query)
    },
    transaction: work => storage.transactionSync(work),
    close() {},
  }
}
