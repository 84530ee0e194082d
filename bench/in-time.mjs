/**
 * Rejects when something takes too long, so that a benchmark always ends.
 * @template T
 * @param {Promise<T>} work
 * @param {number} ms
 * @returns {Promise<T>}
 */
export async function inTime(work, ms) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Nothing came within ${ms / 1000} s.`)), ms)
  })
  try {
    return await Promise.race([work, /** @type {Promise<never>} */ (late)])
  } finally {
    clearTimeout(timer)
  }
}
