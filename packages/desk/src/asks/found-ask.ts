import { findAsk } from '../model/reduce.js'
import type { Ask, Session } from '../model/session.js'
import { maySeeAsk, type Viewer } from '../policy/audience.js'
import type { Sessions } from '../sessions/sessions.js'
import { isSessionName } from '../turns/decisions.js'

/** An ask and its session, as they were when they were looked at. */
export interface FoundAsk {
  readonly session: Session
  readonly ask: Ask
}

/** An ask that someone may see: an open one rather than one of the same id that has ended. */
export async function findAskFor(
  sessions: Sessions,
  viewer: Viewer,
  { session: id, ask }: { readonly session: string; readonly ask: string },
): Promise<FoundAsk | undefined> {
  if (!isSessionName(id)) return undefined
  const session = await latest(sessions, id)
  const found = session && findAsk(session, ask)
  return found && maySeeAsk(found.policy, viewer) ? { session, ask: found } : undefined
}

/** What is in memory may be behind, unless somebody follows it: it does only while the store is away. */
async function latest(sessions: Sessions, id: string): Promise<Session | undefined> {
  try {
    return await sessions.refresh(id)
  } catch (error) {
    if (sessions.isLoaded(id)) return sessions.known(id)
    throw error
  }
}
