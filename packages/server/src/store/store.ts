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
  /** Its place: 1 for the first that was ever appended, with no gaps from the earliest that is left. */
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

/** A member that is put into a set with an append, as `put` does without `if`. */
export interface SetPut extends Expiry, SetMember {
  set: string
}

/** A member that is taken out of a set with an append. */
export interface SetRemoval {
  set: string
  member: string
}

/** How entries are added to a log. */
export interface AppendOptions extends Expiry {
  /** Append only when this is the log's last sequence number: 0 for an absent log. A whole number, not negative. */
  after?: number | undefined
  /** Put into sets before the entries are there, so that a reader who sees those finds these. In their order. */
  puts?: readonly SetPut[] | undefined
  /** Taken out of sets once the entries are there: also later than what is put into these sets meanwhile. After `puts`. */
  removals?: readonly SetRemoval[] | undefined
}

/** Which part of a log is read. Both are whole numbers, not negative; anything else is a `RangeError`. */
export interface ReadOptions {
  /** Only entries with a higher sequence number. Past the end there are none. */
  after?: number | undefined
  /** At most so many, the earliest ones. */
  limit?: number | undefined
}

/** One member of a set. */
export interface SetMember {
  member: string
  score: number
}

/** How a member is put into a set. */
export interface PutOptions extends Expiry {
  /** `absent`: put only when the set has no such member. A number: put only when this is the member's score. */
  if?: 'absent' | number | undefined
}

/** How a member is removed from a set. */
export interface RemoveOptions {
  /** Remove only when this is the member's score. */
  if?: number | undefined
}

/** Which part of a set is read, in which direction. */
export interface RangeOptions {
  /**
   * Where to begin, in the direction of travel; at the end of the set where that begins unless given. With a score alone,
   * at that score, members that have it included. With a member as well, after the place that the two name: neither has
   * to be in the set, so the last member of one page is the cursor for the next, whatever was put or removed meanwhile.
   */
  from?: { score: number; member?: string | undefined } | undefined
  /** The last score to read, members that have it included: the highest one, or the lowest with `reverse`. */
  to?: number | undefined
  /** From the highest score to the lowest; members of equal score in reverse order, too. */
  reverse?: boolean | undefined
  /** At most so many. A whole number, not negative. */
  limit: number
}

/** How far members are counted. */
export interface CountOptions {
  /** Where counting stops. A whole number, not negative. */
  upTo: number
}

/** Takes the messages of a topic. It handles its own errors: what it throws is dropped, and stops nobody else. */
export type Listener = (message: JsonValue) => void

/** Ends a subscription: once it has resolved, the listener is not called again. Calling it twice is harmless. */
export type Unsubscribe = () => Promise<void>

/**
 * Where calls, sessions, desks and tokens are kept. `testStore` checks an implementation against this contract.
 *
 * **Names.** Keys, logs, sets and topics are four separate name spaces. Any string is a name, whatever its length: the empty
 * one, NUL, lone surrogates and `__proto__` too. Two names are the same only when `===` says so: nothing is trimmed,
 * folded or normalised. (`JSON.stringify(name)` is a faithful form without NUL and lone surrogates.)
 *
 * **Values.** What comes back is `JSON.parse(JSON.stringify(value))`: `'456'` stays a string, properties keep their
 * order, every string survives. A value of 1 MB works. What has no JSON at all (`undefined`, a function, a bigint, a
 * cycle) is a `TypeError`, and nothing is written. A value is taken when the method is called, awaited or not, and each
 * reader gets a copy of its own: later changes to either reach nobody.
 *
 * **Sets.** A set has members, each once, with a score each. It is ordered by score, and members of equal score by their
 * bytes. A member is an id of 1 to 256 printable ASCII characters (space to `~`): one that is not a string is a
 * `TypeError`, any other a `RangeError`. A score is any finite number, kept exactly (-0 is 0), else a `RangeError`. A set is
 * there while it has members: the first one begins it, and with the last one its expiry is gone, too.
 *
 * **Calls.** Each method takes effect at one moment, wholly or not at all, and is in effect when its promise resolves:
 * a reader after that, on any handle, sees it. Writes to one key, log, member of a set or topic through one handle take effect in
 * the order of their calls, awaited or not. Every failure is a rejection, never a throw. When a method rejects because the
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
   *
   * `puts` and `removals` are in effect when it resolves to a number. When it resolves to `undefined`, nothing was removed, and
   * some may have been put: a store whose sets are on several servers puts them first. When it rejects, any part of it may have
   * taken effect, but no entry before every put, and no removal before the entries.
   */
  append(log: string, entries: readonly JsonValue[], options?: AppendOptions): Promise<number | undefined>

  /**
   * The entries of the log in order, as of one moment: of one `append`, all or none. Empty when the log is absent. What was
   * trimmed is left out: reading after an earlier number begins with the earliest entry that is left.
   */
  read(log: string, options?: ReadOptions): Promise<LogEntry[]>

  /**
   * Forgets the entries up to this number, itself included; a whole number, not negative, else a `RangeError`. The others
   * keep their numbers, and numbering goes on from the last one ever given, also when no entry is left: such a log is still
   * there, for `append`, `erase` and its expiry. An absent log stays absent; a number past the end takes no entry to come.
   */
  trim(log: string, upTo: number): Promise<void>

  /** Makes the log absent: the next entry is number 1. True when there was one, if only a trimmed one without entries. */
  erase(log: string): Promise<boolean>

  /**
   * Puts the member into the set at this score; one that is there moves. True when it did: always, without `if`. With `if`,
   * false when the set is not as that says, and then nothing changed: of several at once with the same `if` exactly one
   * succeeds, unless they put the very score that they ask for.
   *
   * `expiresAt` moves the expiry of the whole set, as `append` does for a log; without it the expiry stays as it is. With
   * one that has passed the whole set is gone, and this is still true.
   */
  put(set: string, member: string, score: number, options?: PutOptions): Promise<boolean>

  /**
   * Takes the member out of the set. True when it was there, and its score was that of `if`; else nothing changed. Of several
   * at once exactly one gets true. The expiry of the set stays as it is while there are other members.
   */
  remove(set: string, member: string, options?: RemoveOptions): Promise<boolean>

  /** Members of the set in order, as of one moment. Empty when the set is absent, or `to` is behind `from`. */
  range(set: string, options: RangeOptions): Promise<SetMember[]>

  /**
   * Replaces values where they are, those of keys and those in logs, so that they can be sealed again: versions, numbers and
   * expiry stay. `change` gives what to put there, or undefined to leave it; it may be asked about one value twice. Replaces no
   * value that another was put in place of meanwhile. Resolves to how many were replaced. Not every store can.
   */
  rewrite?(change: (value: JsonValue) => JsonValue | undefined): Promise<number>

  /** How many members the set has, but `upTo` when it has more: what it costs is bounded by that. 0 when it is absent. */
  count(set: string, options: CountOptions): Promise<number>

  /**
   * Sends a hint to all who are subscribed to the topic now, on every handle, this one included. Each subscription gets
   * it at most once, in the order that one handle published them. Nobody may depend on getting it: what matters is in a
   * key or a log. A message is at most 7,500 bytes of JSON, else a `RangeError`.
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
