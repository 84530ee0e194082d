// Every way of keeping a store in SQLite is the same tables: what differs is who runs a transaction, and how messages travel.
import type { Clock, Listener, Store, Unsubscribe } from 'beckon/store'
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
import type { Connection } from './database/connection.js'
import { migrate } from './database/migrate.js'
import { createKeys, type Keys } from './tables/keys.js'
import { createLogs, type Logs } from './tables/logs.js'
import { createMessages, type Messages } from './tables/messages.js'
import { createRewrite, type Rewrite } from './tables/rewrite.js'
import { createSets, type Sets } from './tables/sets.js'
import { createSweep, type Sweep } from './tables/sweep.js'

export interface Tables {
  readonly connection: Connection
  readonly keys: Keys
  readonly logs: Logs
  readonly sets: Sets
  readonly messages: Messages
  readonly sweep: Sweep
  readonly rewrite: Rewrite
}

/** What runs work on the tables, in order. */
interface TableRunner {
  /** In a transaction: everything of it, or nothing. */
  write<T>(work: () => T): Promise<T>
  read<T>(work: () => T): Promise<T>
}

export interface TableStoreOptions {
  readonly shared: boolean
  open(): Tables
  readonly runner: TableRunner
  publish(topic: string, text: string): Promise<void>
  subscribe(topic: string, listener: Listener): Promise<Unsubscribe>
  /** Called once. */
  close(): Promise<void>
}

/** Brings a database to this version, and gives its tables. */
export function tablesOf(connection: Connection, path: string, clock: Clock): Tables {
  migrate(connection, path)
  return {
    connection,
    keys: createKeys(connection, clock),
    logs: createLogs(connection, clock),
    sets: createSets(connection, clock),
    messages: createMessages(connection, clock),
    sweep: createSweep(connection, clock),
    rewrite: createRewrite(connection),
  }
}

export function storeOnTables({ shared, open, runner, publish, subscribe, close }: TableStoreOptions): Store {
  let closing: Promise<void> | undefined

  function checkOpen(): void {
    if (closing) throw new Error('This store was closed. Open a new one, or close it later.')
  }

  return {
    shared,

    async get(key) {
      checkOpen()
      return runner.read(() => open().keys.get(key))
    },

    async set(key, value, options) {
      checkOpen()
      const text = encodeJson(value)
      const expiresAt = expiryOf(options)
      await runner.write(() => open().keys.set(key, text, expiresAt))
    },

    async delete(key) {
      checkOpen()
      return runner.write(() => open().keys.delete(key))
    },

    async compareAndSet(key, version, value, options) {
      checkOpen()
      const text = encodeJson(value)
      const expiresAt = expiryOf(options)
      return runner.write(() => open().keys.compareAndSet(key, version, text, expiresAt))
    },

    async append(log, entries, options) {
      checkOpen()
      const addition = {
        values: Array.from(entries, encodeJson),
        after: afterOf(options),
        expiresAt: expiryOf(options),
      }
      const puts = putsOf(options)
      const removals = removalsOf(options)
      return runner.write(() => {
        const { logs, sets } = open()
        const last = logs.append(log, addition)
        if (last === undefined) return undefined
        for (const { set, ...put } of puts) sets.put(set, { ...put, condition: undefined })
        for (const { set, member } of removals) sets.remove(set, member, undefined)
        return last
      })
    },

    async read(log, options) {
      checkOpen()
      const after = afterOf(options) ?? 0
      const limit = limitOf(options)
      return runner.read(() => open().logs.read(log, after, limit))
    },

    async trim(log, number) {
      checkOpen()
      const upTo = upToOf(number)
      await runner.write(() => open().logs.trim(log, upTo))
    },

    async erase(log) {
      checkOpen()
      return runner.write(() => open().logs.erase(log))
    },

    async put(set, member, score, options) {
      checkOpen()
      const placement = {
        member: memberOf(member),
        score: scoreOf(score),
        condition: putConditionOf(options),
        expiresAt: expiryOf(options),
      }
      return runner.write(() => open().sets.put(set, placement))
    },

    async remove(set, member, options) {
      checkOpen()
      const checked = memberOf(member)
      const condition = removeConditionOf(options)
      return runner.write(() => open().sets.remove(set, checked, condition))
    },

    async range(set, options) {
      checkOpen()
      const span = spanOf(options)
      return runner.read(() => open().sets.range(set, span))
    },

    async rewrite(change) {
      checkOpen()
      let rewritten = 0
      for (const next of [open().rewrite.keys(change), open().rewrite.entries(change)])
        for (let count = await runner.write(next); count !== undefined; count = await runner.write(next))
          rewritten += count
      return rewritten
    },

    async count(set, options) {
      checkOpen()
      const upTo = countLimitOf(options)
      return runner.read(() => open().sets.count(set, upTo))
    },

    async publish(topic, message) {
      checkOpen()
      const text = encodeMessage(message)
      await publish(topic, text)
    },

    async subscribe(topic, listener) {
      checkOpen()
      return subscribe(topic, listener)
    },

    close() {
      closing ??= close()
      return closing
    },
  }
}
