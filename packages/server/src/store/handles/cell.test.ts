import { describe, expect, it } from 'vitest'
import { memoryStore } from '../memory-store.js'
import type { Store } from '../store.js'
import { Cell } from './cell.js'

interface Count {
  readonly count: number
}

function add(cell: Cell<Count>): Promise<number> {
  return cell.update((current = { count: 0 }) => {
    const count = current.count + 1
    return { value: { count }, result: count }
  })
}

describe('a cell', () => {
  it('counts everyone who changes it at once', async () => {
    const store = memoryStore()
    const counts = await Promise.all(Array.from({ length: 20 }, () => add(new Cell(store, 'key'))))
    expect(new Set(counts).size).toBe(20)
    expect(await new Cell<Count>(store, 'key').get()).toEqual({ count: 20 })
  })

  it('is left as it is, or removed, when that is what comes of it', async () => {
    const cell = new Cell<Count>(memoryStore(), 'key')
    expect(await cell.update(current => ({ result: current }))).toBeUndefined()
    await add(cell)
    expect(await cell.update(current => ({ result: current?.count }))).toBe(1)
    expect(await cell.update(() => ({ isRemoved: true, result: 'gone' }))).toBe('gone')
    expect(await cell.get()).toBeUndefined()
    expect(await cell.delete()).toBe(false)
  })

  it('keeps a format number with what is in it', async () => {
    const store = memoryStore()
    await new Cell<Count>(store, 'key').set({ count: 7 })
    expect((await store.get('key'))?.value).toEqual({ v: 1, d: { count: 7 } })
  })

  it('gives up when somebody else is always quicker', async () => {
    const store: Store = { ...memoryStore(), compareAndSet: async () => undefined }
    await expect(add(new Cell(store, 'key'))).rejects.toThrow('Too many processes changed this at once')
  })
})
