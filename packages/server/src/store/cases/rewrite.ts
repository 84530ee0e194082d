import assert from 'node:assert/strict'
import type { JsonValue } from '../json.js'
import { assertLog, type StoreCase } from './store-case.js'

/** What comes again is counted again. */
const once = (value: JsonValue) => (typeof value === 'string' && !value.startsWith('new ') ? `new ${value}` : undefined)

/** Of a store that can replace values where they are. */
export const rewriteCases: readonly StoreCase[] = [
  {
    title: 'replaces values where they are, and leaves versions, numbers and other values',
    async run({ store, now }) {
      if (store.rewrite === undefined) return
      await store.set('key', 'a')
      await store.set('other', { a: 1 })
      await store.set('due', 'd', { expiresAt: now() + 600_000 })
      await store.append('log', ['x', 'y', { z: 1 }, 'z'])
      await store.trim('log', 1)
      await store.append('untouched', [1, 2])
      const [key, other] = [await store.get('key'), await store.get('other')]
      assert.equal(await store.rewrite(once), 4)
      assert.deepEqual(await store.get('key'), { value: 'new a', version: key?.version })
      assert.deepEqual(await store.get('other'), other)
      assert.equal((await store.get('due'))?.value, 'new d')
      assert.deepEqual(await store.read('log'), [
        { seq: 2, value: 'new y' },
        { seq: 3, value: { z: 1 } },
        { seq: 4, value: 'new z' },
      ])
      assert.equal(await store.append('log', ['more'], { after: 4 }), 5)
      assert.notEqual(await store.compareAndSet('key', key?.version, 'b'), undefined)
      await assertLog(store, 'untouched', [1, 2])
      assert.equal(await store.rewrite(() => undefined), 0)
    },
  },
  {
    title: 'replaces more values than it looks at in one go',
    async run({ store }) {
      if (store.rewrite === undefined) return
      const names = Array.from({ length: 1_300 }, (_, nth) => `k${nth}`)
      await Promise.all(names.map(name => store.set(name, name)))
      await store.append('log', names)
      assert.equal(await store.rewrite(once), 2 * names.length)
      for (const name of names) assert.equal((await store.get(name))?.value, `new ${name}`)
      await assertLog(
        store,
        'log',
        names.map(name => `new ${name}`),
      )
    },
  },
]
