import type { Incoming } from '../call/incoming.js'
import { startHeartbeat } from '../protocol/heartbeat.js'
import { whenCancelled } from '../protocol/when-cancelled.js'
import type { Clock } from '../runtime/clock.js'

export interface EndOptions {
  incoming: Incoming
  clock: Clock
  /** How long a person is waited for. */
  waitMs: number
  /** What has progress of its own, which spares the client a heartbeat. */
  progress: Parameters<typeof startHeartbeat>[2]
}

/** What is waited for. */
export interface Ends<E> {
  /** Whether a person is. */
  isAsking(): boolean
  /** Calls one of them later, unless the result is called before. */
  ended(done: (end: E) => void, fail: (error: unknown) => void): () => void
  /** The client went away: does what that asks for, and gives what the wait ends with. */
  left(): Error
}

/** How often a busy handler is looked at, at most. */
const lookMs = 100

/** Waits for the end of a call; undefined when a person lets it wait for too long. */
export function waitForEnd<E>({ incoming, clock, waitMs, progress }: EndOptions, on: Ends<E>): Promise<E | undefined> {
  return new Promise((resolve, reject) => {
    let stopTimer = clock.after(waitMs, giveUp)
    const stopHeartbeat = startHeartbeat(incoming, clock, progress)
    let stopWatching = () => {}
    let stopListening = () => {}
    const stop = () => {
      stopTimer()
      stopHeartbeat()
      stopWatching()
      stopListening()
    }
    // A handler that is busy, and waits for nobody, is waited for.
    function giveUp(this: void): void {
      if (on.isAsking()) {
        stop()
        resolve(undefined)
      } else stopTimer = clock.after(Math.max(waitMs, lookMs), giveUp)
    }
    stopListening = on.ended(
      end => {
        stop()
        resolve(end)
      },
      error => {
        stop()
        reject(error)
      },
    )
    stopWatching = whenCancelled(incoming, () => {
      stop()
      reject(on.left())
    })
  })
}
