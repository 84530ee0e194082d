// The live protocol: clients that anyone may have written, over WebSocket, in both dialects on one port. Who may connect
// is decided before `accept`; here it is decided what they get to see and what they can do to the desk by asking.
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import type { ServerOptions, WebSocket } from 'ws'
import type { Visitor } from '../asks/gate.js'
import type { Order } from '../log/order.js'
import { Clients } from './clients.js'
import { Connection } from './connection.js'
import { Feed } from './feed.js'
import { handleWith } from './handle.js'
import { closeCodes, defaultLimits, type LiveLimits, socketOptionsFor } from './limits.js'
import type { LiveDesk } from './live-desk.js'
import { Subscribers } from './subscribers.js'

export interface LiveOptions {
  /** Opened. */
  readonly order: Order
  readonly gate: LiveDesk['gate']
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
  /** Serves a socket to someone who has been let in, until what it gives back is called: they are signed out. */
  accept(socket: WebSocket, visitor: Visitor): () => void
  /** Tells everyone to go, and resolves when they have. */
  close(): Promise<void>
  /** How many connections are served. */
  readonly connections: number
}

/** How long a client has to say goodbye. */
const graceMs = 2_000

export function createLive({ order, gate, clock, store, limits: given, tryIt, onError }: LiveOptions): Live {
  const limits = { ...defaultLimits, ...given }
  const subscribers = new Subscribers()
  const clients = new Clients({ store, clock })
  const feed = new Feed(order, subscribers)
  const handle = handleWith({ order, gate, feed, subscribers, clients, limits, tryIt, onError })
  const connections = new Set<Connection>()
  const stopAnew = order.onAnew(() => {
    for (const connection of [...connections]) {
      connection.end(closeCodes.tooSlow, 'The desk has fallen behind. Reconnect to get what was missed.')
    }
  })
  /** How many connections each has. */
  const people = new Map<string, number>()
  const sockets = new Set<WebSocket>()
  let isClosed = false
  let stopBeat = beatLater()

  function beatLater(): () => void {
    return clock.after(limits.heartbeatMs, () => {
      for (const connection of connections) connection.beat()
      stopBeat = beatLater()
    })
  }

  function onEnd(connection: Connection): void {
    connections.delete(connection)
    const { principal } = connection.visitor
    const left = (people.get(principal) ?? 1) - 1
    if (left > 0) people.set(principal, left)
    else people.delete(principal)
    subscribers.removeAll(connection)
    if (connection.client !== undefined) clients.release(connection.client.id)
  }

  return {
    socketOptions: socketOptionsFor(limits),

    get connections() {
      return connections.size
    },

    accept(socket, visitor) {
      const turnAway = (code: number, reason: string) => {
        socket.close(code, reason)
        return () => {}
      }
      if (isClosed) return turnAway(closeCodes.goingAway, 'The desk is closed.')
      const { principal } = visitor
      const count = people.get(principal) ?? 0
      if (count >= limits.maxConnections)
        return turnAway(closeCodes.tooMany, `You have ${count} connections already. Close one.`)
      people.set(principal, count + 1)
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      const connection = new Connection({ socket, visitor, limits, now: () => clock.now(), handle, onEnd, onError })
      connections.add(connection)
      return () => connection.signOut()
    },

    async close() {
      isClosed = true
      stopBeat()
      stopAnew()
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
