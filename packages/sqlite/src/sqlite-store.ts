import type { Clock, Store } from 'beckon/store'
import {
  afterOf,
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
import { type Connection, connect, inMemory } from './database/connection.js'
import { migrate } from './database/migrate.js'
import { createTransactor } from './database/transactor.js'
import { createHints } from './hints.js'
import { startSweeper } from './sweeper.js'
import { createKeys, type Keys } from './tables/keys.js'
import { createLogs, type Logs } from './tables/logs.js'
import { createMessages, type Messages } from './tables/messages.js'
import { createSets, type Sets } from './tables/sets.js'
import { createSweep, type Sweep } from './tables/sweep.js'

/** What `sqliteStore` takes. */
export interface SqliteStoreOptions {
  /** The path of the file, which is made when it is not there; `:memory:` for one that is forgotten. */
  path: string
  /**
   * `full`, unless given: what was written is on the disk, and outlives a power cut. `relaxed`: it outlives this process,
   * whatever ends it, but a power cut may take the last moments away. Many times faster with few calls at once.
   */
  durability?: 'full' | 'relaxed' | undefined
  /** Says what time it is; `Date` unless given. */
  clock?: Clock | undefined
  /** How long other processes may keep this one from writing. 10 seconds unless given. */
  busyMs?: number | undefined
  /** How often expired rows are deleted. 10 seconds unless given. */
  sweepMs?: number | undefined
}

interface Tables {
  readonly connection: Connection
  readonly keys: Keys
  readonly logs: Logs
  readonly sets: Sets
  readonly messages: Messages
  readonly sweep: Sweep
}

/**
 * A store in a SQLite file, for one process or several on one machine. It opens the file when it is first used.
 *
 * @example
 * const store = sqliteStore('beckon.db')
 */
export function sqliteStore(pathOrOptions: string | SqliteStoreOptions): Store {
  const options = typeof pathOrOptions === 'string' ? { path: pathOrOptions } : pathOrOptions
  const {
    path,
    durability = 'full',
    clock = systemClock,
    busyMs = 10_000,
    sweepMs = 10_000,
  }: SqliteStoreOptions = options
  const shared = path !== inMemory
  const topics = createTopics()
  const transactor = createTransactor({
    open,
    busyMs,
    transaction: (work, options) => open().connection.transaction(work, options),
  })
  const hints = createHints(() => open().messages, topics, shared ? `${path}-wal` : undefined)
  const stopSweeper = startSweeper(sweepMs, async options =>
    tables ? transactor.hint(() => open().sweep(options)) : 0,
  )
  let tables: Tables | undefined
  let closing: Promise<void> | undefined

  function open(): Tables {
    tables ??= openTables(path, durability, clock)
    return tables
  }

  function checkOpen(): void {
    if (closing) throw new Error('This store was closed. Open a new one, or close it later.')
  }

  async function giveBack(): Promise<void> {
    topics.clear()
    stopSweeper()
    await transactor.drained()
    // Whoever was still about to subscribe has by now.
    topics.clear()
    hints.close()
    tables?.connection.close()
    tables = undefined
  }

  return {
    shared,

    async get(key) {
      checkOpen()
      return transactor.read(() => open().keys.get(key))
    },

    async set(key, value, options) {
      checkOpen()
      const text = encodeJson(value)
      const expiresAt = expiryOf(options)
      await transactor.write(() => open().keys.set(key, text, expiresAt))
    },

    async delete(key) {
      checkOpen()
      return transactor.write(() => open().keys.delete(key))
    },

    async compareAndSet(key, version, value, options) {
      checkOpen()
      const text = encodeJson(value)
      const expiresAt = expiryOf(options)
      return transactor.write(() => open().keys.compareAndSet(key, version, text, expiresAt))
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
      return transactor.write(() => {
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
      return transactor.read(() => open().logs.read(log, after, limit))
    },

    async trim(log, number) {
      checkOpen()
      const upTo = upToOf(number)
      await transactor.write(() => open().logs.trim(log, upTo))
    },

    async erase(log) {
      checkOpen()
      return transactor.write(() => open().logs.erase(log))
    },

    async put(set, member, score, options) {
      checkOpen()
      const placement = {
        member: memberOf(member),
        score: scoreOf(score),
        condition: putConditionOf(options),
        expiresAt: expiryOf(options),
      }
      return transactor.write(() => open().sets.put(set, placement))
    },

    async remove(set, member, options) {
      checkOpen()
      const checked = memberOf(member)
      const condition = removeConditionOf(options)
      return transactor.write(() => open().sets.remove(set, checked, condition))
    },

    async range(set, options) {
      checkOpen()
      const span = spanOf(options)
      return transactor.read(() => open().sets.range(set, span))
    },

    async count(set, options) {
      checkOpen()
      const upTo = countLimitOf(options)
      return transactor.read(() => open().sets.count(set, upTo))
    },

    async publish(topic, message) {
      checkOpen()
      const text = encodeMessage(message)
      await transactor.hint(() => open().messages.add(topic, text))
      hints.look()
    },

    async subscribe(topic, listener) {
      checkOpen()
      return transactor.read(() => hints.subscribe(topic, listener))
    },

    close() {
      closing ??= giveBack()
      return closing
    },
  }
}

// Looks `Date` up each time, so that a test runner's fake one counts.
const systemClock: Clock = { now: () => Date.now() }

function openTables(path: string, durability: 'full' | 'relaxed', clock: Clock): Tables {
  const connection = connect(path, durability === 'full' ? 'full' : 'normal')
  try {
    migrate(connection, path)
    return {
      connection,
      keys: createKeys(connection, clock),
      logs: createLogs(connection, clock),
      sets: createSets(connection, clock),
      messages: createMessages(connection, clock),
      sweep: createSweep(connection, clock),
    }
  } catch (error) {
    connection.close()
    throw error
  }
}
