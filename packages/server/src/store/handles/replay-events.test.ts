import { expect, it } from 'vitest'
import { memoryStore } from '../memory-store.js'
import { EventLog } from './event-log.js'
import type { EventLogOptions } from './event-log-options.js'
import { type ReplayedEvent, replayEvents } from './replay-events.js'

type Names = readonly string[]
type Options = EventLogOptions<Names, { readonly add: string }>
type Told = ReplayedEvent<Names, { readonly add: string }>

const snapshots = {
  every: 4,
  encode: (names: Names) => [[...names.slice(0, 1)], [...names.slice(1)]],
  decode: (pieces: readonly unknown[]) => pieces.flat() as string[],
}

it('gives each event the id and the states that it had when it was told, after a snapshot, too', async () => {
  const store = memoryStore()
  const told: Told[] = []
  const options: Options = { store, name: 'log', empty: [], reduce: (names, { add }) => [...names, add], snapshots }
  const log = new EventLog({
    ...options,
    onEvent: (event, { id, before, after }) => told.push({ event, id, before, after }),
  })
  for (let n = 0; n < 23; n += 2)
    await log.write(() => ({ events: [{ add: `${n}` }, { add: `${n + 1}` }], result: undefined }))
  const replayed = await replayEvents(options)
  expect(replayed.length).toBeGreaterThan(3)
  expect(replayed.length).toBeLessThan(24)
  expect(replayed).toEqual(told.slice(-replayed.length))
  expect(new Set(told.map(({ id }) => id)).size).toBe(24)
})
