import { expect, it } from 'vitest'
import { encodeWrites } from './encode.js'
import type { Write } from './write.js'

it('puts writes in the order of their rows, keeps those of one row as they came, and knows where each went', () => {
  const writes: Write[] = [
    { kind: 'append', name: 'b', expected: 0, values: ['1', '2'], expiresAt: 5 },
    { kind: 'set', name: 'c', value: '3', expiresAt: undefined },
    { kind: 'compareAndSet', name: 'a', expected: '7', value: '4', expiresAt: 0 },
    { kind: 'delete', name: 'c' },
    { kind: 'set', name: 'c', value: '5', expiresAt: undefined },
    { kind: 'erase', name: 'a' },
  ]
  const { values, places } = encodeWrites(writes)
  expect(values).toEqual([
    ['compareAndSet', 'set', 'delete', 'set', 'erase', 'append'],
    ['a', 'c', 'c', 'c', 'a', 'b'],
    ['7', null, null, null, null, 0],
    [0, null, null, null, null, 5],
    [1, 1, 0, 1, 0, 2],
    ['4', '3', '5', '1', '2'],
  ])
  expect(places).toEqual([5, 1, 0, 2, 3, 4])
})
