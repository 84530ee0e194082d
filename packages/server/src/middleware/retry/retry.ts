// Runs the handler itself again, inside every gate: no gate is passed twice. The run goes back to where the handler began,
// as in a replay, so steps that finished do not run again and answers that were given are not asked for again.
import { BeckonError } from '@beckon/core'
import { callInternals, type RunningCall } from '../../author/call-internals.js'
import type { Middleware } from '../../author/middleware.js'
import { hasRpcCode } from '../../protocol/request-error.js'
import type { Clock } from '../../runtime/clock.js'

export interface RetryOptions {
  /** How often the handler runs at most. Default: 3. */
  attempts?: number
  /** How long to wait before the next attempt: always, or after so many. Default: 200 ms, doubled each time. */
  delayMs?: number | ((attempt: number) => number)
  /** Which errors are worth another attempt. Default: all but ours and those that are the client's answer. */
  on?: (error: unknown) => boolean
}

/**
 * Runs a handler that throws again.
 * @example
 * server.tool('fetch_rates', retry({ attempts: 5 }), {}, async (_input, ctx) => ctx.json(await fetchRates()))
 */
export function retry({ attempts = 3, delayMs = doubling, on = isPassing }: RetryOptions = {}): Middleware {
  return {
    name: 'retry',
    async onHandle(ctx, handle) {
      const { call, clock } = callInternals(ctx)
      const beginAgain = call.checkpoint()
      for (let attempt = 1; ; attempt++) {
        let failure: unknown
        try {
          return await handle()
        } catch (error) {
          // An ask that is still open belongs to the attempt that failed.
          if (attempt >= attempts || !on(error) || call.isDropped || call.openAsks.length > 0) throw error
          failure = error
        }
        await beginAgain(failure)
        await pause(clock, call, typeof delayMs === 'number' ? delayMs : delayMs(attempt))
      }
    },
  }
}

function doubling(attempt: number): number {
  return 200 * 2 ** (attempt - 1)
}

function isPassing(error: unknown): boolean {
  return !(error instanceof BeckonError) && !hasRpcCode(error)
}

function pause(clock: Clock, { signal }: RunningCall, delayMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      stopTimer()
      reject(signal.reason)
    }
    const stopTimer = clock.after(delayMs, () => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    })
    signal.addEventListener('abort', giveUp, { once: true })
  })
}
