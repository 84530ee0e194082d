import type { AsksOptions } from './options.js'
import { sharedEngine } from './shared-engine.js'

/**
 * Ends the wait for the flow behind a URL, for handlers in `asks`: with the options that those were given.
 * False for an id that is not known; a second time changes nothing.
 */
export function completeElicitation(id: string, options: AsksOptions = {}): Promise<boolean> {
  return sharedEngine(options).completeElicitation(id)
}
