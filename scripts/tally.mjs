/** How many tests passed, failed and were skipped. @typedef {{ passed: number, failed: number, skipped: number }} Tally */

/** @type {Readonly<Tally>} */
export const none = { passed: 0, failed: 0, skipped: 0 }

/**
 * @param {Tally[]} tallies
 * @returns {Tally}
 */
export function sum(tallies) {
  return tallies.reduce(
    (total, next) => ({
      passed: total.passed + next.passed,
      failed: total.failed + next.failed,
      skipped: total.skipped + next.skipped,
    }),
    none,
  )
}

/**
 * The last line of a test run.
 * @param {Tally} tally
 */
export function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
}
