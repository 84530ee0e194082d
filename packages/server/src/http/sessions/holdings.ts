// What the sessions of one kind of caller hold: those of known callers, or those of anonymous ones. Each kind has its own, so
// that anonymous callers, of whom there may be any number, take nothing from a known one.
//
// When there is no room, the session with the most to spare lets go of it: events that were logged for clients that come back,
// and connections that do not read. Then an idle session ends, the one that holds the most. One in use does not.

import type { RequestId } from '../../protocol/messages.js'
import type { Exchange } from '../exchange/exchange.js'
import { refuse } from '../reply-with.js'
import { type Level, levels, Quota, type QuotaLimits } from './quota.js'
import type { Session } from './session.js'

export interface HoldingLimits {
  readonly requests: QuotaLimits
  readonly bytes: QuotaLimits
}

/** Why a request is not taken. */
export interface Excess {
  readonly reached: Level
  readonly of: 'requests' | 'bytes'
}

const kinds = ['requests', 'bytes'] as const

export class Holdings {
  readonly requests: Quota<Session>
  readonly bytes: Quota<Session>

  constructor({ requests, bytes }: HoldingLimits) {
    this.requests = new Quota(requests)
    this.bytes = new Quota(bytes)
  }

  /** Makes room for so much more; says why there is none. */
  makeRoomFor(session: Session, more: { readonly requests: number; readonly bytes: number }): Excess | undefined {
    this.relieve(session, more.bytes)
    for (const of of kinds) {
      const quota = this[of]
      let reached = quota.reached(session, more[of])
      while (reached === 'all' && endIdle(quota, session)) reached = quota.reached(session, more[of])
      if (reached !== undefined) return { reached, of }
    }
    return undefined
  }

  /** Has sessions let go of what they can, until there is room for so many bytes more. */
  relieve(session: Session, bytes = 0): void {
    for (const level of levels) while (this.bytes.isReached(level, session, bytes) && this.#letGo(level, session));
  }

  #letGo(level: Level, session: Session): boolean {
    return level === 'session' ? session.letGo(true) : this.#withMostToSpare(session, level).letGo(false)
  }

  /** Of the sessions of its principal, or of all. */
  #withMostToSpare(session: Session, among: 'principal' | 'all'): Session {
    let most: Session | undefined
    for (const other of this.bytes.holders()) {
      const isAmong = among === 'all' || other.link.principal === session.link.principal
      if (isAmong && other.spareBytes > (most?.spareBytes ?? 0)) most = other
    }
    return most ?? session
  }
}

/** Ends the idle session that holds the most. */
function endIdle(quota: Quota<Session>, except: Session): boolean {
  let most: Session | undefined
  for (const session of quota.holders()) {
    if (session === except || !session.isIdle || session.isClosed) continue
    if (most === undefined || quota.held(session) > quota.held(most)) most = session
  }
  void most?.close()
  return most !== undefined
}

/** Refuses a POST: 429 when the caller holds too much, 503 when all callers do. */
export function refuseExcess(exchange: Exchange, { reached, of }: Excess, ids: readonly RequestId[]): void {
  const [first = null] = ids
  const what =
    of === 'requests'
      ? `Too many requests ${whose[reached]}wait for an answer`
      : `Too much ${whose[reached]}is in memory`
  refuse(exchange, reached === 'all' ? 503 : 429, {
    id: ids.length === 1 ? first : null,
    code: -32000,
    message: `${what}; try again later`,
    headers: ['Retry-After', '5'],
  })
}

const whose: Record<Level, string> = { session: 'of this session ', principal: 'of this caller ', all: '' }
