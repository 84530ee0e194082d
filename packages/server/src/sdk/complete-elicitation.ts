import { systemClock } from '../calls/clock.js'
import { createCompletions } from '../calls/completions.js'
import { createWaits } from '../calls/waits.js'
import type { Store } from '../store/store.js'
import { sharedStore } from './shared-engine.js'

/**
 * Ends the wait for the flow behind a URL, for handlers in `asks`: with the store that those were given.
 * False for an id that is not known; a second time changes nothing.
 */
export function completeElicitation(id: string, store: Store = sharedStore()): Promise<boolean> {
  return createCompletions(store, systemClock, createWaits(store, systemClock)).complete(id)
}
