import { expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { turn } from '../../test/round-node.js'
import { memoryStore, type Store } from '../store/index.js'
import { Watchers } from './watchers.js'

function createWatchers() {
  const clock = new FakeClock()
  const plain = memoryStore({ clock })
  const state = { isAway: false, subscriptions: 0 }
  const subscribe: Store['subscribe'] = async (...args) => {
    state.subscriptions++
    if (state.isAway) throw new Error('The store is away.')
    return plain.subscribe(...args)
  }
  const watchers = new Watchers({
    store: { ...plain, shared: true, subscribe },
    clock,
    nodes: { id: 'here' },
    answered() {},
    watched: () => true,
    givenUp() {},
  })
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000)
      await turn()
    }
  }
  return { watchers, state, pass }
}

it('listens as soon as someone asks for it once the store is back', async () => {
  const { watchers, state, pass } = createWatchers()
  state.isAway = true
  await expect(watchers.listen()).rejects.toThrow('The store is away.')
  await pass(30)
  state.isAway = false
  await watchers.listen()
})

it('asks nothing of the store once it is closed', async () => {
  const { watchers, state, pass } = createWatchers()
  await watchers.listen()
  watchers.close()
  state.isAway = true
  watchers.ask('call', { node: 'other', run: 'run', round: null })
  await pass(120)
  expect(state.subscriptions).toBe(1)
})
