// Waiting for what has to come. Seconds are counted one by one, so that a process that was kept from running for a while, by a machine
// with other things to do, takes that for one second and not for an answer that never came.
import { setTimeout as sleep } from 'node:timers/promises'
import { finding } from './judge.mjs'

/** Who waits longer than this was forgotten. */
const forgottenAfter = 20

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {unknown} sent
 * @param {() => string} [said] so far
 * @returns {Promise<T>}
 */
export async function inTime(promise, sent, said = () => '') {
  const came = new AbortController()
  /** @returns {Promise<never>} */
  async function late() {
    for (let seconds = 0; seconds < forgottenAfter; seconds++) await sleep(1_000, undefined, { signal: came.signal })
    throw finding('nothing came back', said(), sent)
  }
  try {
    return await Promise.race([promise, late()])
  } finally {
    came.abort()
  }
}
