/**
 * Resolves when the person, or the system, wants the program to end; a second time ends it at once. To be called before
 * it is said that the program runs, since anyone who reads that may end it.
 */
export function untilStopped(): Promise<void> {
  return new Promise(resolve => {
    const stop = () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      resolve()
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}
