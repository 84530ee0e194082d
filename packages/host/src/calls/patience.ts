// How long a call may be silent. The time that a person takes does not count: while something is asked the clock
// stands, and it starts anew with the answer and with every sign of life.
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import type { ConnectionAsks } from '../connection-asks.js'

export interface Patience {
  /** Aborts when it is over. */
  readonly signal: AbortSignal
  /** The call showed a sign of life. */
  renew(): void
  stop(): void
}

export function startPatience(asks: ConnectionAsks, timeoutMs: number): Patience {
  const over = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const giveUp = () => {
    over.abort(new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out', { timeout: timeoutMs }))
  }
  const renew = () => {
    clearTimeout(timer)
    timer = asks.isAsking ? undefined : setTimeout(giveUp, timeoutMs)
  }
  renew()
  const unwatch = asks.watch(renew)
  return {
    signal: over.signal,
    renew,
    stop() {
      unwatch()
      clearTimeout(timer)
    },
  }
}
