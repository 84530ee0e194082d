import type { Incoming } from './incoming.js'

/** Calls the listener when a request is cancelled, at once when it was; the result takes that back. */
export function whenCancelled(incoming: Incoming, listener: () => void): () => void {
  let isWatched = true
  const notice = () => {
    if (isWatched) listener()
  }
  if (incoming.onCancel !== undefined) incoming.onCancel(notice)
  else if (incoming.signal.aborted) notice()
  else incoming.signal.addEventListener('abort', notice, { once: true })
  return () => {
    isWatched = false
  }
}
