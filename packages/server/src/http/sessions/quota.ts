/** Whose limit it is: that of a session, of its principal, or of all sessions of its kind. */
export const levels = ['session', 'principal', 'all'] as const
export type Level = (typeof levels)[number]

export interface QuotaLimits {
  readonly session: number
  readonly principal: number
  readonly all: number
}

/** One who holds something. */
export interface Holder {
  readonly link: { readonly principal: string | undefined }
}

/** How much of one thing is held by each of some sessions, by each principal, and by all of them. */
export class Quota<H extends Holder> {
  readonly #limits: QuotaLimits
  readonly #byHolder = new Map<H, number>()
  readonly #byPrincipal = new Map<string, number>()
  #all = 0

  constructor(limits: QuotaLimits) {
    this.#limits = limits
  }

  /** Counts some more, or fewer, for a holder. */
  hold(holder: H, amount: number): void {
    const { principal } = holder.link
    this.#all += amount
    count(this.#byHolder, holder, amount)
    if (principal !== undefined) count(this.#byPrincipal, principal, amount)
  }

  held(holder: H): number {
    return this.#byHolder.get(holder) ?? 0
  }

  /** The limit that a holder would exceed with so much more. */
  reached(holder: H, amount: number): Level | undefined {
    for (const level of levels) if (this.isReached(level, holder, amount)) return level
    return undefined
  }

  isReached(level: Level, holder: H, amount: number): boolean {
    return this.#heldAt(level, holder) + amount > this.#limits[level]
  }

  /** Those who hold anything. */
  holders(): Iterable<H> {
    return this.#byHolder.keys()
  }

  #heldAt(level: Level, holder: H): number {
    if (level === 'session') return this.held(holder)
    if (level === 'all') return this.#all
    const { principal } = holder.link
    // Anonymous callers are no one caller.
    return principal === undefined ? Number.NEGATIVE_INFINITY : (this.#byPrincipal.get(principal) ?? 0)
  }
}

function count<Key>(counts: Map<Key, number>, key: Key, amount: number): void {
  const sum = (counts.get(key) ?? 0) + amount
  if (sum === 0) counts.delete(key)
  else counts.set(key, sum)
}
