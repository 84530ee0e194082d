import type { Audit } from '../../asks/audit.js'
import type { Visitor } from '../../asks/gate.js'
import type { KnownAsk } from './known-ask.js'

/** Who has seen which ask. Each person is recorded once for each device, however often they look. */
export class Views {
  readonly #audit: Audit
  readonly #now: () => number
  readonly #seen = new Map<KnownAsk, Set<string>>()

  constructor(audit: Audit, now: () => number) {
    this.#audit = audit
    this.#now = now
  }

  async record(visitors: readonly Visitor[], asks: readonly KnownAsk[]): Promise<void> {
    const at = this.#now()
    const fresh = asks
      .filter(ask => ask.endedSeq === undefined)
      .flatMap(ask =>
        visitors
          .filter(visitor => this.#isNew(ask, visitor))
          .map(({ principal, device }) => ({
            event: 'viewed' as const,
            at,
            session: ask.session,
            request: ask.id,
            by: { principal, device },
          })),
      )
    // It is written later: that nothing can be kept now must not keep anyone from looking.
    if (fresh.length > 0) await this.#audit.record(...fresh).catch(() => {})
  }

  forget(ask: KnownAsk): void {
    this.#seen.delete(ask)
  }

  #isNew(ask: KnownAsk, { principal, device }: Visitor): boolean {
    const seen = this.#seen.get(ask) ?? new Set()
    const viewer = JSON.stringify([principal, device])
    if (seen.has(viewer)) return false
    this.#seen.set(ask, seen.add(viewer))
    return true
  }
}
