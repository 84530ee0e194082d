import type { Clock } from 'beckon'

/** Waits a while, or until the signal. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve()
    const done = () => {
      stop()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const stop = clock.after(ms, done)
    signal.addEventListener('abort', done, { once: true })
  })
}
