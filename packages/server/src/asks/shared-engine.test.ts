import { expect, it } from 'vitest'
import { memoryStore } from '../store/memory-store.js'
import { sharedEngine } from './shared-engine.js'

it('keeps a store open when one of many key rings goes', async () => {
  const store = memoryStore()
  const engines = Array.from({ length: 66 }, (_, index) => sharedEngine({ store, keys: `${index}`.padStart(32, 'k') }))
  await new Promise(resolve => setImmediate(resolve))
  await engines.at(-1)?.store.set('key', 1)
  expect(await store.get('asks/key')).toMatchObject({ value: 1 })
  await expect(engines[0]?.store.get('key')).rejects.toThrow()
})

it('has an engine for each group of servers that share what they know of people', () => {
  const store = memoryStore()
  const engineOf = (people?: string) => sharedEngine({ store, people })
  expect(engineOf('shop')).toBe(engineOf('shop'))
  expect(engineOf('shop')).not.toBe(engineOf('bank'))
  expect(engineOf('shop')).not.toBe(engineOf())
})
