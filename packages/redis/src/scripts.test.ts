import { expect, it } from 'vitest'
import { scripts } from './scripts.js'

// That one is for a Redis that has all keys.
const { beckonAppendAll: _, ...forAnyKey } = scripts

it.each(Object.entries(forAnyKey))('%s touches one key, so that a Cluster can run it', (_, { numberOfKeys, lua }) => {
  expect(numberOfKeys).toBe(1)
  const keys = [...lua.matchAll(/redis\.call\('(\w+)', ([^,)]+)/g)].map(([, command, key]) => [command, key])
  expect(keys).not.toEqual([])
  for (const [command, key] of keys) expect(key).toBe(command === 'PUBLISH' ? 'ARGV[1]' : 'KEYS[1]')
})
