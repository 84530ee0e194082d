import type { Clock } from '../runtime/clock.js'
import type { Telemetry } from '../telemetry/telemetry.js'
import { type Ending, elapsedSince, type OpenAsk } from './ask.js'
import type { Wire } from './wire.js'

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

  /** Keeps an ask until it is settled; `expire` is called when its time is over. */
  add(open: OpenAsk, wire: Wire['name'], expire: (open: OpenAsk) => void): Promise<Ending> {
    this.#telemetry?.asked(wire, open.ask.kind)
    return new Promise(resolve => {
      const stopTimer = this.#clock.after(Math.max(0, open.expiresAt - this.#clock.now()), () => expire(open))
      this.#waiting = this.#waiting.concat({ open, resolve, stopTimer })
    })
  }

  /** Takes an ask out; the result tells whoever waits for it how it ended. Undefined when it is not open (any more). */
  take(id: string, wire: Wire['name'], ending: Ending): { open: OpenAsk; resolve: () => void } | undefined {
    const waiting = this.#waiting.find(({ open }) => open.id === id)
    if (waiting === undefined) return undefined
    const { open, resolve } = waiting
    this.#waiting = this.#waiting.filter(other => other !== waiting)
    this.#stop(waiting, wire, ending)
    return { open, resolve: () => resolve(ending) }
  }

  /** Takes every ask out. Whoever waits for one waits for good. */
  takeAll(wire: Wire['name']): OpenAsk[] {
    const all = this.all
    for (const waiting of this.#waiting) this.#stop(waiting, wire)
    this.#waiting = []
    return all
  }

  #stop({ open, stopTimer }: Waiting, wire: Wire['name'], ending?: Ending): void {
    stopTimer()
    this.#telemetry?.ended(wire, open.ask.kind, elapsedSince(open, this.#clock), ending)
  }
}
