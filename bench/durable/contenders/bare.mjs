import { randomUUID } from 'node:crypto'

/** @typedef {import('./contender.mjs').Bare} Bare */
/** @typedef {import('./contender.mjs').Contender} Contender */

/**
 * What everything else is compared with: nothing but the writes.
 * @param {Bare} writes
 * @returns {Contender}
 */
export function bare(writes) {
  return {
    async cycle() {
      const id = randomUUID()
      await writes.ask(id)
      await writes.answer(id)
    },
    close: () => writes.close(),
  }
}
