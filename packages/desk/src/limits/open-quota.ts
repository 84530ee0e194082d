// Threat: anyone who can call a tool that asks fills everybody's inbox. A server has so many asks open, and so has each of its
// callers; those whom nobody knows have together what one has; and there are so many in all.
// What is open is counted over all nodes (`open-counts.ts`). While it is far from the bound, a node counts what it opens itself and
// looks again every now and then, with an ask that does not wait for it; and what is being opened here counts already.
// Not defended: nodes that open at the same moment, near the bound, may pass it by what each has in flight; far from it, by what
// they open in a second.
import { SerialQueue } from '@beckon/core'
import type { Clock } from 'beckon'
import type { AskIndex } from '../index/ask-index.js'
import type { Token } from '../index/tokens.js'
import { tooManyAsks } from '../policy/refusals.js'
import type { Settled } from '../sessions/sessions.js'
import type { OpenCounts } from './open-counts.js'

export interface OpenQuotaOptions {
  readonly index: Pick<AskIndex, 'countAll'>
  readonly counts: Pick<OpenCounts, 'count' | 'written'>
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
  readonly looks: SerialQueue
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
    const { index, counts, maxPerServer, maxPerCaller, maxInAll } = this.#options
    const bounds: readonly Bound[] = [
      { token: server, max: maxPerServer, of: 'server', count: () => counts.count(server) },
      { token: caller, max: maxPerCaller, of: 'caller', count: () => counts.count(caller) },
      { token: 'all', max: maxInAll, of: 'desk', count: max => index.countAll(max) },
    ]
    const finite = bounds.filter(({ max }) => max < Number.POSITIVE_INFINITY)
    const stale = finite.filter(bound => !this.#isFar(bound))
    if (stale.length > 0) await Promise.all(stale.map(bound => this.#look(bound)))
    const taken = finite.map(bound => ({ ...bound, ...this.#take(bound) }))
    try {
      const full = taken.find(({ hasRoom }) => !hasRoom)
      if (full !== undefined && !(await isThere())) return { kind: 'refused', ...tooManyAsks(full.of, full.max) }
      const settled = await change()
      for (const { token, of, counter, max } of taken)
        if (of !== 'desk' && known(counter) >= max / 2) await counts.written(token)
      return settled
    } finally {
      for (const { counter, hasRoom } of taken) if (hasRoom) counter.inFlight--
    }
  }

  /** Whether a bound is far away, as it was last seen. After a while it is looked again, and nobody waits for that. */
  #isFar(bound: Bound): boolean {
    const { clock } = this.#options
    const counter = this.#counter(bound.token)
    if (known(counter) >= bound.max / 2) return false
    if (clock.now() - counter.countedAt < freshMs) return true
    if (counter.countedAt === Number.NEGATIVE_INFINITY) return false
    this.#look(bound).catch(() => {})
    return true
  }

  #look({ token, max, count }: Bound): Promise<void> {
    const { clock } = this.#options
    const counter = this.#counter(token)
    const isFresh = () => clock.now() - counter.countedAt < freshMs && known(counter) < max / 2
    return counter.looks.run(async () => {
      if (isFresh()) return
      const counted = await count(max)
      Object.assign(counter, { counted, countedAt: clock.now(), since: counter.inFlight })
    })
  }

  /** Whether there is room for one more, which is then counted. */
  #take({ token, max }: Bound): { readonly counter: Counter; readonly hasRoom: boolean } {
    const counter = this.#counter(token)
    const hasRoom = known(counter) < max
    counter.since += hasRoom ? 1 : 0
    counter.inFlight += hasRoom ? 1 : 0
    return { counter, hasRoom }
  }

  #counter(token: Token): Counter {
    const counter = this.#counters.get(token) ?? newCounter()
    this.#counters.delete(token)
    this.#counters.set(token, counter)
    for (const [oldest, { inFlight }] of this.#counters) {
      if (this.#counters.size <= maxCounters) break
      if (inFlight === 0) this.#counters.delete(oldest)
    }
    return counter
  }
}

/** How many there are, as far as this node knows. */
function known({ counted, since }: Counter): number {
  return counted + since
}

function newCounter(): Counter {
  return { counted: 0, countedAt: Number.NEGATIVE_INFINITY, since: 0, inFlight: 0, looks: new SerialQueue() }
}
