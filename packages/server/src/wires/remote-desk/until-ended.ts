import { BeckonError } from '@beckon/core'
import type { Clock } from '../../runtime/clock.js'
import type { DeskOutcome } from '../desk.js'

const minPauseMs = 500
const maxPauseMs = 15_000
/** A desk that has nothing to say yet takes at least so long to say so. */
const patientMs = 5_000

/**
 * Tries until there is an outcome, or the time for one is over. A desk that was waited at is tried again at once; one that fails, or is back in no time
 * with nothing, after a pause that grows.
 */
export async function untilEnded(
  clock: Clock,
  { signal, expiresAt }: { readonly signal: AbortSignal; readonly expiresAt: number },
  attempt: () => Promise<DeskOutcome | undefined>,
): Promise<DeskOutcome> {
  let pauseMs = minPauseMs
  while (!signal.aborted) {
    const began = clock.now()
    try {
      const outcome = await attempt()
      if (outcome !== undefined) return outcome
    } catch (error) {
      if (error instanceof BeckonError && !signal.aborted) throw error
    }
    // An answer of the last moment was there for the last attempt.
    if (began >= expiresAt && !signal.aborted) return { action: 'cancel', why: 'expired' }
    if (clock.now() - began >= patientMs) pauseMs = minPauseMs
    else {
      await pause(clock, Math.min(pauseMs, Math.max(0, expiresAt - clock.now())), signal)
      pauseMs = Math.min(pauseMs * 2, maxPauseMs)
    }
  }
  throw signal.reason
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
