import assert from 'node:assert/strict'
import { collect } from './collect.js'
import { assertHolds, assertLog, type StoreCase } from './store-case.js'

// Each differs from some other in a way that a database or a wire could lose.
const names: readonly string[] = [
  ...['', ' ', '  ', 'a', 'A', 'a ', ' a', '\t', '\n', '\r\n', '\u200b', '\ufeff'],
  ...['\u00e1', 'a\u0301', 'ß', 'ss', 'ı', 'i', 'I', 'İ', '日本語', '👍', '👍🏽'],
  ...['\u0000', 'a\u0000', 'a\u0000b', '\ufffd', '\ud800', '\udbff', '\udc00', 'a\ud83d'],
  ...['%', '_', '*', '?', '[a]', '{a}', '{a}b', '{b}a', '{}', ':', 'a:b', 'a::b', '/', '../a', '.', '..'],
  ...["'", "''", '"', '""', '"a"', '`', '\\', '\\\\', '\\u0000', '\\0', '$1', '--', ';'],
  ...['0', '00', '-0', '1', '1.0', '1e0', 'NaN', 'null', 'undefined', 'true'],
  ...['__proto__', 'constructor', 'hasOwnProperty', 'toString'],
  ...['x'.repeat(50_000), `${'x'.repeat(49_999)}y`, '\u00e1'.repeat(3_000), 'a\u0301'.repeat(3_000)],
]

export const nameCases: readonly StoreCase[] = [
  {
    title: 'takes any string as a key, and mixes none up',
    async run({ store }) {
      await forEachName(name => assertHolds(store, name, undefined))
      await forEachName((name, index) => store.set(name, index))
      await forEachName((name, index) => assertHolds(store, name, index))
      await forEachName(async name => assert.equal(await store.delete(name), true))
      await forEachName(async name => assert.equal(await store.delete(name), false))
    },
  },
  {
    title: 'takes any string as a log, and mixes none up',
    async run({ store }) {
      await forEachName(async (name, index) => assert.equal(await store.append(name, [index]), 1))
      await forEachName((name, index) => assertLog(store, name, [index]))
      await forEachName(async name => assert.equal(await store.erase(name), true))
      await forEachName(async name => assert.equal(await store.erase(name), false))
    },
  },
  {
    title: 'takes any string as a set, and mixes none up',
    async run({ store }) {
      await forEachName(async (name, index) => assert.equal(await store.put(name, 'a', index), true))
      await forEachName(async (name, index) => {
        assert.deepEqual(await store.range(name, { limit: 9 }), [{ member: 'a', score: index }])
      })
      await forEachName(async name => assert.equal(await store.remove(name, 'a'), true))
      await forEachName(async name => assert.equal(await store.count(name, { upTo: 9 }), 0))
    },
  },
  {
    title: 'takes any string as a topic, and mixes none up',
    async run({ store }) {
      await forEachName(async (name, index) => {
        const received = collect()
        await store.subscribe(name, received.add)
        await store.publish(name, index)
        await received.assertReceived([index])
      })
    },
  },
  {
    title: 'keeps keys, logs, sets and topics of the same name apart',
    async run({ store }) {
      const received = collect()
      await store.subscribe('name', received.add)
      await store.set('name', 'a key')
      await assertLog(store, 'name', [])
      assert.equal(await store.erase('name'), false)
      await store.append('name', ['a log'])
      await assertHolds(store, 'name', 'a key')
      assert.equal(await store.delete('name'), true)
      await assertLog(store, 'name', ['a log'])
      assert.notEqual(await store.compareAndSet('name', undefined, 'again'), undefined)
      assert.equal(await store.erase('name'), true)
      await assertHolds(store, 'name', 'again')
      assert.equal(await store.count('name', { upTo: 9 }), 0)
      await store.append('name', ['a log'])
      await store.put('name', 'a', 1)
      assert.equal(await store.delete('name'), true)
      assert.equal(await store.erase('name'), true)
      assert.equal(await store.count('name', { upTo: 9 }), 1)
      await store.publish('name', 'a message')
      await received.assertReceived(['a message'])
    },
  },
]

async function forEachName(run: (name: string, index: number) => Promise<void>): Promise<void> {
  await Promise.all(
    names.map((name, index) =>
      run(name, index).catch((cause: unknown) => {
        throw new assert.AssertionError({ message: `with the name ${JSON.stringify(name).slice(0, 60)}: ${cause}` })
      }),
    ),
  )
}
