// Counts in the store, by compare and set, so that a limit holds across processes and nothing is locked: not between two
// calls, and not while a person thinks. A call is counted once, however often it is replayed.
// Threat: a stranger who looks like many. Over HTTP anybody opens as many sessions as they like, so those of nobody in
// particular count for nothing: strangers count by their address, and together where none can be seen.

import { type CallInternals, callInternals } from '../../author/call-internals.js'
import type { Context } from '../../author/context.js'
import type { Middleware } from '../../author/middleware.js'
import { refuse } from '../../author/refuse.js'
import { digest } from '../../crypto/digest.js'
import { Cell } from '../../store/handles/index.js'

export interface RateLimitOptions {
  /** How many calls may pass within a window. */
  max: number
  /** Default: one minute. */
  windowMs?: number
  /**
   * Whose calls are counted together: those of one session or connection, of one principal, or all of them; or by a string of
   * your own. Over HTTP, strangers are counted by their address, and together where that cannot be seen. Default: `principal`.
   */
  per?: 'session' | 'principal' | 'tool' | ((ctx: Context) => string)
  /** What the model is told otherwise. */
  message?: string
}

interface Count {
  calls: number
  endsAt: number
}

/**
 * Lets so many calls of each tool pass within a window of time, over all processes that share the store.
 * @example
 * server.tool('search', rateLimit({ max: 10, windowMs: 60_000 }), {}, search)
 */
export function rateLimit({ max, windowMs = 60_000, per = 'principal', message }: RateLimitOptions): Middleware {
  if (!Number.isInteger(max) || max < 1 || !(windowMs > 0))
    throw new RangeError('rateLimit() takes a whole `max` of 1 or more, and a `windowMs` above 0.')
  return async function rateLimit(ctx, next) {
    const { kind, name, registered = name } = ctx.subject
    const key = `rate/${digest([max, windowMs, kind, registered, bucketOf(ctx, per)])}`
    const waitMs = await ctx.step('rate limit', () => take(callInternals(ctx), key, { max, windowMs }))
    if (waitMs === 0) return next()
    const seconds = Math.ceil(waitMs / 1000)
    return refuse(ctx, message ?? `Too many calls: ${max} in ${windowMs / 1000} s may pass. Try again in ${seconds} s.`)
  }
}

/** Counts a call. Gives how long it has to wait, or 0 when it may pass. */
function take(
  { store, clock }: CallInternals,
  key: string,
  { max, windowMs }: { max: number; windowMs: number },
): Promise<number> {
  return new Cell<Count>(store, key).update(known => {
    const now = clock.now()
    const isRunning = known !== undefined && known.endsAt > now
    if (isRunning && known.calls >= max) return { result: known.endsAt - now }
    const count = isRunning ? { ...known, calls: known.calls + 1 } : { calls: 1, endsAt: now + windowMs }
    return { value: count, expiresAt: count.endsAt, result: 0 }
  })
}

function bucketOf(ctx: Context, per: NonNullable<RateLimitOptions['per']>): (string | null)[] {
  if (typeof per === 'function') return ['own', per(ctx)]
  if (per === 'tool') return [null]
  const { sessionId, incoming } = callInternals(ctx).call
  const { principal } = ctx
  // Without HTTP, the client at the other end has this one connection.
  const isOwn = principal !== undefined || ctx.request === undefined
  const bySession = sessionId === undefined || !isOwn ? undefined : ['session', sessionId]
  const byPrincipal = principal === undefined ? undefined : ['principal', principal]
  const stranger = ['address', incoming?.address ?? null]
  return (per === 'session' ? (bySession ?? byPrincipal) : (byPrincipal ?? bySession)) ?? stranger
}
