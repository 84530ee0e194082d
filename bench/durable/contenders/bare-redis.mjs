import { Redis } from 'ioredis'

/** @typedef {import('./contender.mjs').Bare} Bare */

/** As long as what Beckon writes for an ask, and for its answer. */
const sealed = 'x'.repeat(350)

/**
 * The least that a durable ask needs, as plain commands: one that sets, and one that sets what is not set yet.
 * @param {string} url
 * @returns {Promise<Bare>}
 */
export async function bareRedis(url) {
  const redis = new Redis(url)
  return {
    async ask(id) {
      await redis.hset(`bare:${id}`, 'ask', sealed)
    },
    async answer(id) {
      if ((await redis.hsetnx(`bare:${id}`, 'answer', sealed)) !== 1) throw new Error('It was answered before.')
    },
    close: async () => {
      await redis.quit()
    },
  }
}
