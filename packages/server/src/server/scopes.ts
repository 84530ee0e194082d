import type { Scopes } from '../author/call-context.js'
import { openValues, type PendingWrites } from '../author/session.js'
import { digest } from '../calls/digest.js'
import type { Store } from '../store/store.js'

/** The values of a server, in parts that do not meet. */
export function scopesOf(store: Store, writes: PendingWrites): Scopes {
  return {
    session: id => ({ id, ...openValues(store, `session/${id}`, writes) }),
    sessionIdOf: call => {
      if (call.principal !== undefined) return digest(['principal', call.principal])
      return digest(['connection', call.sessionId ?? call.id])
    },
    store: openValues(store, 'server', writes),
  }
}
