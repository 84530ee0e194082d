/** The promise, or a rejection when it takes longer; then `onLate` is called. */
export function deadline<T>(promise: Promise<T>, timeoutMs: number, onLate: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onLate()
      reject(new Error(`There was no answer in ${timeoutMs} ms.`))
    }, timeoutMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
