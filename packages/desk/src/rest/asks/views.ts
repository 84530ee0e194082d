import { randomUUID } from 'node:crypto'
import { dropOldest } from '@beckon/core'
import type { FoundAsk } from '../../asks/found-ask.js'
import type { Audit } from '../../audit/audit.js'
import { withAsk } from '../../audit/entries.js'
import type { Viewer } from '../../policy/audience.js'

/** Asks whose viewers are remembered; the one that was looked at longest ago goes first. */
const maxAsks = 10_000
/** People on their devices, of one ask: a device is what its sender says. With one more, all of them are new again. */
const maxViewers = 1_000

/** Who has seen which ask. Each person is recorded once for each device, however often they look. */
export class Views {
  readonly #audit: Audit
  readonly #now: () => number
  /** By the instance of the ask. */
  readonly #seen = new Map<string, Set<string>>()

  constructor(audit: Audit, now: () => number) {
    this.#audit = audit
    this.#now = now
  }

  async record(viewers: readonly Viewer[], asks: readonly FoundAsk[]): Promise<void> {
    const at = this.#now()
    const fresh = asks
      .filter(({ ask }) => ask.ending === undefined)
      .flatMap(({ session, ask }) =>
        viewers
          .filter(viewer => this.#isNew(ask.instance, viewer))
          .map(({ principal, device }) => {
            const by = { principal, device }
            const entry = { id: randomUUID(), event: 'viewed' as const, at, session: session.id, by }
            return withAsk({ entry }, session, ask)
          }),
      )
    // It is written later: that nothing can be kept now must not keep anyone from looking.
    await this.#audit.recordDrafts(fresh).catch(() => {})
  }

  #isNew(instance: string, { principal, device }: Viewer): boolean {
    const seen = this.#seen.get(instance) ?? new Set()
    const viewer = JSON.stringify([principal, device])
    const isNew = !seen.has(viewer)
    if (isNew && seen.size >= maxViewers) seen.clear()
    this.#seen.delete(instance)
    this.#seen.set(instance, seen.add(viewer))
    dropOldest(this.#seen, maxAsks)
    return isNew
  }
}
