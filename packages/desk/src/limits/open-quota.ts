// Threat: whoever can call a tool that asks fills everybody's inbox. A server has so many asks open, and so has each of its
// callers; those whom nobody knows have together what one has; and there are so many in all.
// What is open is counted in the store, over all nodes. While it is far from the bound, a node counts what it opens itself and
// looks again after a while, so that an ask does not cost a count; and what is being opened here counts already.
// Not defended: nodes that open at the same moment, near the bound, may pass it by what each has in flight.
import type { Clock } from 'beckon'
import type { AskIndex } from '../index/ask-index.js'
import type { Token } from '../index/tokens.js'
import { tooManyAsks } from '../policy/refusals.js'
import type { Settled } from '../sessions/sessions.js'

export interface OpenQuotaOptions {
  readonly index: Pick<AskIndex, 'countFrom' | 'countAll'>
  readonly clock: Pick<Clock, 'now'>
  readonly maxPerServer: number
  readonly maxPerCaller: number
  readonly maxInAll: number
}

/** What may be opened: a change that opens it, and whether it is open already, which is never refused. */
export interface Opening {
  readonly isThere: () => Promise<boolean>
  readonly change: () => Promise<Settled>
}

interface Bound {
  readonly token: Token
  readonly max: number
  readonly of: 'server' | 'caller' | 'desk'
  readonly count: (max: number) => Promise<number>
}

interface Counter {
  /** In the store, at a time; and what was let through here since, or was on its way there at that time. */
  counted: number
  countedAt: number
  since: number
  /** Let through here, and not open yet. */
  inFlight: number
  /** One count after the other: each knows of what the ones before it let through. */
  counting: Promise<unknown>
}

const freshMs = 1_000
const maxCounters = 10_000

export class OpenQuota {
  readonly #options: OpenQuotaOptions
  readonly #counters = new Map<Token, Counter>()

  constructor(options: OpenQuotaOptions) {
    this.#options = options
  }

  /** Opens an ask, unless its server or its caller has too many open. */
  async within([server, caller]: readonly [Token, Token], { isThere, change }: Opening): Promise<Settled> {
    const { index, maxPerServer, maxPerCaller, maxInAll } = this.#options
    const bounds: readonly Bound[] = [
      { token: server, max: maxPerServer, of: 'server', count: max => index.countFrom(server, max) },
      { token: caller, max: maxPerCaller, of: 'caller', count: max => index.countFrom(caller, max) },
      { token: 'all', max: maxInAll, of: 'desk', count: max => index.countAll(max) },
    ]
    const taken = await Promise.all(
      bounds
        .filter(({ max }) => max < Number.POSITIVE_INFINITY)
        .map(async bound => ({ ...bound, ...(await this.#take(bound)) })),
    )
    try {
      const full = taken.find(({ hasRoom }) => !hasRoom)
      return full === undefined || (await isThere())
        ? await change()
        : { kind: 'refused', ...tooManyAsks(full.of, full.max) }
    } finally {
      for (const { counter, hasRoom } of taken) if (hasRoom) counter.inFlight--
    }
  }

  /** Whether there is room for one more, which is then counted. */
  async #take({ token, max, count }: Bound): Promise<{ readonly counter: Counter; readonly hasRoom: boolean }> {
    const { clock } = this.#options
    const counter = this.#counter(token)
    const isFar = () => clock.now() - counter.countedAt < freshMs && counter.counted + counter.since < max / 2
    if (!isFar()) {
      const counting = counter.counting.then(async () => {
        if (isFar()) return
        const counted = await count(max)
        Object.assign(counter, { counted, countedAt: clock.now(), since: counter.inFlight })
      })
      counter.counting = counting.catch(() => {})
      await counting
    }
    const hasRoom = counter.counted + counter.since < max
    counter.since += hasRoom ? 1 : 0
    counter.inFlight += hasRoom ? 1 : 0
    return { counter, hasRoom }
  }

  #counter(token: Token): Counter {
    const known = this.#counters.get(token) ?? newCounter()
    this.#counters.delete(token)
    this.#counters.set(token, known)
    for (const [oldest, { inFlight }] of this.#counters) {
      if (this.#counters.size <= maxCounters) break
      if (inFlight === 0) this.#counters.delete(oldest)
    }
    return known
  }
}

function newCounter(): Counter {
  return { counted: 0, countedAt: Number.NEGATIVE_INFINITY, since: 0, inFlight: 0, counting: Promise.resolve() }
}
