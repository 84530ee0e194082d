import { systemClock } from '../runtime/clock.js'
import { copyJson } from './copy-json.js'
import { type Clock, expiringMap } from './expiring-map.js'
import type { JsonValue } from './json.js'
import { afterOf, expiryOf, limitOf, upToOf } from './options.js'
import {
  countLimitOf,
  memberOf,
  putConditionOf,
  putsOf,
  removalsOf,
  removeConditionOf,
  scoreOf,
  spanOf,
} from './set-options.js'
import { type SortedMembers, sortedMembers } from './sorted-members.js'
import type { LogEntry, Store, Version } from './store.js'
import { createTopics, encodeMessage } from './topics.js'

/** What `memoryStore` takes. */
export interface MemoryStoreOptions {
  /** Says what time it is; `Date` unless given. */
  clock?: Clock | undefined
}

interface KeyItem {
  readonly key: string
  value: JsonValue
  readonly version: Version
  expiresAt: number
}

interface LogItem {
  readonly key: string
  /** How many are gone from its beginning. */
  trimmed: number
  readonly values: JsonValue[]
  expiresAt: number
}

interface SetItem {
  readonly key: string
  readonly members: SortedMembers
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
  const sets = expiringMap<SetItem>(clock)
  const topics = createTopics()
  let lastVersion = 0
  let closed = false

  function checkOpen(): void {
    if (closed) throw new Error('This store was closed. Open a new one, or close it later.')
  }

  function sweep(): void {
    keys.sweep()
    logs.sweep()
    sets.sweep()
  }

  function write(key: string, value: JsonValue, expiresAt: number): Version {
    const version = ++lastVersion
    keys.put({ key, value, version, expiresAt })
    sweep()
    return version
  }

  function putMember(key: string, member: string, score: number, expiresAt: number | undefined): void {
    const set = sets.get(key) ?? { key, members: sortedMembers(), expiresAt: never }
    set.members.put(member, score)
    set.expiresAt = expiresAt ?? set.expiresAt
    sets.put(set)
  }

  function removeMember(key: string, member: string): boolean {
    const set = sets.get(key)
    if (set?.members.scoreOf(member) === undefined) return false
    set.members.remove(member)
    if (set.members.size === 0) sets.delete(key)
    return true
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
      write(key, copyJson(value), expiryOf(options) ?? never)
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
      return keys.get(key)?.version === version ? write(key, copy, expiresAt) : undefined
    },

    async append(key, entries, options) {
      checkOpen()
      const after = afterOf(options)
      const expiresAt = expiryOf(options)
      const copies = Array.from(entries, entry => copyJson(entry))
      const puts = putsOf(options)
      const removals = removalsOf(options)
      const log = logs.get(key) ?? { key, trimmed: 0, values: [], expiresAt: never }
      if (after !== undefined && after !== lastOf(log)) return undefined
      for (const copy of copies) log.values.push(copy)
      log.expiresAt = expiresAt ?? log.expiresAt
      if (lastOf(log) > 0) logs.put(log)
      for (const put of puts) putMember(put.set, put.member, put.score, put.expiresAt)
      for (const { set, member } of removals) removeMember(set, member)
      sweep()
      return lastOf(log)
    },

    async read(key, options) {
      checkOpen()
      const after = afterOf(options) ?? 0
      const limit = limitOf(options) ?? never
      const { trimmed, values } = logs.get(key) ?? { trimmed: 0, values: [] }
      const start = Math.max(after - trimmed, 0)
      return values.slice(start, start + limit).map((value, index): LogEntry => {
        return { seq: trimmed + start + index + 1, value: copyJson(value) }
      })
    },

    async trim(key, number) {
      checkOpen()
      const upTo = upToOf(number)
      const log = logs.get(key)
      if (log !== undefined) log.trimmed += log.values.splice(0, Math.max(upTo - log.trimmed, 0)).length
      sweep()
    },

    async erase(key) {
      checkOpen()
      sweep()
      return logs.delete(key)
    },

    async put(key, member, score, options) {
      checkOpen()
      const [checked, place] = [memberOf(member), scoreOf(score)]
      const condition = putConditionOf(options)
      const expiresAt = expiryOf(options)
      const current = sets.get(key)?.members.scoreOf(checked)
      if (condition === 'absent' ? current !== undefined : condition !== undefined && current !== condition)
        return false
      putMember(key, checked, place, expiresAt)
      sweep()
      return true
    },

    async remove(key, member, options) {
      checkOpen()
      const checked = memberOf(member)
      const condition = removeConditionOf(options)
      sweep()
      if (condition !== undefined && sets.get(key)?.members.scoreOf(checked) !== condition) return false
      return removeMember(key, checked)
    },

    async range(key, options) {
      checkOpen()
      const span = spanOf(options)
      return sets.get(key)?.members.range(span) ?? []
    },

    async rewrite(change) {
      checkOpen()
      let rewritten = 0
      const replaced = (value: JsonValue): JsonValue => {
        const next = change(copyJson(value))
        if (next === undefined) return value
        rewritten++
        return copyJson(next)
      }
      for (const item of keys.values()) item.value = replaced(item.value)
      for (const { values } of logs.values()) for (const [at, value] of values.entries()) values[at] = replaced(value)
      return rewritten
    },

    async count(key, options) {
      checkOpen()
      return Math.min(countLimitOf(options), sets.get(key)?.members.size ?? 0)
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
      sets.clear()
      topics.clear()
    },
  }
}

/** The number of the last entry that was ever appended. */
function lastOf({ trimmed, values }: LogItem): number {
  return trimmed + values.length
}

const never = Number.POSITIVE_INFINITY
