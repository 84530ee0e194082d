// What our own middleware knows of a call beyond its context.
import type { Call } from '../call/call.js'
import type { Clock } from '../runtime/clock.js'
import type { Store } from '../store/index.js'
import type { KeyRing } from '../store/key-ring.js'
import type { Waits } from '../waits/waits.js'
import type { AskSettings } from './ask-person.js'
import { CallContext } from './call-context.js'
import type { Context } from './context.js'

/** Where it is kept what is known of people: the server's own part of the store, unless several servers say that they share it. */
export interface People {
  readonly store: Store
  readonly waits: Waits
}

/** What a server's calls have in common. */
export interface ServerDeps {
  /** The server's own part of the store: no other server finds what is kept there. */
  readonly store: Store
  readonly people: People
  readonly clock: Clock
  readonly waits: Waits
  /** The server's ring of keys, for seals with a purpose of their own. It is open while a call runs. */
  readonly ring: KeyRing
}

/** One call from the inside. */
export interface CallInternals extends ServerDeps {
  readonly call: Call
  readonly settings: AskSettings
}

export function callInternals(ctx: Context): CallInternals {
  const found = CallContext.inside(ctx)
  if (found === undefined) throw new TypeError('This takes the context of a call, as a handler gets it.')
  return found
}
