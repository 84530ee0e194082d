import { type Channels, channelsOf } from '@beckon/core/live'
import { RefusedError } from '../policy/refusals.js'
import { createSession, disposeSession, isSessionName, type NewSession } from './decisions.js'
import { DeskTurn, type Turn, type TurnDeps } from './turn.js'

/** A place for asks that belong together: for a server, one call. */
export interface DeskSession {
  readonly id: string
  /** Its channels in the live protocol. */
  readonly channels: Channels
  /** Begins a turn. There is one at a time. */
  startTurn(message?: string): Promise<Turn>
  /** The turn that is going on: after a restart, say. */
  activeTurn(): Turn | undefined
  /** Ends the session and forgets it. */
  dispose(): Promise<void>
}

/** Finds a session, or makes it. */
export async function openSession(deps: TurnDeps, wanted: NewSession): Promise<DeskSession> {
  const { sessions, now } = deps
  const { id } = wanted
  if (!isSessionName(id))
    throw new TypeError(
      `A session's name has up to 200 letters, digits and . _ ~ : @ ! $ & ' ( ) * + , ; = - and this is not one: ${JSON.stringify(id.slice(0, 50))}`,
    )
  const settled = await sessions.change(id, session => createSession(session, wanted, { at: now() }))
  if (settled.kind === 'refused') throw new RefusedError(settled, `The session "${id}" cannot be used: `)
  let active = settled.session?.activeTurn?.id
  return {
    id,
    channels: channelsOf(id),
    async startTurn(message = '') {
      const turn = await new DeskTurn(deps, id).start(message)
      active = turn.id
      return turn
    },
    activeTurn() {
      if (sessions.isLoaded(id)) active = sessions.known(id)?.activeTurn?.id
      return active === undefined ? undefined : new DeskTurn(deps, id, active)
    },
    async dispose() {
      await sessions.change(id, session => disposeSession(session, { at: now() }))
    },
  }
}
