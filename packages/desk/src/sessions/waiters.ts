import { findAsk } from '../model/reduce.js'
import type { Ask, Session } from '../model/session.js'

type Resolve = (ask: Ask | undefined) => void

/** Who waits for one ask to end. With a hundred thousand that are open, each hears of its own alone. */
export class Waiters {
  readonly #sessions = new Map<string, Map<string, Set<Resolve>>>()

  get size(): number {
    return this.#sessions.size
  }

  /** Resolves when an ask that is open has ended; with undefined where it is gone. */
  wait(session: string, ask: string): Promise<Ask | undefined> {
    return new Promise(resolve => {
      const asks = this.#sessions.get(session) ?? new Map<string, Set<Resolve>>()
      const waiting = asks.get(ask) ?? new Set<Resolve>()
      this.#sessions.set(session, asks.set(ask, waiting.add(resolve)))
    })
  }

  /** A session may have changed. */
  check(id: string, session: Session | undefined): void {
    const asks = this.#sessions.get(id)
    if (asks === undefined) return
    for (const [ask, waiting] of asks) {
      if (session?.open.has(ask)) continue
      asks.delete(ask)
      const ended = session && findAsk(session, ask)
      for (const resolve of waiting) resolve(ended)
    }
    if (asks.size === 0) this.#sessions.delete(id)
  }
}
