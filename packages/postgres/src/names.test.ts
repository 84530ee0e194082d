import { expect, it } from 'vitest'
import { storedName } from './names.js'

it('keeps a short name readable, without what a database cannot hold', () => {
  expect(storedName('call/1')).toBe('"call/1"')
  expect(storedName('\u0000\ud800')).toBe('"\\u0000\\ud800"')
})

it('keeps a long name short enough for an index, and apart from every other', () => {
  const names = ['x'.repeat(798), 'x'.repeat(799), 'x'.repeat(50_000), '日'.repeat(798), '日'.repeat(799)]
  const stored = names.map(storedName)
  expect(new Set(stored).size).toBe(names.length)
  for (const name of stored) expect(Buffer.byteLength(name)).toBeLessThan(2_700)
  // Somebody may call a key by the digest of another.
  expect(storedName(`${stored[2]}`)).not.toBe(stored[2])
})
