import assert from 'node:assert/strict'
import type { JsonValue } from '../json.js'
import type { Store } from '../store.js'
import { assertHolds, assertLog, assertRejects, assertSame, pushToList, type StoreCase } from './store-case.js'

const values: Record<string, JsonValue> = {
  'a string of digits': '456',
  'other strings that look like JSON': ['', 'null', 'true', '"', '{}', '[1]', 'undefined', '1e3', ' 1 '],
  numbers: [0, 1, -1, 0.1, 1e21, 5e-324, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
  'the number 456': 456,
  zero: 0,
  true: true,
  false: false,
  null: null,
  'an empty string': '',
  'an empty array': [],
  'an empty object': {},
  'nested values': { a: [{ b: [] }, [[{}]], null], c: { d: { e: [0, false, ''] } } },
  'properties in their order': { z: 1, a: 2, '': 3, m: 4 },
  unicode: ['äöü', '日本語', '👩‍👩‍👧', 'e\u0301', '\u00e9', '\u200f', '\ufeff', '\u2028', '\uffff'],
  'control characters and NUL': ['\u0000', 'a\u0000b', '\u0001\u001f\u007f', '\r\n\t\\'],
  'lone surrogates': ['\ud800', '\udfff', 'a\ud83d', '\udc4d\ud83d', { '\ud800': 1 }],
  'a property named __proto__': JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}'),
  'a string of 1 MB': 'x'.repeat(1_000_000),
  'an array of 1 MB': Array.from({ length: 2_000 }, (_, index) => ({ index, text: 'ü'.repeat(500) })),
  'a value 500 levels deep': JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
}

export const valueCases: readonly StoreCase[] = [
  ...Object.entries(values).map(
    ([name, value]): StoreCase => ({
      title: `keeps ${name} exactly`,
      async run({ store }) {
        await store.set('set', value)
        await store.compareAndSet('compared', undefined, value)
        await store.append('log', [value, value])
        await assertHolds(store, 'set', value)
        await assertHolds(store, 'compared', value)
        await assertLog(store, 'log', [value, value])
      },
    }),
  ),
  {
    title: 'keeps what JSON.stringify makes of a value',
    async run({ store }) {
      const odd = unchecked({ at: new Date(0), none: undefined, list: [undefined, Number.NaN], negative: -0 })
      await store.set('key', odd)
      await assertHolds(store, 'key', { at: '1970-01-01T00:00:00.000Z', list: [null, null], negative: 0 })
      await store.set('key', -0)
      assert.equal((await store.get('key'))?.value, 0)
    },
  },
  {
    title: 'refuses what has no JSON with a TypeError, and writes nothing',
    async run({ store }) {
      const cycle: JsonValue[] = []
      cycle.push(cycle)
      await store.set('key', 'before')
      const version = (await store.get('key'))?.version
      for (const bad of [undefined, () => 1, Symbol('s'), 1n, { deep: [1n] }, cycle]) {
        await assertRejects(TypeError, writesOf(store, unchecked(bad), version))
      }
      assertSame(await store.get('key'), { value: 'before', version })
      await assertHolds(store, 'absent', undefined)
      await assertLog(store, 'log', [])
    },
  },
  {
    title: 'takes a value when it is called, before anybody waits',
    async run({ store }) {
      const value = { list: [1] }
      const entries = [value]
      const calls = [
        store.set('set', value),
        store.compareAndSet('compared', undefined, value),
        store.append('log', entries),
      ]
      value.list.push(2)
      entries.push(value)
      await Promise.all(calls)
      value.list.push(3)
      await assertHolds(store, 'set', { list: [1] })
      await assertHolds(store, 'compared', { list: [1] })
      await assertLog(store, 'log', [{ list: [1] }])
    },
  },
  {
    title: 'gives each reader a copy of its own',
    async run({ store }) {
      await store.set('key', { list: [1] })
      await store.append('log', [{ list: [1] }])
      pushToList((await store.get('key'))?.value, 2)
      const entries = await store.read('log')
      pushToList(entries[0]?.value, 2)
      entries.pop()
      await assertHolds(store, 'key', { list: [1] })
      await assertLog(store, 'log', [{ list: [1] }])
    },
  },
]

function writesOf(store: Store, bad: JsonValue, version: string | number | undefined): (() => Promise<unknown>)[] {
  return [
    () => store.set('key', bad),
    () => store.compareAndSet('key', version, bad),
    () => store.compareAndSet('absent', undefined, bad),
    () => store.append('log', ['good', bad]),
    () => store.publish('topic', bad),
  ]
}

// The compiler lets none of these through; a caller in JavaScript has no such help.
function unchecked(value: unknown): JsonValue {
  return value as JsonValue
}
