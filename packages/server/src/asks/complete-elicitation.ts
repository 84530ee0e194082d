import type { Store } from '../store/store.js'
import type { AsksOptions } from './asks.js'
import { sharedEngine, sharedStore } from './shared-engine.js'

/**
 * Ends the wait for the flow behind a URL, for handlers in `asks`: with the store, and the keys, that those were given.
 * False for an id that is not known; a second time changes nothing.
 */
export function completeElicitation(
  id: string,
  store: Store = sharedStore(),
  keys?: AsksOptions['keys'],
): Promise<boolean> {
  return sharedEngine({ store, keys }).completeElicitation(id)
}
