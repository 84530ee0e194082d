import type { Listed } from '../author/caller.js'
import type { Middleware, Registered } from '../author/middleware.js'

/** Registers something behind a middleware. Gives what has to hold for a caller to be shown it. */
export function listingRules(middleware: Middleware, subject: Registered): Listed[] {
  if (typeof middleware === 'function') return []
  const { name, listed } = middleware
  const rules: Listed[] = []
  if (middleware.onRegister?.(subject) === false) rules.push(({ session }) => session.isAuthorized(name))
  if (listed !== undefined) rules.push(caller => listed(caller, subject))
  return rules
}
