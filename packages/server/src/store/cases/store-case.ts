import assert from 'node:assert/strict'
import type { JsonValue } from '../json.js'
import type { Store } from '../store.js'

/** A clock that a test moves. */
export interface TestClock {
  now(): number
  advance(ms: number): void | Promise<void>
}

/** What every case gets: a fresh store, and all handles on it, the first one included. */
export interface Subject {
  store: Store
  handles: readonly Store[]
  /** The time, by the test's clock or else the real one. */
  now(): number
}

/** One promise of the contract, put to the test. */
export type StoreCase =
  | { title: string; needs?: never; run(subject: Subject): Promise<void> }
  | { title: string; needs: 'clock'; run(subject: Subject & { clock: TestClock }): Promise<void> }
  | { title: string; needs: 'second'; run(subject: Subject & { second: Store }): Promise<void> }

/** Equal in everything that JSON can tell apart, the order of properties too. */
export function assertSame(actual: unknown, expected: unknown): void {
  // To write out both takes long where they are large, and tells more only where they differ.
  if (!isSame(actual, expected)) assert.equal(JSON.stringify(actual), JSON.stringify(expected))
}

/** Whether they are certain to be the same as JSON. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other && typeof one !== 'bigint') return true
  if (!isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  const others = Object.keys(other)
  if (keys.length !== others.length || one.length !== other.length) return false
  return keys.every((key, index) => key === others[index] && isSame(one[key], other[key]))
}

/** Whether it is written as what it has. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || prototype === Array.prototype
}

/** So many callers, taking turns on the handles. */
export function many(count: number, handles: readonly Store[]): Store[] {
  return Array.from({ length: count }, () => handles)
    .flat()
    .slice(0, count)
}

/** Changes a value of the form `{ list: [...] }` in place. */
export function pushToList(value: JsonValue | undefined, item: JsonValue): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) assert.fail('there is no object to change')
  assert.ok(Array.isArray(value.list))
  value.list.push(item)
}

/** Asserts what a key holds; `undefined` for an absent one. */
export async function assertHolds(store: Store, key: string, expected: JsonValue | undefined): Promise<void> {
  assertSame((await store.get(key))?.value, expected)
}

/** Asserts the values of a log, and that its numbers are 1, 2, 3 and so on. */
export async function assertLog(store: Store, log: string, expected: readonly JsonValue[]): Promise<void> {
  assertSame(
    await store.read(log),
    expected.map((value, index) => ({ seq: index + 1, value })),
  )
}

/** Asserts that every promise rejects with this kind of error, and that none was thrown instead. */
export async function assertRejects(type: ErrorConstructor, calls: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const call of calls) await assert.rejects(call, error => error instanceof type)
}
