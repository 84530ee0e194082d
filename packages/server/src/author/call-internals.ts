// What a middleware can know of a call beyond its context. `callInternals` is for anybody's, and all that ours use; the parts
// that only our own pages need have a function of their own.
import type { CheckToken } from '../auth/verified-token.js'
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

/** A call while it runs. */
export interface RunningCall {
  /** The same over every round, replay and process. */
  readonly id: string
  /** What was called: the method, the tool or prompt by name, and a digest of the arguments. */
  readonly target: { readonly method: string; readonly name: string; readonly digest: string }
  /** The client's 2025 session or connection; undefined for an anonymous caller. It is a secret. */
  readonly sessionId: string | undefined
  /** The request that this run answers now; undefined while it waits for none. */
  readonly incoming: { readonly address?: string | undefined } | undefined
  /** Whether this run repeats what an earlier one did: it has to go the same way. */
  readonly isReplay: boolean
  /** How many asks this run has made. */
  readonly asked: number
  /** What waits for a person now. */
  readonly openAsks: readonly object[]
  /** Given up in favour of another run: it can do nothing more. */
  readonly isDropped: boolean
  readonly signal: AbortSignal
  /**
   * Remembers how far this run has come. The result takes it back there, to run the handler again: what it then asks and
   * does again is found in what was recorded, as in a replay. Not while an ask is open.
   */
  checkpoint(): (error?: unknown) => Promise<void>
}

/** A call from the inside. */
export interface CallInternals {
  /** The name of the server, for what two servers in one store must not share. */
  readonly server: string
  /** The server's own part of the store, sealed where it leaves the process: no other server finds what is kept there. */
  readonly store: Store
  readonly people: People
  /** What the server goes by: a test can set it. */
  readonly clock: Clock
  /** Waits for what another process writes to the store. */
  readonly waits: Waits
  readonly call: RunningCall
}

/** What a server's calls have in common. */
export interface ServerDeps extends Omit<CallInternals, 'call'> {
  /** The server's ring of keys, for seals with a purpose of their own. It is open while a call runs. */
  readonly ring: KeyRing
  /** Looks at the token of a request; undefined for a server without `auth`. */
  readonly checkToken: CheckToken | undefined
}

/** The same with what only our own pages need. */
export interface CallParts extends ServerDeps {
  readonly call: Call
  readonly settings: AskSettings
}

/**
 * A call as a middleware needs it that counts, keeps or repeats something.
 * @example
 * const { store, clock } = callInternals(ctx)
 * const count = new Cell<number>(store, `my-quota/${ctx.subject.name}`)
 */
export function callInternals(ctx: Context): CallInternals {
  return callParts(ctx)
}

export function callParts(ctx: Context): CallParts {
  const found = CallContext.inside(ctx)
  if (found === undefined) throw new TypeError('This takes the context of a call, as a handler gets it.')
  return found
}
