// One connection listens for every topic of the handle. When it breaks, another takes over: what was published in between
// is missed, which a hint may be.
import type { Listener, Unsubscribe } from 'beckon/store'
import type { Topics } from 'beckon/store/adapter'
import { createBatcher } from '../batcher.js'
import { backOff } from '../connection/back-off.js'
import type { Connection } from '../connection/connection.js'
import type { PostgresClient } from '../pool.js'
import { channelOf, decodePayload } from './publisher.js'

/** A connection that is dead without anybody having said so is found out this often. */
const heartbeatMs = 5_000

/** Listens for messages. */
export interface Subscriber {
  subscribe(topic: string, listener: Listener): Promise<Unsubscribe>
  close(): void
}

export function createSubscriber(connection: Connection, schema: string, topics: Topics): Subscriber {
  let current: PostgresClient | undefined
  let attempt: Promise<PostgresClient> | undefined
  let retry: NodeJS.Timeout | undefined
  let failures = 0
  let closed = false
  // Once this is answered, what was published before has come in.
  const pings = createBatcher<undefined, undefined>({
    fullAt: Number.POSITIVE_INFINITY,
    async run(all) {
      await connection.queryOn(await listening(), { text: 'select 1' })
      return all
    },
  })
  const heartbeat = setInterval(() => {
    const client = current
    if (client) pings.add(undefined).catch(() => lose(client))
  }, heartbeatMs).unref()

  function listening(): Promise<PostgresClient> {
    if (current) return Promise.resolve(current)
    attempt ??= listen().finally(() => {
      attempt = undefined
    })
    return attempt
  }

  async function listen(): Promise<PostgresClient> {
    const client = await connection.connect()
    client.on('notification', ({ payload = '' }) => {
      const { topic, text } = decodePayload(payload)
      if (client === current) topics.deliver(topic, text)
    })
    client.on('error', () => lose(client))
    client.on('end', () => lose(client))
    try {
      await connection.queryOn(client, { text: `listen "${channelOf(schema)}"` })
    } catch (error) {
      client.release(true)
      throw error
    }
    if (closed) client.release(true)
    else current = client
    failures = 0
    return client
  }

  function lose(client: PostgresClient): void {
    if (client !== current) return
    current = undefined
    client.release(true)
    listenAgain()
  }

  function listenAgain(): void {
    if (closed || !topics.isUsed) return
    clearTimeout(retry)
    retry = setTimeout(() => listening().catch(listenAgain), backOff(failures++)).unref()
  }

  return {
    async subscribe(topic, listener) {
      await pings.add(undefined)
      return topics.subscribe(topic, listener)
    },
    close() {
      closed = true
      clearInterval(heartbeat)
      clearTimeout(retry)
      current?.release(true)
      current = undefined
    },
  }
}
