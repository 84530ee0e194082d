import type { Incoming } from '../call/incoming.js'
import type { Clock } from '../runtime/clock.js'
import { nextProgress, type Progress } from './progress.js'

/** Below the timeouts that clients have, which are a minute as a rule. */
const heartbeatMs = 15_000

/** Tells a client that listens to progress that the call is alive, until it is stopped. */
export function startHeartbeat(incoming: Incoming, clock: Clock, told: Progress): () => void {
  const { progressToken } = incoming
  if (progressToken === undefined) return () => {}
  let stop = clock.after(heartbeatMs, heartbeat)
  function heartbeat(): void {
    const progress = nextProgress(told)
    incoming.notify('notifications/progress', { progressToken, progress, message: 'Waiting for an answer.' })
    stop = clock.after(heartbeatMs, heartbeat)
  }
  return () => stop()
}
