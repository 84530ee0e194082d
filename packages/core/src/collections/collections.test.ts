import { describe, expect, it } from 'vitest'
import { dropOldest } from './drop-oldest.js'
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
