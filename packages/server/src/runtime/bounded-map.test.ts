import { describe, expect, it } from 'vitest'
import { BoundedMap } from './bounded-map.js'

function bounded(max: number, maxBytes?: number) {
  const evicted: string[] = []
  const map = new BoundedMap<string, number>({ max, maxBytes, onEvict: (_, key) => evicted.push(key) })
  return { map, evicted }
}

describe('a bounded map', () => {
  it('lets the oldest go when there are too many', () => {
    const { map, evicted } = bounded(2)
    for (const key of ['a', 'b', 'c']) map.set(key, 1)
    expect([...map.entries()]).toEqual([
      ['b', 1],
      ['c', 1],
    ])
    expect(evicted).toEqual(['a'])
  })

  it('counts what is set again as young, with its new value and bytes', () => {
    const { map, evicted } = bounded(3, 100)
    map.set('a', 1, 10)
    map.set('b', 2, 20)
    map.set('c', 3, 30)
    map.set('a', 4, 40)
    expect([map.size, map.bytes, map.get('a')]).toEqual([3, 90, 4])
    expect([...map.entries()].map(([key]) => key)).toEqual(['b', 'c', 'a'])
    map.set('d', 5, 1)
    expect(evicted).toEqual(['b'])
    map.set('c', 6, 60)
    expect([evicted, map.bytes]).toEqual([['b', 'a'], 61])
  })

  it('stays in order whatever is deleted', () => {
    const { map } = bounded(9)
    for (const key of ['a', 'b', 'c', 'd']) map.set(key, 1, 5)
    expect([map.delete('b'), map.delete('b'), map.delete('d'), map.delete('a')]).toEqual([true, false, true, true])
    map.set('e', 2, 1)
    map.set('c', 3, 2)
    expect([[...map.entries()], map.bytes]).toEqual([
      [
        ['e', 2],
        ['c', 3],
      ],
      3,
    ])
  })

  it('goes through everything while entries are deleted', () => {
    const { map } = bounded(9)
    for (const key of ['a', 'b', 'c']) map.set(key, 1)
    const seen: string[] = []
    for (const [key] of map.entries()) {
      seen.push(key)
      map.delete(key)
    }
    expect([seen, map.size]).toEqual([['a', 'b', 'c'], 0])
  })

  it('keeps one that is too large by itself', () => {
    const { map, evicted } = bounded(9, 10)
    map.set('a', 1, 50)
    expect([map.size, evicted]).toEqual([1, []])
    map.set('b', 1, 5)
    expect([[...map.values()].length, evicted]).toEqual([1, ['a']])
  })
})

it('goes through its entries without those that go meanwhile', () => {
  const map = new BoundedMap<string, number>({ max: 10 })
  for (const number of [1, 2, 3]) map.set(`${number}`, number)
  const seen: [string, number][] = []
  for (const entry of map.entries()) {
    seen.push(entry)
    if (entry[1] === 1) for (const key of ['1', '2']) map.delete(key)
  }
  expect(seen).toEqual([
    ['1', 1],
    ['3', 3],
  ])
})
