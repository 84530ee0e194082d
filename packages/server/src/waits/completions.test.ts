import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { memoryStore } from '../store/index.js'
import { createCompletions } from './completions.js'
import { createWaits } from './waits.js'

function createNode() {
  const clock = new FakeClock()
  const store = memoryStore({ clock })
  return { clock, completions: createCompletions({ store, clock, waits: createWaits(store, clock) }) }
}

const alices = { call: 'call', caller: 'alice' }

describe('a completion', () => {
  it('has an id that no other call can have while it waits, and nobody else for a day', async () => {
    const { clock, completions } = createNode()
    const another = (who: object) =>
      completions.register('a', { ...alices, call: 'another', ...who }, clock.now() + 1_000)
    await completions.register('a', alices, clock.now() + 1_000)
    await expect(another({})).rejects.toThrow('another call')
    clock.advance(1_000)
    await expect(another({ caller: 'bob' })).rejects.toThrow('another call')
    await expect(another({ caller: null })).rejects.toThrow('another call')
    await another({})
    clock.advance(25 * 60 * 60 * 1_000)
    await another({ caller: null, call: 'a third' })
    await expect(another({ caller: null, call: 'a fourth' })).rejects.toThrow('another call')
  })

  it('is known once it is registered, and a second one changes nothing', async () => {
    const { clock, completions } = createNode()
    expect(await completions.complete('a')).toBe(false)
    await completions.register('a', alices, clock.now() + 1_000)
    expect(await completions.isDone('a')).toBe(false)
    expect(await Promise.all([completions.complete('a'), completions.complete('a')])).toEqual([true, true])
    expect(await completions.isDone('a')).toBe(true)
  })

  it('that comes before the wait is not lost', async () => {
    const { clock, completions } = createNode()
    const expiresAt = await completions.register('a', alices, clock.now() + 1_000)
    await completions.complete('a')
    const wait = completions.wait('a', 'Pay for it.', expiresAt)
    wait.watch()
    expect(await wait.settled).toBe(true)
  })

  it('keeps its first expiry in a replay of its call', async () => {
    const { clock, completions } = createNode()
    const expiresAt = await completions.register('a', alices, clock.now() + 1_000)
    clock.advance(500)
    expect(await completions.register('a', alices, clock.now() + 1_000)).toBe(expiresAt)
    await completions.complete('a')
    await completions.register('a', alices, clock.now() + 1_000)
    expect(await completions.isDone('a')).toBe(true)
  })

  it('of one call does not count for another that uses the same id', async () => {
    const { clock, completions } = createNode()
    await completions.register('a', alices, clock.now() + 1_000)
    await completions.complete('a')
    await completions.register('a', { ...alices, call: 'another call' }, clock.now() + 1_000)
    expect(await completions.isDone('a')).toBe(false)
  })

  it('is unknown when its time is over', async () => {
    const { clock, completions } = createNode()
    await completions.register('a', alices, clock.now() + 1_000)
    clock.advance(1_000)
    expect(await completions.complete('a')).toBe(false)
  })
})
