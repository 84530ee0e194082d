// The live protocol: clients that anyone may have written, over WebSocket, in every dialect on one port. Who may connect
// is decided before `accept`; here it is decided what they get to see and what they can do to the desk by asking.
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import type { ServerOptions, WebSocket } from 'ws'
import type { DeskActions } from '../actions/desk-actions.js'
import type { AskIndex } from '../index/ask-index.js'
import { KeyedRate } from '../limits/keyed-rate.js'
import type { MembersOf } from '../policy/approval.js'
import type { Viewer } from '../policy/audience.js'
import type { Audiences } from '../sessions/audiences.js'
import type { Sessions } from '../sessions/sessions.js'
import { Clients } from './clients.js'
import { Connection } from './connection.js'
import { Feed } from './feed.js'
import { handleWith } from './handle.js'
import { closeCodes, defaultLimits, type LiveLimits, socketOptionsFor } from './limits.js'
import type { LiveDesk } from './live-desk.js'
import { Numbers } from './numbers.js'
import type { Corked } from './one-write.js'

export interface LiveOptions {
  readonly sessions: Sessions
  readonly index: AskIndex
  readonly membersOf: MembersOf
  readonly audiences: Audiences
  readonly actions: DeskActions
  readonly finders: LiveDesk['finders']
  readonly clock: Clock
  /** Where it is kept how to speak to clients that come back. */
  readonly store: Store
  readonly limits?: Partial<LiveLimits>
  readonly tryIt?: LiveDesk['tryIt']
  /** Told about the desk's own faults, of which clients hear no more than that. */
  readonly onError: (error: unknown) => void
}

export interface Live {
  /** What the `WebSocketServer` has to be made with that sockets come from. */
  readonly socketOptions: ServerOptions
  /** Serves a socket to someone who has been let in, as long as their proof is good, or until what it gives back is called: they are signed out. */
  accept(socket: WebSocket, viewer: Viewer, stillValid?: () => Promise<boolean>, transport?: Corked): () => void
  /** Tells everyone to go, and resolves when they have. */
  close(): Promise<void>
  /** How many connections are served. */
  readonly connections: number
}

/** How long a client has to say goodbye. */
const graceMs = 2_000

export function createLive(options: LiveOptions): Live {
  const { sessions, index, membersOf, audiences, actions, finders, clock, store, tryIt, onError } = options
  const limits = { ...defaultLimits, ...options.limits }
  const clients = new Clients({ store, clock })
  const numbers = new Numbers(clock)
  const feed = new Feed({ sessions, audiences, membersOf, numbers, clock })
  const handle = handleWith({
    sessions,
    index,
    membersOf,
    audiences,
    actions,
    finders,
    feed,
    numbers,
    clients,
    limits,
    tryIt,
    onError,
  })
  const bytes = new KeyedRate(limits.bytes)
  const connections = new Set<Connection>()
  /** How many connections each has. */
  const people = new Map<string, number>()
  const sockets = new Set<WebSocket>()
  let isClosed = false
  let stopHeartbeat = scheduleHeartbeat()

  function scheduleHeartbeat(): () => void {
    return clock.after(limits.heartbeatMs, () => {
      for (const connection of connections) connection.sendHeartbeat()
      stopHeartbeat = scheduleHeartbeat()
    })
  }

  function onEnd(connection: Connection): void {
    connections.delete(connection)
    const { viewer, client } = connection
    const { principal } = viewer
    const left = (people.get(principal) ?? 1) - 1
    if (left > 0) people.set(principal, left)
    else people.delete(principal)
    feed.subscribers.leave(connection, client && !isClosed ? clients.keyOf(client.id, viewer) : undefined)
    if (client !== undefined) clients.release(client.id)
  }

  return {
    socketOptions: socketOptionsFor(limits),

    get connections() {
      return connections.size
    },

    accept(socket, viewer, stillValid, transport) {
      const turnAway = (code: number, reason: string) => {
        socket.close(code, reason)
        return () => {}
      }
      if (isClosed) return turnAway(closeCodes.goingAway, 'The desk is closed.')
      const { principal } = viewer
      const count = people.get(principal) ?? 0
      if (count >= limits.maxConnections)
        return turnAway(closeCodes.tooMany, `You have ${count} connections already. Close one.`)
      people.set(principal, count + 1)
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      const connection = new Connection({
        socket,
        transport,
        viewer,
        stillValid,
        limits,
        now: () => clock.now(),
        takeBytes: (count, at) => bytes.take(principal, at, count),
        handle,
        onEnd,
        onError,
      })
      connections.add(connection)
      return () => connection.signOut()
    },

    async close() {
      isClosed = true
      stopHeartbeat()
      feed.close()
      const gone = Promise.all([...sockets].map(socket => new Promise(resolve => socket.once('close', resolve))))
      for (const connection of connections) connection.end(closeCodes.goingAway, 'The desk is closing.')
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.terminate()
      }, graceMs)
      await gone
      clearTimeout(timer)
    },
  }
}
