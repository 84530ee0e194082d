import { describe, expect, it } from 'vitest'
import { dropOldest } from './drop-oldest.js'
import { Fifo } from './fifo.js'
import { SerialQueue } from './serial-queue.js'

describe('a serial queue', () => {
  it('starts a task when the one before it has settled, also where that failed', async () => {
    const queue = new SerialQueue()
    const seen: string[] = []
    let fail = (_reason: Error) => {}
    const one = queue.run(() => {
      seen.push('one')
      return new Promise<string>((_, reject) => {
        fail = reject
      })
    })
    const two = queue.run(() => {
      seen.push('two')
      return 2
    })
    await new Promise(resolve => setTimeout(resolve, 0))
    expect(seen).toEqual(['one'])
    fail(new Error('failed'))
    await expect(one).rejects.toThrow('failed')
    await expect(two).resolves.toBe(2)
    expect(seen).toEqual(['one', 'two'])
  })

  it('rejects a task that throws, and settles after the last', async () => {
    const queue = new SerialQueue()
    let isDone = false
    const thrown = queue.run(() => {
      throw new Error('at once')
    })
    void queue.run(async () => {
      isDone = true
    })
    await Promise.all([expect(thrown).rejects.toThrow('at once'), queue.settled()])
    expect(isDone).toBe(true)
  })
})

it('drops the entry that was added first, and only above the bound', () => {
  const map = new Map([
    ['a', 1],
    ['b', 2],
  ])
  dropOldest(map, 2)
  expect([...map.keys()]).toEqual(['a', 'b'])
  dropOldest(map, 1)
  expect([...map.keys()]).toEqual(['b'])
  const set = new Set(['a', 'b', 'c'])
  dropOldest(set, 2)
  expect([...set]).toEqual(['b', 'c'])
})

describe('first in, first out', () => {
  it('gives what was put in, in order, while more is put in', () => {
    const fifo = new Fifo<number>()
    const taken: (number | undefined)[] = []
    for (let at = 0; at < 5_000; at++) {
      fifo.push(at)
      if (at % 3 !== 0) taken.push(fifo.shift())
    }
    expect([...taken, ...fifo]).toEqual(Array.from({ length: 5_000 }, (_, at) => at))
    expect(fifo.size).toBe(5_000 - taken.length)
  })

  it('has nothing to give when it is empty', () => {
    const fifo = new Fifo<number>()
    fifo.push(1)
    expect([fifo.shift(), fifo.shift(), fifo.size]).toEqual([1, undefined, 0])
    fifo.push(2)
    expect([...fifo]).toEqual([2])
  })

  it('takes the first of very many as fast as of a few', () => {
    const fifo = new Fifo<number>()
    const array: number[] = []
    for (let at = 0; at < 200_000; at++) {
      fifo.push(at)
      array.push(at)
    }
    const timeOf = (take: () => unknown) => {
      const began = performance.now()
      for (let time = 0; time < 3_000; time++) take()
      return performance.now() - began
    }
    // An array moves all that is left, which is what this is for.
    expect(timeOf(() => fifo.shift())).toBeLessThan(timeOf(() => array.shift()) / 3)
  })
})
