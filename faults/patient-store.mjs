// The store of whoever judges a run: what it has is read, however long the servers take to answer.
import { StoreUnavailableError } from 'beckon/store'
import { pause } from './client.mjs'

/** @typedef {import('beckon/store').Store} Store */

const patienceMs = 2 * 60_000
const pauseMs = 250

/**
 * @param {Store} store
 * @param {number} [maxMs]
 * @returns {Store}
 */
export function patientStore(store, maxMs = patienceMs) {
  /**
   * @template {unknown[]} Args
   * @template Result
   * @param {(...args: Args) => Promise<Result>} method
   * @returns {(...args: Args) => Promise<Result>}
   */
  const insisting =
    method =>
    async (...args) => {
      const until = Date.now() + maxMs
      for (;;) {
        try {
          return await method(...args)
        } catch (error) {
          if (!(error instanceof StoreUnavailableError) || Date.now() > until) throw error
          await pause(pauseMs)
        }
      }
    }
  return { ...store, get: insisting(store.get), read: insisting(store.read), range: insisting(store.range) }
}
