// One connection of a store takes the messages of all its topics. Messages and the confirmation of a subscription come in
// order on it, so a listener that begins with the confirmation gets nothing from before.
import type { Listener, Unsubscribe } from 'beckon/store'
import { createTopics } from 'beckon/store/adapter'
import { isCluster } from './client.js'
import { type Connection, closedError } from './connection.js'

const channelsAtOnce = 1_000

/** The subscriptions of one store. */
export interface Subscriber {
  subscribe(channel: string, listener: Listener): Promise<Unsubscribe>
  /** Ends every subscription. */
  close(): Promise<void>
}

/** `open` is called with the first subscription. Every `pingMs` the connection has to show that it is alive. */
export function createSubscriber(open: () => Connection, pingMs: number): Subscriber {
  const topics = createTopics()
  /** How many subscriptions each channel has, with those that are not confirmed. */
  const counts = new Map<string, number>()
  let connection: Connection | undefined
  let pings: NodeJS.Timeout | undefined
  let isClosed = false

  function connect(): Connection {
    const opened = open()
    opened.client.on('message', (channel: string, text: string) => topics.deliver(channel, text))
    // A Cluster does both by itself: it subscribes again, and leaves a node that is gone.
    if (!isCluster(opened.client)) {
      opened.client.on('ready', () => resubscribe(opened))
      // Nothing is sent on this connection for long, and a link that was cut shows only when something is.
      pings = setInterval(() => opened.client.ping().catch(() => {}), pingMs).unref()
    }
    return opened
  }

  function resubscribe({ client }: Connection): void {
    const channels = [...counts.keys()]
    for (let start = 0; start < channels.length; start += channelsAtOnce) {
      client.subscribe(...channels.slice(start, start + channelsAtOnce)).catch(() => client.disconnect(true))
    }
  }

  async function release(channel: string): Promise<void> {
    const count = (counts.get(channel) ?? 0) - 1
    if (count > 0) counts.set(channel, count)
    else if (counts.delete(channel)) {
      // Where that fails nobody listens to what still comes.
      await connection?.send(client => client.unsubscribe(channel)).catch(() => {})
    }
  }

  return {
    async subscribe(channel, listener) {
      if (isClosed) throw closedError()
      connection ??= connect()
      counts.set(channel, (counts.get(channel) ?? 0) + 1)
      try {
        await connection.send(client => client.subscribe(channel))
      } catch (error) {
        await release(channel)
        throw error
      }
      const stop = topics.subscribe(channel, listener)
      let isActive = true
      return async function unsubscribe() {
        if (!isActive) return
        isActive = false
        await stop()
        await release(channel)
      }
    },

    async close() {
      isClosed = true
      topics.clear()
      counts.clear()
      clearInterval(pings)
      await connection?.close()
    },
  }
}
