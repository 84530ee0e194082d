import { afterTurn } from '../../runtime/after-turn.js'
import type { HttpResponse } from '../exchange/exchange.js'

/**
 * What was sent on the connections of a session and is not taken yet, because a client reads slowly or not at all. A
 * connection is looked at when the turn is over, since until then not even a quick client has taken anything.
 */
export class Unread {
  readonly #hold: (bytes: number) => void
  /** Connections that are behind, the oldest first. */
  readonly #behind = new Map<HttpResponse, number>()
  #toLookAt: HttpResponse[] = []
  readonly #watched = new WeakSet<HttpResponse>()
  #bytes = 0

  /** @param hold Counts the bytes that are unread more, or fewer. */
  constructor(hold: (bytes: number) => void) {
    this.#hold = hold
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Something was sent. */
  sent(response: HttpResponse): void {
    if (this.#toLookAt.includes(response)) return
    if (this.#toLookAt.push(response) === 1) afterTurn(this.#lookAtAll)
  }

  /** Cuts off the connection that is behind for longest, if so many are; false when nothing was cut off. */
  cutOldest(among: number): boolean {
    const [oldest] = this.#behind.keys()
    if (oldest === undefined || this.#behind.size < among) return false
    this.#count(oldest, 0)
    oldest.destroy()
    return true
  }

  readonly #lookAtAll = (): void => {
    const responses = this.#toLookAt
    this.#toLookAt = []
    for (const response of responses) this.#look(response)
  }

  #look(response: HttpResponse): void {
    const bytes = response.backlog
    if (bytes > 0 && !this.#watched.has(response)) {
      this.#watched.add(response)
      response.onTaken(() => this.#look(response))
    }
    this.#count(response, bytes)
  }

  #count(response: HttpResponse, bytes: number): void {
    if (bytes === 0 && this.#behind.size === 0) return
    const more = bytes - (this.#behind.get(response) ?? 0)
    if (more === 0) return
    if (bytes === 0) this.#behind.delete(response)
    else this.#behind.set(response, bytes)
    this.#bytes += more
    this.#hold(more)
  }
}
