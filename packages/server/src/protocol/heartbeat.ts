import type { Incoming } from '../call/incoming.js'
import type { Clock } from '../runtime/clock.js'

/** Below the timeouts that clients have, which are a minute as a rule. */
const heartbeatMs = 15_000

/** Tells a client that listens to progress that the call is alive, until it is stopped. */
export function startHeartbeat(incoming: Incoming, clock: Clock, call: { readonly lastProgress: number }): () => void {
  const { progressToken } = incoming
  if (progressToken === undefined) return () => {}
  let count = 0
  let stop = clock.after(heartbeatMs, heartbeat)
  function heartbeat(): void {
    count++
    // Progress has to grow: by so little that it says nothing about the work itself.
    const progress = call.lastProgress + count * 1e-6
    incoming.notify('notifications/progress', { progressToken, progress, message: 'Waiting for an answer.' })
    stop = clock.after(heartbeatMs, heartbeat)
  }
  return () => stop()
}
