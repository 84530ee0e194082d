import type { Clock, Store } from 'beckon/store'
import { createTopics } from 'beckon/store/adapter'
import { connect, inMemory } from './database/connection.js'
import { createTransactor } from './database/transactor.js'
import { createHints } from './hints.js'
import { storeOnTables, type Tables, tablesOf } from './store-on-tables.js'
import { startSweeper } from './sweeper.js'

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

  function open(): Tables {
    tables ??= openTables(path, durability, clock)
    return tables
  }

  async function giveBack(): Promise<void> {
    topics.clear()
    stopSweeper()
    await transactor.drained()
    // Anyone who was still about to subscribe has by now.
    topics.clear()
    hints.close()
    tables?.connection.close()
    tables = undefined
  }

  return storeOnTables({
    shared,
    open,
    runner: transactor,
    async publish(topic, text) {
      await transactor.hint(() => open().messages.add(topic, text))
      hints.look()
    },
    subscribe: (topic, listener) => transactor.read(() => hints.subscribe(topic, listener)),
    close: giveBack,
  })
}

// Looks `Date` up each time, so that a test runner's fake one counts.
const systemClock: Clock = { now: () => Date.now() }

function openTables(path: string, durability: 'full' | 'relaxed', clock: Clock): Tables {
  const connection = connect(path, durability === 'full' ? 'full' : 'normal')
  try {
    return tablesOf(connection, path, clock)
  } catch (error) {
    connection.close()
    throw error
  }
}
