import type { Clock } from 'beckon/store'
import type { Connection } from '../database/connection.js'

/** A message, and where it stands among all of them. */
interface Message {
  readonly id: number
  readonly topic: string
  readonly text: string
}

/** Messages are kept for anyone who comes to look, and not for long. */
export interface Messages {
  /** Has to be in a transaction. */
  add(topic: string, text: string): void
  /** The ones after a number, the earliest first, some at a time. */
  after(id: number): Message[]
  /** The number of the newest. */
  newest(): number
}

const keptMs = 60_000
const maxAtOnce = 1_000

export function createMessages(connection: Connection, clock: Clock): Messages {
  const insert = connection.prepare('insert into messages (topic, message, expires_at) values (?, ?, ?)')
  const list = connection.prepare('select id, topic, message from messages where id > ? order by id limit ?')
  const last = connection.prepare('select max(id) as id from messages')
  return {
    add(topic, text) {
      insert.run([JSON.stringify(topic), text, clock.now() + keptMs])
    },
    after: id =>
      list.all([id, maxAtOnce]).map(row => ({
        id: Number(row.id),
        topic: JSON.parse(`${row.topic}`),
        text: `${row.message}`,
      })),
    newest: () => Number(last.get([])?.id ?? 0),
  }
}
