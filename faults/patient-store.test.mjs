import { memoryStore, StoreUnavailableError } from 'beckon/store'
import { expect, it } from 'vitest'
import { patientStore } from './patient-store.mjs'

/** @param {number} failures */
function failing(failures) {
  const store = memoryStore()
  let left = failures
  /** @type {typeof store.get} */
  const get = async key => {
    if (left-- > 0) throw new StoreUnavailableError('The store under test', undefined)
    return store.get(key)
  }
  return { ...store, get }
}

it('reads again until the store answers', async () => {
  const store = failing(2)
  await store.set('key', 1)
  expect((await patientStore(store).get('key'))?.value).toBe(1)
})

it('gives up in the end', async () => {
  await expect(patientStore(failing(1_000), 0).get('key')).rejects.toBeInstanceOf(StoreUnavailableError)
})
