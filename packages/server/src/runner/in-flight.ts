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
  readonly #known: Share = { calls: 0, bytes: 0 }
  readonly #anonymous: Share = { calls: 0, bytes: 0 }
  readonly #byCaller = new Map<string, Share>()

  constructor(limits: InFlightLimits) {
    this.#limits = limits
  }

  /** Counts a call until it leaves. @throws RequestError when there are too many */
  enter(caller: InFlightCaller, bytes: number): Admission {
    const { max, maxBytes, maxPerCaller } = this.#limits
    const all = caller.principal === undefined ? this.#anonymous : this.#known
    const name = nameOf(caller)
    const own = (name && this.#byCaller.get(name)) || { calls: 0, bytes: 0 }
    // Half of the bytes: one caller alone cannot fill the whole.
    if (!hasRoom(own, bytes, { max: maxPerCaller, maxBytes: maxBytes / 2 })) throw tooMany('of this caller')
    if (!hasRoom(all, bytes, { max, maxBytes })) throw tooMany('on this server')
    const shares = [all, own]
    for (const share of shares) share.calls++
    if (name !== undefined) this.#byCaller.set(name, own)
    let weight = 0
    const weigh = (next: number) => {
      for (const share of shares) share.bytes += next - weight
      weight = next
    }
    weigh(bytes)
    return {
      weigh: next => {
        if (shares.length > 0) weigh(next)
      },
      leave: () => {
        weigh(0)
        for (const share of shares.splice(0)) share.calls--
        if (name !== undefined && own.calls === 0 && this.#byCaller.get(name) === own) this.#byCaller.delete(name)
      },
    }
  }
}

/** What some calls take together. */
interface Share {
  calls: number
  bytes: number
}

/** A single call may take more than there is room for: it would never be let in. */
function hasRoom({ calls, bytes }: Share, more: number, limits: { max: number; maxBytes: number }): boolean {
  return calls < limits.max && (calls === 0 || bytes + more <= limits.maxBytes)
}

/** Undefined for callers whom neither a principal nor a session identifies: they are not one caller. */
function nameOf({ principal, sessionId }: InFlightCaller): string | undefined {
  if (principal !== undefined) return `principal ${principal}`
  return sessionId === undefined ? undefined : `session ${sessionId}`
}

function tooMany(whose: string): RequestError {
  return new RequestError(-32000, `Too many calls ${whose} are open. Try again when some of them have ended.`)
}
