import type { JsonValue } from './json.js'

/** Marks one state of a key. Compare with `===` only; it means nothing else, and is good on every handle of the store. */
export type Version = string | number

/** What a key holds. */
export interface Entry {
  value: JsonValue
  version: Version
}

/** One entry of a log. */
export interface LogEntry {
  /** Its place: 1 for the first, with no gaps. */
  seq: number
  value: JsonValue
}

/** When something goes away by itself. */
export interface Expiry {
  /**
   * Milliseconds since 1970, by the store's own clock. What expires at or before now is absent, for every method, from
   * that very millisecond on: with 0, now or a past moment it is gone at once. Anything but a finite number is a
   * `RangeError`; to keep something for good, leave this out.
   */
  expiresAt?: number | undefined
}

/** How entries are added to a log. */
export interface AppendOptions extends Expiry {
  /** Append only when this is the log's last sequence number: 0 for an absent log. A whole number, not negative. */
  after?: number | undefined
}

/** Which part of a log is read. Both are whole numbers, not negative; anything else is a `RangeError`. */
export interface ReadOptions {
  /** Only entries with a higher sequence number. Past the end there are none. */
  after?: number | undefined
  /** At most so many, the earliest ones. */
  limit?: number | undefined
}

/** Takes the messages of a topic. It handles its own errors: what it throws is dropped, and stops nobody else. */
export type Listener = (message: JsonValue) => void

/** Ends a subscription: once it has resolved, the listener is not called again. Calling it twice is harmless. */
export type Unsubscribe = () => Promise<void>

/**
 * Where calls, sessions, desks and tokens are kept. `testStore` checks an implementation against this contract.
 *
 * **Names.** Keys, logs and topics are three separate name spaces. Any string is a name, whatever its length: the empty
 * one, NUL, lone surrogates and `__proto__` too. Two names are the same only when `===` says so: nothing is trimmed,
 * folded or normalised. (`JSON.stringify(name)` is a faithful form without NUL and lone surrogates.)
 *
 * **Values.** What comes back is `JSON.parse(JSON.stringify(value))`: `'456'` stays a string, properties keep their
 * order, every string survives. A value of 1 MB works. What has no JSON at all (`undefined`, a function, a bigint, a
 * cycle) is a `TypeError`, and nothing is written. A value is taken when the method is called, awaited or not, and each
 * reader gets a copy of its own: later changes to either reach nobody.
 *
 * **Calls.** Each method takes effect at one moment, wholly or not at all, and is in effect when its promise resolves:
 * whoever reads after that, on any handle, sees it. Writes to one key, log or topic through one handle take effect in the
 * order of their calls, awaited or not. Every failure is a rejection, never a throw. When a method rejects because the
 * store could not be reached, it may or may not have taken effect.
 */
export interface Store {
  /** True when other processes see the same data. */
  readonly shared: boolean

  /** What the key holds now; `undefined` when it is absent. A stored `null` is an entry whose value is `null`. */
  get(key: string): Promise<Entry | undefined>

  /**
   * Makes the key hold the value, under a version it never had before, also when the value is the same. Without
   * `expiresAt` it never expires, whatever was set earlier.
   */
  set(key: string, value: JsonValue, options?: Expiry): Promise<void>

  /** Makes the key absent. True when there was one: of several at once, exactly one gets true. */
  delete(key: string): Promise<boolean>

  /**
   * `set`, but only while the key is at this version; with `undefined`, only while it is absent. Resolves to the new
   * version, or to `undefined` when the key had moved on, and then nothing changed. Of several at once with the same
   * version exactly one succeeds. A version is never used again for its key, not even after a `delete` or an expiry.
   *
   * With an `expiresAt` that has passed this is a compare-and-delete: it resolves to a version, and the key is absent.
   */
  compareAndSet(
    key: string,
    version: Version | undefined,
    value: JsonValue,
    options?: Expiry,
  ): Promise<Version | undefined>

  /**
   * Adds the entries at the end of the log, in their order, next to each other, all or none; an absent log begins.
   * Resolves to the sequence number of the last entry. With `after`, `undefined` when the log's last number is another,
   * and then nothing changed: of several at once with the same `after` exactly one succeeds.
   *
   * `expiresAt` moves the expiry of the whole log; without it the expiry stays as it is. A log that expired is absent:
   * the next entry is number 1. No entries at all add nothing, begin no log, and resolve to the last number (0 when absent).
   */
  append(log: string, entries: readonly JsonValue[], options?: AppendOptions): Promise<number | undefined>

  /** The entries of the log in order, as of one moment: of one `append`, all or none. Empty when the log is absent. */
  read(log: string, options?: ReadOptions): Promise<LogEntry[]>

  /** Makes the log absent: the next entry is number 1. True when there was one. */
  erase(log: string): Promise<boolean>

  /**
   * Sends a hint to whoever is subscribed to the topic now, on every handle, this one included. Each subscription gets
   * it at most once, in the order that one handle published them. Nobody may depend on getting it: what matters is in a
   * key or a log. A message is at most 2,000 characters of JSON, else a `RangeError`.
   */
  publish(topic: string, message: JsonValue): Promise<void>

  /**
   * Calls the listener with each message that is published from the moment this resolves; never within the very call
   * of `publish`. A listener that is subscribed twice is called twice.
   */
  subscribe(topic: string, listener: Listener): Promise<Unsubscribe>

  /**
   * Gives everything back that this handle holds. Afterwards every other method rejects, and its listeners are not
   * called again; closing again and unsubscribing do nothing. Other handles, and the data of a shared store, live on.
   */
  close(): Promise<void>
}
