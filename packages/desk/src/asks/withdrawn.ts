import type { Accepted, Actor } from '../log/act.js'
import type { Settled } from '../log/order.js'
import type { Audit, AuditEntry } from './audit.js'

/** Entries that are written at once. */
const batch = 1_000

/** Records which asks ended with their turn or their session, unanswered; with who ended that. */
export async function recordWithdrawn(audit: Audit, settled: Settled, by?: Actor): Promise<void> {
  const entries = settled.kind === 'accepted' ? withdrawnIn(settled.lines, by) : []
  for (let from = 0; from < entries.length; from += batch) await audit.record(...entries.slice(from, from + batch))
}

function withdrawnIn(lines: readonly Accepted[], by: Actor | undefined): AuditEntry[] {
  const answered = new Set(
    lines.flatMap(({ act, by: person }) => (act.type === 'inputCompleted' && person ? [act.requestId] : [])),
  )
  return lines.flatMap(({ act, at, session }) =>
    act.type === 'inputNeededRemoved' && !answered.has(act.id)
      ? [{ event: 'withdrawn' as const, at, session, request: act.id, ...(by && { by }) }]
      : [],
  )
}
