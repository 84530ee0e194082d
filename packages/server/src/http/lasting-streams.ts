// A stream that was opened to listen lasts for as long as its client likes; what its client was let in by may not.
//
// Threat: someone who is told of changes after their token has expired or was withdrawn. Anyone who listens is let in again every
// minute, by the same headers, or is cut off: the client comes back with a token that is good.
// Not defended: the response to a call, which its caller was let in for. It ends with the call.
import { isRecord } from '@beckon/core/json-rpc'
import type { Exchange } from './exchange/exchange.js'
import type { Authorized, HttpRefusal } from './served.js'
import { SharedInterval } from './shared-interval.js'

/** Lets its sender in again, or says why not. */
type LetIn = () => Promise<Authorized | HttpRefusal>

interface Lasting {
  readonly exchange: Exchange
  readonly principal: string
  readonly letIn: LetIn
}

/** Of what is listened to, and by whom. */
export class LastingStreams {
  readonly #checks: SharedInterval<Lasting>

  constructor(everyMs: number) {
    this.#checks = new SharedInterval(everyMs, lasting => void this.#check(lasting))
  }

  /** Holds a stream for as long as its client is let in. */
  hold(exchange: Exchange, principal: string, letIn: LetIn): void {
    this.#checks.add({ exchange, principal, letIn })
  }

  stop(): void {
    this.#checks.stop()
  }

  async #check(lasting: Lasting): Promise<void> {
    const { exchange, principal, letIn } = lasting
    if (exchange.isOver) return this.#checks.delete(lasting)
    const verdict = await letIn().catch(() => undefined)
    // Who cannot be checked now is checked the next time.
    if (verdict === undefined || ('status' in verdict ? verdict.status >= 500 : verdict.principal === principal)) return
    this.#checks.delete(lasting)
    exchange.destroy()
  }
}

/** Whether a message asks to be told of changes from now on. */
export function isListening(message: unknown): boolean {
  return isRecord(message) && message.method === 'subscriptions/listen'
}
