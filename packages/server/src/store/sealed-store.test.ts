import { StateRejectedError } from '@beckon/core'
import { describe, expect, it, test } from 'vitest'
import { createTestClock } from '../test/test-clock.js'
import { memoryStore } from './memory-store.js'
import { sealedStore } from './sealed-store.js'
import { testStore } from './test-store.js'

const key = 'a key for these tests only'

testStore(
  'sealed memory',
  () => {
    const clock = createTestClock()
    const store = sealedStore(memoryStore({ clock }), key)
    return { store, clock, teardown: () => store.close() }
  },
  { test },
)

describe('sealedStore', () => {
  it('keeps nothing readable', async () => {
    const plain = memoryStore()
    const store = sealedStore(plain, [key])
    await store.set('k', { secret: 'word' })
    await store.append('l', ['secret', 'word'])
    const kept = JSON.stringify([await plain.get('k'), await plain.read('l')])
    expect(kept).not.toMatch(/secret|word/)
    expect((await store.get('k'))?.value).toEqual({ secret: 'word' })
  })

  it('leaves the members of sets and their scores readable', async () => {
    const plain = memoryStore()
    await sealedStore(plain, [key]).put('set', 'id', 7)
    expect(await plain.range('set', { limit: 9 })).toEqual([{ member: 'id', score: 7 }])
  })

  it('opens what an older key sealed, and refuses what was changed', async () => {
    const plain = memoryStore()
    await sealedStore(plain, key).set('k', 1)
    expect((await sealedStore(plain, ['a newer key for these tests', key]).get('k'))?.value).toBe(1)
    await expect(sealedStore(plain, 'another key for these tests').get('k')).rejects.toThrow()
    await plain.set('k', 'forged')
    await expect(sealedStore(plain, key).get('k')).rejects.toThrow()
  })

  it.each([null, 7, [], { toString: 1, valueOf: 1 }])('refuses %j, which nobody sealed', async value => {
    const plain = memoryStore()
    await plain.set('k', value)
    await expect(sealedStore(plain, key).get('k')).rejects.toThrow(StateRejectedError)
  })
})
