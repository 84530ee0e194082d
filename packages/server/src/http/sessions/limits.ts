import type { HttpOptions } from '../options.js'
import type { HoldingLimits } from './holdings.js'
import type { StoredLimits } from './shared/stored-sessions.js'

const defaultMaxSessions = 10_000
const defaultIdleMs = 30 * 60_000

/** Any store takes a value of so many characters. */
const maxRecordLength = 256 * 1024

/** The limits of an endpoint, with every default filled in. */
export interface ResolvedLimits {
  readonly maxSessions: number
  readonly maxSessionsPerPrincipal: number
  readonly known: HoldingLimits
  readonly anonymous: HoldingLimits
  readonly idleMs: number
  /** What is in a shared store. */
  readonly stored: StoredLimits
}

export function resolveLimits(options: HttpOptions): ResolvedLimits {
  const { maxSessions = defaultMaxSessions, sessionIdleMs: idleMs = defaultIdleMs, sessionLimits = {} } = options
  const {
    principalShare = 0.1,
    maxRequests = 1_000,
    maxAnonymousRequests = 100,
    maxRequestsInAll = 10_000,
    maxBytes = 16 * 1024 * 1024,
    maxBytesInAll = 256 * 1024 * 1024,
  } = sessionLimits
  const shareOf = (all: number): number => Math.max(1, Math.floor(all * principalShare))
  const requests = { principal: shareOf(maxRequestsInAll), all: maxRequestsInAll }
  const bytes = { session: maxBytes, principal: shareOf(maxBytesInAll), all: maxBytesInAll }
  const maxSessionsPerPrincipal = shareOf(maxSessions)
  // As many as there may be have all the bytes together.
  const anonymousLength = Math.min(maxRecordLength, Math.floor(maxBytesInAll / 2 / maxSessions))
  return {
    maxSessions,
    maxSessionsPerPrincipal,
    idleMs,
    stored: {
      maxSessions: { principal: maxSessionsPerPrincipal, anonymous: maxSessions },
      maxLength: { known: maxRecordLength, anonymous: anonymousLength },
      idleMs,
    },
    known: { requests: { ...requests, session: maxRequests }, bytes },
    anonymous: { requests: { ...requests, session: maxAnonymousRequests }, bytes },
  }
}
