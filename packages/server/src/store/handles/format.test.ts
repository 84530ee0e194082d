import { expect, it } from 'vitest'
import { memoryStore } from '../memory-store.js'
import { Cell, EventLog } from './index.js'

it('reads nothing that a later program wrote in another way', async () => {
  const store = memoryStore()
  await store.set('cell', { v: 2, d: 'other' })
  await store.append('log', [{ v: 2, w: 'id', p: '', e: [] }])
  const message = 'was written in format 2, and this program reads format 1. Run the later program.'
  const cell = new Cell<string>(store, 'cell')
  await expect(cell.get()).rejects.toThrow(`"cell" ${message}`)
  await expect(cell.update(() => ({ value: 'ours', result: undefined }))).rejects.toThrow(message)
  const log = new EventLog<number, { add: number }>({
    store,
    name: 'log',
    empty: 0,
    reduce: (sum, { add }) => sum + add,
  })
  await expect(log.read()).rejects.toThrow(`"log" ${message}`)
  await expect(log.write(() => ({ events: [{ add: 1 }], result: undefined }))).rejects.toThrow(message)
})
