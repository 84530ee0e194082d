import { type Ending, elapsedSince, type OpenAsk, type WireName } from './ask.js'
import type { CallRules } from './call-rules.js'

/** Told of an ask whose time is over. */
interface Expiring {
  expired(open: OpenAsk): void
}

interface Waiting {
  readonly open: OpenAsk
  readonly resolve: (ending: Ending) => void
  readonly stopTimer: () => void
}

type Rules = Pick<CallRules, 'clock' | 'telemetry'>

/** The asks of a call that wait for an answer. */
export class OpenAsks {
  readonly #rules: Rules
  // A short list, and made anew by `concat`: a map, or a list with room to grow, would be more for a suspended call to keep.
  #waiting: readonly Waiting[] = []

  constructor(rules: Rules) {
    this.#rules = rules
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  get all(): OpenAsk[] {
    return this.#waiting.map(({ open }) => open)
  }

  has(wire: WireName): boolean {
    for (const { open } of this.#waiting) if (open.wire === wire) return true
    return false
  }

  /** Keeps an ask until it is settled, and tells when its time is over. */
  add(open: OpenAsk, call: Expiring): Promise<Ending> {
    const { clock, telemetry } = this.#rules
    telemetry?.asked(open.wire, open.ask.kind)
    const stopTimer = clock.after(Math.max(0, open.expiresAt - clock.now()), expiry(call, open))
    return new Promise(resolve => {
      this.#waiting = this.#waiting.concat({ open, resolve, stopTimer })
    })
  }

  /** Takes an ask out; the result tells who waits for it how it ended. Undefined when it is not open (any more). */
  take(id: string, ending: Ending): { open: OpenAsk; resolve: () => void } | undefined {
    const waiting = this.#waiting.find(({ open }) => open.id === id)
    if (waiting === undefined) return undefined
    const { open, resolve } = waiting
    this.#waiting = this.#waiting.filter(other => other !== waiting)
    stop(waiting, this.#rules, ending)
    return { open, resolve: () => resolve(ending) }
  }

  /** Has an ask go on over another wire. Undefined when it is not open (any more). */
  move(id: string, wire: WireName): OpenAsk | undefined {
    const waiting = this.#waiting.find(({ open }) => open.id === id)
    if (waiting === undefined || waiting.open.wire === wire) return undefined
    const moved = { ...waiting.open, wire }
    this.#waiting = this.#waiting.map(other => (other === waiting ? { ...waiting, open: moved } : other))
    return moved
  }

  /** Takes every ask out. A handler that waits for one waits for good. */
  takeAll(): OpenAsk[] {
    const all = this.all
    for (const waiting of this.#waiting) stop(waiting, this.#rules)
    this.#waiting = []
    return all
  }
}

function stop({ open, stopTimer }: Waiting, { clock, telemetry }: Rules, ending?: Ending): void {
  stopTimer()
  telemetry?.ended(open.wire, open.ask.kind, elapsedSince(open, clock), ending)
}

/** Made apart from the rest, so that a timer holds no more than it needs. */
function expiry(call: Expiring, open: OpenAsk): () => void {
  return () => call.expired(open)
}
