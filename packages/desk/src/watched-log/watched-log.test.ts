import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WatchedLog } from './watched-log.js'

interface Added {
  readonly added: number
}

let clock: TestClock
let store: Store
let isAway: boolean
const open: { close(): Promise<void> }[] = []

beforeEach(() => {
  clock = createTestClock()
  isAway = false
  store = memoryStore({ clock })
})
afterEach(async () => {
  for (const log of open.splice(0)) await log.close()
})

/** What one node knows of the log. */
function nodeOf(over: Partial<Store> = {}): WatchedLog<number, Added, number> {
  const log = new WatchedLog<number, Added, number>({
    store: { ...store, ...over },
    name: 'sum',
    clock,
    empty: 0,
    reduce: (sum, { added }) => sum + added,
    itemsOf: sum => [sum],
    fromItems: ([sum = 0]) => sum,
    pieceItems: 1,
  })
  open.push(log)
  return log
}

const add = (log: WatchedLog<number, Added, number>, added: number): Promise<undefined> =>
  log.write(() => ({ events: [{ added }], result: undefined }))

const settled = (): Promise<void> => clock.advance(0)

it('keeps up with what other nodes write, by hints', async () => {
  const [here, there] = [nodeOf(), nodeOf()]
  await there.read()
  await add(here, 1)
  await settled()
  expect(there.known()).toBe(1)
})

it('hears hints again soon after the store was away when it began', async () => {
  isAway = true
  const subscribe: Store['subscribe'] = async (...args) => {
    if (isAway) throw new Error('away')
    return store.subscribe(...args)
  }
  const [here, there] = [nodeOf(), nodeOf({ subscribe })]
  await there.read()
  await settled()
  isAway = false
  await clock.advance(10_000)
  await add(here, 1)
  await settled()
  expect(there.known()).toBe(1)
})

it('reads again soon what it could not read when it was told of it', async () => {
  const read: Store['read'] = async (...args) => {
    if (isAway) throw new Error('away')
    return store.read(...args)
  }
  const [here, there] = [nodeOf(), nodeOf({ read })]
  await there.read()
  isAway = true
  await add(here, 1)
  await settled()
  isAway = false
  await clock.advance(10_000)
  expect(there.known()).toBe(1)
})
