import { type Accepted, requestOf } from './act.js'

type Listener = () => void

/** Who waits for one ask to end. With a hundred thousand that are open, each hears of its own alone. */
export class Watchers {
  readonly #sessions = new Map<string, Map<string, Set<Listener>>>()

  add(session: string, request: string, listener: Listener): () => void {
    const requests = this.#sessions.get(session) ?? new Map<string, Set<Listener>>()
    const listeners = requests.get(request) ?? new Set()
    this.#sessions.set(session, requests.set(request, listeners.add(listener)))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && requests.get(request) === listeners) requests.delete(request)
      if (requests.size === 0 && this.#sessions.get(session) === requests) this.#sessions.delete(session)
    }
  }

  /** Tells those whose ask a line may have ended: one of them, or with a turn or a session all. */
  tell({ session, act }: Accepted): void {
    const requests = this.#sessions.get(session)
    const request = requestOf(act)
    if (request === undefined) notify(requests?.values() ?? [])
    else notify([requests?.get(request) ?? []])
  }

  tellAll(): void {
    for (const requests of [...this.#sessions.values()]) notify(requests.values())
  }
}

/** Whoever is told may stop listening. */
function notify(sets: Iterable<Iterable<Listener>>): void {
  for (const listener of [...sets].flatMap(set => [...set])) listener()
}
