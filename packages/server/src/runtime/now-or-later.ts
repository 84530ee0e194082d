// What is there at once where it is kept in memory, and later where it is in a store. On rounds in memory alone a promise costs
// more than what it would wait for: so nothing is awaited there.

/**
 * Goes on with a value as soon as it is there.
 * @param failed for one that never is; an error that is there at once is thrown before
 */
export function nowOrLater<T, R>(
  value: T | Promise<T>,
  next: (value: T) => R | Promise<R>,
  failed?: (error: unknown) => never,
): R | Promise<R> {
  return value instanceof Promise ? value.then(next, failed) : next(value)
}

/** Does something as soon as what `start` gives is there, or failed. */
export function lastly<T>(start: () => T | Promise<T>, last: () => void): T | Promise<T> {
  let value: T | Promise<T> | undefined
  try {
    value = start()
    return value instanceof Promise ? value.finally(last) : value
  } finally {
    if (!(value instanceof Promise)) last()
  }
}
