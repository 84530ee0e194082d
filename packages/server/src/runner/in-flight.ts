import type { Admission } from '../log/memory-log.js'
import { RequestError } from '../protocol/request-error.js'

export interface InFlightLimits {
  /** For callers with a principal, together; and as many for all the others. */
  readonly max: number
  readonly maxBytes: number
  readonly maxPerCaller: number
}

/** Who made a call: their principal, else their session or connection. */
export interface InFlightCaller {
  readonly principal: string | undefined
  readonly sessionId: string | undefined
}

/**
 * Calls that cannot be let go without their client noticing: those that hold a request open while a person thinks, and durable
 * ones that no store keeps. So one too many is refused. Callers without a principal have a share of their own: they keep out
 * nobody who is known.
 */
export class InFlight {
  readonly #limits: InFlightLimits
  readonly #known = { calls: 0, bytes: 0 }
  readonly #anonymous = { calls: 0, bytes: 0 }
  readonly #byCaller = new Map<string, number>()

  constructor(limits: InFlightLimits) {
    this.#limits = limits
  }

  /** Counts a call until it leaves. @throws RequestError when there are too many */
  enter({ principal, sessionId }: InFlightCaller, bytes: number): Admission {
    const { max, maxBytes, maxPerCaller } = this.#limits
    const share = principal === undefined ? this.#anonymous : this.#known
    const caller = principal === undefined ? `session ${sessionId ?? ''}` : `principal ${principal}`
    const own = this.#byCaller.get(caller) ?? 0
    // Callers whom neither a principal nor a session identifies are not one caller.
    const isOne = principal !== undefined || sessionId !== undefined
    if (isOne && own >= maxPerCaller) throw tooMany('of this caller')
    if (share.calls >= max || (share.bytes + bytes > maxBytes && share.calls > 0)) throw tooMany('on this server')
    share.calls++
    share.bytes += bytes
    this.#byCaller.set(caller, own + 1)
    let weight = bytes
    let hasLeft = false
    return {
      grow(more) {
        if (hasLeft) return
        weight += more
        share.bytes += more
      },
      leave: () => {
        if (hasLeft) return
        hasLeft = true
        share.calls--
        share.bytes -= weight
        const left = (this.#byCaller.get(caller) ?? 1) - 1
        if (left === 0) this.#byCaller.delete(caller)
        else this.#byCaller.set(caller, left)
      },
    }
  }
}

function tooMany(whose: string): RequestError {
  return new RequestError(-32000, `Too many calls ${whose} are open. Try again when some of them have ended.`)
}
