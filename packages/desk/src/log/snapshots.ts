// The state that a part of the log begins with, in pieces that any store can hold. Every node that gets to the end of a
// part has the same state there, so whoever writes a piece first has written the same.
import type { JsonValue, Store } from 'beckon/store'

/** Sessions in a piece. */
const pieceSessions = 100

export class Snapshots {
  readonly #store: Store
  readonly #name: string

  constructor(store: Store, name: string) {
    this.#store = store
    this.#name = name
  }

  async write(part: number, sessions: readonly JsonValue[]): Promise<void> {
    for (let piece = 0; piece * pieceSessions < sessions.length; piece++) {
      const held = sessions.slice(piece * pieceSessions, (piece + 1) * pieceSessions)
      await this.#store.append(this.#logOf(part), [held], { after: piece })
    }
  }

  async read(part: number): Promise<JsonValue[]> {
    const sessions: JsonValue[] = []
    for (let after = 0; ; after++) {
      const [entry] = await this.#store.read(this.#logOf(part), { after, limit: 1 })
      if (entry === undefined) return sessions
      // A piece is a list, as it was written.
      for (const session of entry.value as JsonValue[]) sessions.push(session)
    }
  }

  async erase(part: number): Promise<void> {
    await this.#store.erase(this.#logOf(part))
  }

  #logOf(part: number): string {
    return `${this.#name}/snapshot/${part}`
  }
}
