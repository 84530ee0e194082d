import type { Sessions } from './sessions.js'

/** How much of what is over a desk keeps. */
export interface HistoryLimits {
  /** How long; at least a minute. Default: seven days. */
  readonly keepMs?: number | undefined
  /** How many calls, of a desk that is in memory alone. Default: 1,000. */
  readonly maxCalls?: number | undefined
}

/** In a store, a call that is over goes by its time. In memory there is also a limit to how many there are. */
export function keepRecent(
  sessions: Sessions,
  { maxCalls = 1_000, isShared, now }: HistoryLimits & { readonly isShared: boolean; readonly now: () => number },
): () => void {
  if (isShared) return () => {}
  const over = new Set<string>()
  return sessions.listen(({ id, event, after }) => {
    if (event.type === 'disposed') over.delete(id)
    if (event.type !== 'turnEnded' || !after?.isCall) return
    over.add(id)
    const [oldest] = over
    if (over.size <= maxCalls || oldest === undefined) return
    over.delete(oldest)
    const forget = sessions.change(oldest, session =>
      session?.activeTurn === undefined && session !== undefined ? { events: [{ type: 'disposed', at: now() }] } : {},
    )
    forget.catch(() => {})
  })
}
