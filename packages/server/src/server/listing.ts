// What each caller is shown. Whether something is listed and whether it may be called are separate things: this decides
// the first, and middleware and handlers the second.

import type { Scopes } from '../author/call-context.js'
import type { Caller, Listed } from '../author/caller.js'
import type { Concerns } from '../http/served.js'
import type { Link } from '../protocol/link.js'
import type { ListName, Offered, Registry } from './registry.js'

/** Tells what of a server's lists a connection is shown. */
export interface Listing {
  shown<T extends Offered>(link: Link, entries: Iterable<T>): Promise<T[]>
}

/** Tells the clients that a change concerns. */
type OnChange = (list: ListName, concerns: Concerns) => void

export function createListing(registry: Registry, scopes: Scopes, onChange: OnChange): Listing {
  let watching: Promise<void> | undefined

  /** From the first list on that depends on its caller, since before nobody has seen one. */
  async function watch(): Promise<void> {
    watching ??= scopes.onAuthorization(concerns => {
      for (const list of registry.listsThatDiffer()) onChange(list, concerns)
    })
    try {
      await watching
    } catch (error) {
      watching = undefined
      throw error
    }
  }

  return {
    async shown(link, entries) {
      const all = Array.from(entries, entry => ({ entry, rules: registry.rulesFor(entry) }))
      if (all.every(({ rules }) => rules.length === 0)) return all.map(({ entry }) => entry)
      await watch()
      const caller = remembering(scopes.callerOf(link))
      const shown = await Promise.all(all.map(({ rules }) => isShown(rules, caller)))
      return all.filter((_, index) => shown[index]).map(({ entry }) => entry)
    },
  }
}

async function isShown(rules: readonly Listed[], caller: Caller): Promise<boolean> {
  for (const rule of rules) if (!(await rule(caller))) return false
  return true
}

/** Looks each authorization up once for a whole list. */
function remembering({ session, ...caller }: Caller): Caller {
  const known = new Map<string, Promise<boolean>>()
  return {
    ...caller,
    session: {
      ...session,
      isAuthorized(name) {
        const authorized = known.get(name) ?? session.isAuthorized(name)
        known.set(name, authorized)
        return authorized
      },
    },
  }
}
