import type { Incoming } from '../call/incoming.js'

/** Calls the listener when a request is cancelled, before it returns when it was; the result takes that back. */
export function whenCancelled(incoming: Incoming, listener: () => void): () => void {
  if (incoming.onCancel === undefined) return whenAborted(incoming.signal, listener)
  let isWatched = true
  incoming.onCancel(() => {
    if (isWatched) listener()
  })
  return () => {
    isWatched = false
  }
}

function whenAborted(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener()
  else signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}
