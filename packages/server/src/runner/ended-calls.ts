import type { CallState } from '../log/reduce.js'
import { sizeOf } from '../runtime/size-of.js'
import type { Attempt } from './attempt.js'
import { BoundedByPrincipal, type Evictable } from './bounded-by-principal.js'
import type { RunnerLimits } from './call-request.js'

/**
 * Durable calls that ended in this process, as their logs have them: nothing but who has it counts after an end, so anyone who asks
 * after one lately is told without reading its log. Forgotten once another process says that its log has something else.
 */
export class EndedCalls {
  readonly #calls: BoundedByPrincipal<EndedCall>

  constructor({ replies: max, replyBytes: maxBytes, suspendedPerPrincipal: maxPerPrincipal }: RunnerLimits) {
    this.#calls = new BoundedByPrincipal({ max, maxBytes, maxPerPrincipal })
  }

  find(name: string): CallState | undefined {
    return this.#calls.get(name)?.state
  }

  add({ name, principal, log: { state } }: Pick<Attempt<never>, 'name' | 'principal' | 'log'>): void {
    if (state.end !== undefined) this.#calls.add(name, new EndedCall(principal, state))
  }

  forget(name: string): void {
    this.#calls.take(name)
  }

  clear(): void {
    this.#calls.clear()
  }
}

class EndedCall implements Evictable {
  readonly principal: string | undefined
  readonly state: CallState
  readonly bytes: number
  readonly isIdle = true

  constructor(principal: string | undefined, state: CallState) {
    this.principal = principal
    this.state = { ...state, entries: [], rounds: [] }
    this.bytes = sizeOf(state.record?.params) + sizeOf(state.end)
  }

  evicted(): void {}
}
