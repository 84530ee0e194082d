// Who has a session when there is no room for everyone's.
//
// A caller with a principal is known; any number of callers can come without one. So
// - a known caller gets a session while an anonymous caller has any, be it in use;
// - an anonymous caller ends no session of a known one, and none that is in use;
// - a principal has its share of the room, and beyond that makes room with its own sessions;
// - of known callers, the one with the most sessions makes room first, and no session in use is ended.
//
// Not defended: anonymous callers against each other. One who holds all the room with open streams keeps it from the rest.

import type { Session } from './session.js'

/** Why there is no room: none for anyone, or none for this principal. */
export type NoRoom = 'all' | 'principal'

export class SessionTable {
  readonly #max: number
  readonly #maxPerPrincipal: number
  readonly #sessions = new Map<string, Session>()
  readonly #byCaller = new Map<string | undefined, Set<Session>>()

  constructor(max: number, maxPerPrincipal: number) {
    this.#max = max
    this.#maxPerPrincipal = maxPerPrincipal
  }

  get(id: string): Session | undefined {
    return this.#sessions.get(id)
  }

  all(): Session[] {
    return [...this.#sessions.values()]
  }

  add(session: Session): void {
    const { principal } = session.link
    this.#sessions.set(session.sessionId, session)
    const own = this.#byCaller.get(principal)
    if (own === undefined) this.#byCaller.set(principal, new Set([session]))
    else own.add(session)
  }

  delete(session: Session): void {
    const { principal } = session.link
    this.#sessions.delete(session.sessionId)
    const own = this.#byCaller.get(principal)
    if (own?.delete(session) && own.size === 0) this.#byCaller.delete(principal)
  }

  /** Makes room for one more session, at the cost of another where it has to. */
  makeRoomFor(principal: string | undefined): NoRoom | undefined {
    const own = this.#of(principal)
    if (principal !== undefined && own.size >= this.#maxPerPrincipal)
      return end(longestIdle(own)) ? undefined : 'principal'
    if (this.#sessions.size < this.#max) return undefined
    return end(principal === undefined ? longestIdle(own) : this.#leastWanted()) ? undefined : 'all'
  }

  /** The session that makes room for a known caller. */
  #leastWanted(): Session | undefined {
    const anonymous = this.#of(undefined)
    return longestIdle(anonymous) ?? leastRecent(anonymous) ?? this.#idleOfMost()
  }

  #idleOfMost(): Session | undefined {
    let most = 0
    let found: Session | undefined
    for (const sessions of this.#byCaller.values()) {
      if (sessions.size < most) continue
      const idle = longestIdle(sessions)
      if (idle === undefined) continue
      found = sessions.size > most ? idle : leastRecent([idle, ...(found ? [found] : [])])
      most = sessions.size
    }
    return found
  }

  #of(principal: string | undefined): ReadonlySet<Session> {
    return this.#byCaller.get(principal) ?? none
  }
}

const none: ReadonlySet<Session> = new Set()

function end(session: Session | undefined): boolean {
  void session?.close()
  return session !== undefined
}

function longestIdle(sessions: Iterable<Session>): Session | undefined {
  return leastRecent(sessions, session => session.isIdle)
}

function leastRecent(sessions: Iterable<Session>, matches = (_: Session): boolean => true): Session | undefined {
  let found: Session | undefined
  for (const session of sessions) {
    if (found !== undefined && session.lastUsedAt >= found.lastUsedAt) continue
    if (matches(session)) found = session
  }
  return found
}
