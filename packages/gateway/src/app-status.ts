import type { Apps } from './sessions/apps.js'
import type { Claims } from './sessions/claims.js'
import type { Dialler } from './sessions/dialler.js'

/** One application, for a person to look at. */
export interface AppStatus {
  /** Undefined for one that has not said hello. */
  readonly id: string | undefined
  readonly name: string
  /** Waits for its code; claimed and there; or claimed, and expected back. */
  readonly status: 'pending' | 'connected' | 'away'
  /** Who claimed it, where callers are identified. */
  readonly owner: string | undefined
  /** The names of its actions. */
  readonly actions: readonly string[]
}

export function statusOf({ apps, claims, dialler }: { apps: Apps; claims: Claims; dialler: Dialler }): AppStatus[] {
  return [
    ...claims.all().map(({ sessionId, appId, appName, owner }): AppStatus => {
      const session = apps.get(sessionId)
      return {
        id: appId,
        name: appName,
        status: session?.isConnected ? 'connected' : 'away',
        owner: owner ?? undefined,
        actions: session?.offer.actions.map(({ name }) => name) ?? [],
      }
    }),
    ...apps.pending.map(
      ({ offer }): AppStatus => ({
        id: offer.app.id,
        name: offer.app.name,
        status: 'pending',
        owner: undefined,
        actions: offer.actions.map(({ name }) => name),
      }),
    ),
    ...dialler.claimable.map(
      ({ appName }): AppStatus => ({
        id: undefined,
        name: appName,
        status: 'pending',
        owner: undefined,
        actions: [],
      }),
    ),
  ]
}
