import { afterTurn } from '../../runtime/after-turn.js'
import type { Exchange } from '../exchange/exchange.js'

/**
 * What was sent on the connections of a session and is not taken yet, because a client reads slowly or not at all. A
 * connection is looked at when the turn is over, since until then not even a quick client has taken anything.
 */
export class Unread {
  readonly #hold: (bytes: number) => void
  /** Connections that are behind, the oldest first. */
  readonly #behind = new Map<Exchange, number>()
  readonly #toLookAt = new Set<Exchange>()
  readonly #watched = new WeakSet<Exchange>()
  #bytes = 0

  /** @param hold Counts the bytes that are unread more, or fewer. */
  constructor(hold: (bytes: number) => void) {
    this.#hold = hold
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Something was sent. */
  sent(exchange: Exchange): void {
    if (this.#toLookAt.has(exchange)) return
    this.#toLookAt.add(exchange)
    afterTurn(() => {
      this.#toLookAt.delete(exchange)
      this.#look(exchange)
    })
  }

  /** Cuts off the connection that is behind for longest, if so many are; false when nothing was cut off. */
  cutOldest(among: number): boolean {
    const [oldest] = this.#behind.keys()
    if (oldest === undefined || this.#behind.size < among) return false
    this.#count(oldest, 0)
    oldest.destroy()
    return true
  }

  #look(exchange: Exchange): void {
    const bytes = exchange.backlog
    if (bytes > 0 && !this.#watched.has(exchange)) {
      this.#watched.add(exchange)
      exchange.onTaken(() => this.#look(exchange))
    }
    this.#count(exchange, bytes)
  }

  #count(exchange: Exchange, bytes: number): void {
    const more = bytes - (this.#behind.get(exchange) ?? 0)
    if (more === 0) return
    if (bytes === 0) this.#behind.delete(exchange)
    else this.#behind.set(exchange, bytes)
    this.#bytes += more
    this.#hold(more)
  }
}
