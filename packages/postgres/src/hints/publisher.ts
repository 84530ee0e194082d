import { type Batcher, createBatcher } from '../batcher.js'
import { textArray } from '../binary-array.js'
import type { Connection } from '../connection/connection.js'
import { digestOf } from '../names.js'

// One batch has a transaction of its own, which writes nothing and so waits for no disk. Were it part of one that does,
// the server's lock on notifications would make every other such commit wait as well.

const fullAt = 200

/** The channel that all topics of a schema share. */
export function channelOf(schema: string): string {
  return `beckon_${digestOf(schema).slice(0, 20)}`
}

/** Sends messages, in the order that they come in. */
export function createPublisher(
  connection: Connection,
  schema: string,
): Batcher<{ topic: string; text: string }, void> {
  let sent = 0
  return createBatcher({
    fullAt,
    async run(messages) {
      // The server drops a message that is the same as another of its transaction, so each has a number.
      const payloads = messages.map(({ topic, text }) => `${++sent} ${topic} ${text}`)
      await connection.query({
        name: 'beckon publish',
        text: 'select pg_notify($1, payload) from unnest($2::text[]) as payload',
        values: [channelOf(schema), textArray(payloads)],
      })
      return messages.map(() => undefined)
    },
  })
}

/** Topic and text of a payload. */
export function decodePayload(payload: string): { topic: string; text: string } {
  const [, topic = '', ...words] = payload.split(' ')
  return { topic, text: words.join(' ') }
}
