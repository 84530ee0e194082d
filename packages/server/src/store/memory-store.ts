import { copyJson } from './copy-json.js'
import { type Clock, expiringMap } from './expiring-map.js'
import type { JsonValue } from './json.js'
import { afterOf, expiryOf, limitOf } from './options.js'
import type { LogEntry, Store, Version } from './store.js'
import { createTopics, encodeMessage } from './topics.js'

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
      topics.deliver(topic, encodeMessage(message))
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
