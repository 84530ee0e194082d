import type { Clock } from 'beckon'

export interface WithinOptions {
  readonly clock: Clock
  readonly ms: number
  readonly signal: AbortSignal
}

/** What a job comes to; rejects when it has not ended in time, or by the signal. */
export function within<T>(job: () => Promise<T>, { clock, ms, signal }: WithinOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error('stopped'))
    signal.addEventListener('abort', stop, { once: true })
    const stopTimer = clock.after(ms, () => reject(new Error('no answer in time')))
    job()
      .then(resolve, reject)
      .finally(() => {
        stopTimer()
        signal.removeEventListener('abort', stop)
      })
  })
}
