/**
 * What a promise comes to; undefined when that takes longer.
 * @template T
 * @param {number} ms
 * @param {Promise<T>} promise
 * @returns {Promise<T | undefined>}
 */
export async function within(ms, promise) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const late = new Promise(resolve => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([promise, /** @type {Promise<undefined>} */ (late)])
  } finally {
    clearTimeout(timer)
  }
}
