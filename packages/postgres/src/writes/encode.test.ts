import { expect, it } from 'vitest'
import { encodeWrites } from './encode.js'
import type { Write } from './write.js'

it('puts writes in the order of their rows, keeps those of one row as they came, and knows where each went', () => {
  const writes: Write[] = [
    { kind: 'append', name: 'b', expected: 0, values: ['1', '2'], expiresAt: 5, names: [] },
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
    [null, null, null, null, null, null],
    [null, null, null, null, null, null],
    null,
    null,
    null,
    [],
    [],
  ])
  expect(places).toEqual([5, 1, 0, 2, 3, 4])
})

it('puts the members of a set in their order, unless one of the writes gives the set an expiry', () => {
  const put = (name: string, member: string, score: number, expiresAt?: number): Write => {
    return { kind: 'put', name, member, score, expected: 'absent', expiresAt }
  }
  const { values, places } = encodeWrites([
    put('later', 'b', 1),
    put('later', 'a', 2, 9),
    put('set', 'b', 3),
    put('set', 'a', 4),
    { kind: 'remove', name: 'set', member: 'b', expected: 3 },
    { kind: 'trim', name: 'log', upTo: 7 },
  ])
  expect(values).toEqual([
    ['trim', 'put', 'put', 'put', 'put', 'remove'],
    ['log', 'later', 'later', 'set', 'set', 'set'],
    [7, 'absent', 'absent', 'absent', 'absent', 3],
    [null, null, 9, null, null, null],
    [0, 1, 1, 1, 1, 1],
    ['b', 'a', 'a', 'b', 'b'],
    [null, 1, 2, 4, 3, null],
    [null, null, null, null, null, null],
    null,
    null,
    null,
    [],
    [],
  ])
  expect(places).toEqual([1, 2, 4, 3, 5, 0])
})

it('puts the names of an append behind it, where they know how it ended', () => {
  const put = { kind: 'put', name: 'set', member: 'm', score: 1, expected: undefined, expiresAt: undefined } as const
  const append = (name: string): Write => {
    return { kind: 'append', name, expected: 0, values: ['1'], expiresAt: undefined, names: [put] }
  }
  const { values, places } = encodeWrites([append('b'), append('a'), { kind: 'delete', name: 'k' }])
  expect(values.slice(0, 2)).toEqual([
    ['delete', 'append', 'append', 'put', 'put'],
    ['k', 'a', 'b', 'set', 'set'],
  ])
  expect(values.slice(7)).toEqual([[null, null, null, 3, 2], 2, 3, null, [1, 2], [1, 1]])
  expect(places).toEqual([2, 1, 0])
})

it('says which appends and which changes of sets can be written at once: each of a row of its own, and plain', () => {
  const append = (name: string, expected?: number): Write => {
    return { kind: 'append', name, expected, values: ['1'], expiresAt: undefined, names: [] }
  }
  const put = (member: string, expected?: 'absent'): Write => {
    return { kind: 'put', name: 'set', member, score: 1, expected, expiresAt: undefined }
  }
  const remove: Write = { kind: 'remove', name: 'set', member: 'm', expected: undefined }
  const togetherOf = (...writes: Write[]) => encodeWrites(writes).values.slice(8, 11)
  expect(togetherOf(append('b', 1), append('a', 0), put('n'), remove)).toEqual([1, 2, 3])
  expect(togetherOf({ kind: 'delete', name: 'k' }, append('a', 1))).toEqual([2, 2, null])
  expect(togetherOf({ kind: 'delete', name: 'k' }, put('m'))).toEqual([null, null, 2])
  expect(togetherOf(append('a', 1), append('a', 2), put('m'), remove)).toEqual([null, null, null])
  expect(togetherOf(append('a'), append('b', 1))).toEqual([null, null, null])
  expect(togetherOf(put('m', 'absent'))).toEqual([null, null, null])
  expect(togetherOf({ kind: 'trim', name: 'a', upTo: 1 }, append('b', 1))).toEqual([null, null, null])
})

it('says of which of the appends that are written at once each content is', () => {
  const append = (name: string, values: string[]): Write => {
    return { kind: 'append', name, expected: 1, values, expiresAt: undefined, names: [] }
  }
  const { values } = encodeWrites([
    append('b', ['3']),
    append('a', ['1', '2']),
    { kind: 'set', name: 'k', value: '0', expiresAt: undefined },
  ])
  expect(values[5]).toEqual(['0', '1', '2', '3'])
  expect(values.slice(11)).toEqual([
    [1, 1, 2],
    [1, 2, 1],
  ])
})
