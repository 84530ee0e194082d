import { type Channels, channelsOf } from '../state/channels.js'
import { dispose } from './dispose.js'
import { DeskTurn, type Turn, type TurnOptions } from './turn.js'

/** A place for asks that belong together: for a server, one call. */
export interface DeskSession {
  readonly id: string
  /** Its channels in the two dialects of the live protocol. */
  readonly channels: Channels
  /** Begins a turn. There is one at a time. */
  startTurn(message?: string): Promise<Turn>
  /** The turn that is going on: after a restart, say. */
  activeTurn(): Turn | undefined
  /** Ends the session and forgets it. */
  dispose(): Promise<void>
}

export function openSession(options: TurnOptions): DeskSession {
  const { session: id, order, now } = options
  return {
    id,
    channels: channelsOf(id),
    startTurn: (message = '') => new DeskTurn(options).start(message),
    activeTurn() {
      const active = order.state.session(id)?.bare.chat.activeTurn
      return active && new DeskTurn(options, active.id)
    },
    async dispose() {
      await dispose(options, id, () => ({ at: now() }))
    },
  }
}
