// Stands around the handler itself, inside every gate, so that a result from the cache has passed all of them. A result is
// for the caller that it was made for, and one that a person had a say in, or that is an error, is not kept at all.

import { callInternals } from '../../author/call-internals.js'
import type { Context } from '../../author/context.js'
import type { Middleware } from '../../author/middleware.js'
import { digest } from '../../crypto/digest.js'
import { Cell } from '../../store/handles/index.js'
import type { JsonValue } from '../../store/index.js'

export interface CacheOptions {
  /** How long a result is good for. */
  ttlMs: number
  /** What a result depends on. Default: the input. */
  key?: (ctx: Context) => unknown
  /** Keeps one result for everyone: only where it depends on nothing but the key. Default: one for each caller. */
  shared?: boolean
}

/**
 * Keeps results of the handler for a while, in the store.
 * @example
 * server.tool('weather', cache({ ttlMs: 60_000, shared: true }), { input: z.object({ city: z.string() }) }, weather)
 */
export function cache({ ttlMs, key = ctx => ctx.subject.input, shared = false }: CacheOptions): Middleware {
  return {
    name: 'cache',
    async onHandle(ctx, handle) {
      const { call, store, clock } = callInternals(ctx)
      const { kind, name } = ctx.subject
      const about = [kind, name, shared ? null : ctx.sessionId, key(ctx) ?? null]
      const cell = new Cell<JsonValue>(store, `cache/${digest(about)}`)
      // A run that repeats an earlier one goes the way that the earlier one went.
      const kept = call.isReplay ? undefined : await cell.get()
      if (kept !== undefined) return kept ?? undefined
      const result = await handle()
      const value = call.asked > 0 ? undefined : jsonOf(result)
      if (value !== undefined) await cell.set(value, { expiresAt: clock.now() + ttlMs })
      return result
    },
  }
}

/** A result as it is kept; undefined for one that is not. */
function jsonOf(result: unknown): JsonValue | undefined {
  if (typeof result === 'object' && result !== null && 'isError' in result && result.isError) return undefined
  try {
    return JSON.parse(JSON.stringify(result ?? null))
  } catch {
    return undefined
  }
}
