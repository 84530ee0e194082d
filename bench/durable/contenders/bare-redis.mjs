import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'

/** @typedef {import('./contender.mjs').Contender} Contender */

const sealed = 'x'.repeat(350)

/**
 * What one call writes, as plain commands: its answer, its reply, and the hint that it is there.
 * @param {string} url
 * @returns {Promise<Contender>}
 */
export async function bareRedis(url) {
  const redis = new Redis(url)
  return {
    async cycle() {
      const log = `bare:${randomUUID()}`
      const expiresAt = Date.now() + 3_600_000
      await redis.multi().xadd(log, '1-0', 'v', sealed).pexpireat(log, expiresAt).exec()
      await redis.multi().xadd(log, '2-0', 'v', sealed).pexpireat(log, expiresAt).exec()
      await redis.publish('bare', log)
    },
    close: async () => {
      await redis.quit()
    },
  }
}
