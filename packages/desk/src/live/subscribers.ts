import type { Dialect } from '../asks/gate.js'
import type { Connection } from './connection.js'

const nobody: ReadonlySet<Connection> = new Set()

/** Who listens to which channel, by dialect, so that what they are told is written once for all of them. */
export class Subscribers {
  readonly #channels: Record<Dialect, Map<string, Set<Connection>>> = { older: new Map(), later: new Map() }

  of(channel: string, dialect: Dialect): ReadonlySet<Connection> {
    return this.#channels[dialect].get(channel) ?? nobody
  }

  /** A connection that has not said who it is has no dialect, and cannot listen; nor can one that ended meanwhile. */
  add(channel: string, connection: Connection): void {
    if (connection.client === undefined || connection.isOver) return
    const channels = this.#channels[connection.client.dialect]
    const listeners = channels.get(channel) ?? new Set()
    channels.set(channel, listeners.add(connection))
    connection.subscriptions.add(channel)
  }

  remove(channel: string, connection: Connection): void {
    connection.subscriptions.delete(channel)
    if (connection.client === undefined) return
    const channels = this.#channels[connection.client.dialect]
    const listeners = channels.get(channel)
    listeners?.delete(connection)
    if (listeners?.size === 0) channels.delete(channel)
  }

  removeAll(connection: Connection): void {
    for (const channel of [...connection.subscriptions]) this.remove(channel, connection)
  }

  /** A channel is gone. */
  drop(channel: string): void {
    for (const dialect of ['older', 'later'] as const) {
      for (const connection of [...this.of(channel, dialect)]) this.remove(channel, connection)
    }
  }
}
