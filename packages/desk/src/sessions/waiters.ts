import { findAsk } from '../model/reduce.js'
import type { Ask, Session } from '../model/session.js'

type Resolve = (ask: Ask | undefined) => void

interface Waiting {
  readonly resolves: Set<Resolve>
  /** By when it has ended, in milliseconds. */
  readonly endsAt: number
}

/** Who waits for one ask to end. With a hundred thousand that are open, each hears of its own alone. */
export class Waiters {
  readonly #sessions = new Map<string, Map<string, Waiting>>()

  get size(): number {
    return this.#sessions.size
  }

  /** Whether anybody waits for an ask of a session. */
  isWaited(session: string): boolean {
    return this.#sessions.has(session)
  }

  /** Resolves when an ask that is open has ended; with undefined where it is gone. Rejects when the wait is given up. */
  wait(session: string, ask: string, endsAt: number, signal?: AbortSignal): Promise<Ask | undefined> {
    return new Promise((resolve, reject) => {
      const asks = this.#sessions.get(session) ?? new Map<string, Waiting>()
      const waiting = asks.get(ask) ?? { resolves: new Set(), endsAt }
      const giveUp = () => {
        this.#forget(session, ask, settle)
        reject(signal?.reason)
      }
      const settle = (ended: Ask | undefined) => {
        signal?.removeEventListener('abort', giveUp)
        resolve(ended)
      }
      waiting.resolves.add(settle)
      this.#sessions.set(session, asks.set(ask, waiting))
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  #forget(session: string, ask: string, settle: Resolve): void {
    const asks = this.#sessions.get(session)
    const waiting = asks?.get(ask)
    if (!waiting?.resolves.delete(settle) || waiting.resolves.size > 0) return
    asks?.delete(ask)
    if (asks?.size === 0) this.#sessions.delete(session)
  }

  /** Sessions with asks that should have ended before a time. */
  overdue(time: number): string[] {
    return [...this.#sessions]
      .filter(([, asks]) => [...asks.values()].some(({ endsAt }) => endsAt < time))
      .map(([session]) => session)
  }

  /** The sessions whose turn it is to be looked at, so many at a time; then it is that of the others. */
  inTurn(count: number): string[] {
    const first = [...this.#sessions].slice(0, count)
    for (const [session, asks] of first) {
      this.#sessions.delete(session)
      this.#sessions.set(session, asks)
    }
    return first.map(([session]) => session)
  }

  /** A session may have changed. */
  check(id: string, session: Session | undefined): void {
    const asks = this.#sessions.get(id)
    if (asks === undefined) return
    for (const [ask, waiting] of asks) {
      if (session?.open.has(ask)) continue
      asks.delete(ask)
      const ended = session && findAsk(session, ask)
      for (const resolve of waiting.resolves) resolve(ended)
    }
    if (asks.size === 0) this.#sessions.delete(id)
  }
}
