import type { Clock } from '../runtime/clock.js'
import type { Telemetry } from '../telemetry/telemetry.js'
import { type Ending, elapsedSince, type OpenAsk, type WireName } from './ask.js'

interface Waiting {
  readonly open: OpenAsk
  readonly resolve: (ending: Ending) => void
  readonly stopTimer: () => void
}

/** The asks of a call that wait for an answer. */
export class OpenAsks {
  readonly #clock: Clock
  readonly #telemetry: Telemetry | undefined
  // A short list, and made anew by `concat`: a map, or a list with room to grow, would be more for a suspended call to keep.
  #waiting: readonly Waiting[] = []

  constructor(clock: Clock, telemetry: Telemetry | undefined) {
    this.#clock = clock
    this.#telemetry = telemetry
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

  /** Keeps an ask until it is settled; `expire` is called when its time is over. */
  add(open: OpenAsk, expire: (open: OpenAsk) => void): Promise<Ending> {
    this.#telemetry?.asked(open.wire, open.ask.kind)
    return new Promise(resolve => {
      const stopTimer = this.#clock.after(Math.max(0, open.expiresAt - this.#clock.now()), () => expire(open))
      this.#waiting = this.#waiting.concat({ open, resolve, stopTimer })
    })
  }

  /** Takes an ask out; the result tells who waits for it how it ended. Undefined when it is not open (any more). */
  take(id: string, ending: Ending): { open: OpenAsk; resolve: () => void } | undefined {
    const waiting = this.#waiting.find(({ open }) => open.id === id)
    if (waiting === undefined) return undefined
    const { open, resolve } = waiting
    this.#waiting = this.#waiting.filter(other => other !== waiting)
    this.#stop(waiting, ending)
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
    for (const waiting of this.#waiting) this.#stop(waiting)
    this.#waiting = []
    return all
  }

  #stop({ open, stopTimer }: Waiting, ending?: Ending): void {
    stopTimer()
    this.#telemetry?.ended(open.wire, open.ask.kind, elapsedSince(open, this.#clock), ending)
  }
}
