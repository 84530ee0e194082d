/** Resolves when the person, or the system, wants the program to end. */
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
