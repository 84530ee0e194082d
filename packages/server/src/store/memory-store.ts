import { copyJson } from './copy-json.js'
import { type Clock, expiringMap } from './expiring-map.js'
import type { JsonValue } from './json.js'
import type { AppendOptions, Expiry, LogEntry, ReadOptions, Store, Version } from './store.js'
import { createTopics } from './topics.js'

/** What `memoryStore` takes. */
export interface MemoryStoreOptions {
  /** Says what time it is; `Date` unless given. */
  clock?: Clock | undefined
}

interface KeyItem {
  readonly key: string
  readonly value: JsonValue
  readonly version: Version
  expiresAt: number
}

interface LogItem {
  readonly key: string
  readonly values: JsonValue[]
  expiresAt: number
}

/**
 * A store in the memory of this process, for tests, for stdio, and for one process that may forget on restart.
 * Expired entries are forgotten little by little as others are written; there is no timer.
 *
 * @example
 * const store = memoryStore()
 * await store.set('greeting', 'hello', { expiresAt: Date.now() + 60_000 })
 */
export function memoryStore({ clock = systemClock }: MemoryStoreOptions = {}): Store {
  const keys = expiringMap<KeyItem>(clock)
  const logs = expiringMap<LogItem>(clock)
  const topics = createTopics()
  let lastVersion = 0
  let closed = false

  function checkOpen(): void {
    if (closed) throw new Error('This store was closed. Open a new one, or close it later.')
  }

  function sweep(): void {
    keys.sweep()
    logs.sweep()
  }

  function put(key: string, value: JsonValue, expiresAt: number): Version {
    const version = ++lastVersion
    keys.put({ key, value, version, expiresAt })
    sweep()
    return version
  }

  return {
    shared: false,

    async get(key) {
      checkOpen()
      const item = keys.get(key)
      return item && { value: copyJson(item.value), version: item.version }
    },

    async set(key, value, options) {
      checkOpen()
      put(key, copyJson(value), expiryOf(options) ?? never)
    },

    async delete(key) {
      checkOpen()
      sweep()
      return keys.delete(key)
    },

    async compareAndSet(key, version, value, options) {
      checkOpen()
      const copy = copyJson(value)
      const expiresAt = expiryOf(options) ?? never
      return keys.get(key)?.version === version ? put(key, copy, expiresAt) : undefined
    },

    async append(key, entries, options) {
      checkOpen()
      const after = afterOf(options)
      const expiresAt = expiryOf(options)
      const copies = Array.from(entries, entry => copyJson(entry))
      const log = logs.get(key) ?? { key, values: [], expiresAt: never }
      if (after !== undefined && after !== log.values.length) return undefined
      for (const copy of copies) log.values.push(copy)
      log.expiresAt = expiresAt ?? log.expiresAt
      if (log.values.length > 0) logs.put(log)
      sweep()
      return log.values.length
    },

    async read(key, options) {
      checkOpen()
      const after = afterOf(options) ?? 0
      const limit = limitOf(options) ?? never
      const values = logs.get(key)?.values ?? []
      return values.slice(after, after + limit).map((value, index): LogEntry => {
        return { seq: after + index + 1, value: copyJson(value) }
      })
    },

    async erase(key) {
      checkOpen()
      sweep()
      return logs.delete(key)
    },

    async publish(topic, message) {
      checkOpen()
      topics.publish(topic, message)
    },

    async subscribe(topic, listener) {
      checkOpen()
      return topics.subscribe(topic, listener)
    },

    async close() {
      closed = true
      keys.clear()
      logs.clear()
      topics.clear()
    },
  }
}

const never = Number.POSITIVE_INFINITY

// Looks `Date` up each time, so that a test runner's fake one counts.
const systemClock: Clock = { now: () => Date.now() }

function expiryOf(options: Expiry | undefined): number | undefined {
  const expiresAt = options?.expiresAt
  if (expiresAt === undefined || Number.isFinite(expiresAt)) return expiresAt
  throw new RangeError(
    `expiresAt is ${expiresAt}, and has to be a finite number. Leave it out to keep the value for good.`,
  )
}

function afterOf(options: AppendOptions | ReadOptions | undefined): number | undefined {
  return wholeNumber('after', options?.after)
}

function limitOf(options: ReadOptions | undefined): number | undefined {
  return wholeNumber('limit', options?.limit)
}

function wholeNumber(name: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value
  throw new RangeError(`${name} is ${value}, and has to be a whole number that is not negative.`)
}
