import { BeckonError } from '@beckon/core'
import type { Ending } from '../../call/ask.js'
import type { Clock } from '../../runtime/clock.js'

const shortestPauseMs = 500
const longestPauseMs = 15_000
/** A desk that has nothing to say yet takes at least so long to say so. */
const patientMs = 5_000

/**
 * Tries until there is an ending, or the time for one is over. A desk that was waited at is tried again at once; one that fails, or is back in no time
 * with nothing, after a pause that grows.
 */
export async function untilEnded(
  clock: Clock,
  { signal, expiresAt }: { readonly signal: AbortSignal; readonly expiresAt: number },
  attempt: () => Promise<Ending | undefined>,
): Promise<Ending> {
  let pauseMs = shortestPauseMs
  while (!signal.aborted) {
    const began = clock.now()
    try {
      const ending = await attempt()
      if (ending !== undefined) return ending
    } catch (error) {
      if (error instanceof BeckonError && !signal.aborted) throw error
    }
    // An answer of the last moment was there for the last attempt.
    if (began >= expiresAt && !signal.aborted) return { kind: 'expired' }
    if (clock.now() - began >= patientMs) pauseMs = shortestPauseMs
    else {
      await pause(clock, Math.min(pauseMs, Math.max(0, expiresAt - clock.now())), signal)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }
  return { kind: 'outcome', outcome: { action: 'cancel' } }
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve()
    const done = () => {
      stopTimer()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const stopTimer = clock.after(ms, done)
    signal.addEventListener('abort', done)
  })
}
