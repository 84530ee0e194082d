import type { HttpOptions } from '../options.js'
import type { HoldingLimits } from './holdings.js'

const defaultMaxSessions = 10_000

/** The limits of an endpoint, with every default filled in. */
export interface ResolvedLimits {
  readonly maxSessions: number
  readonly maxSessionsPerPrincipal: number
  readonly known: HoldingLimits
  readonly anonymous: HoldingLimits
}

export function resolveLimits({ maxSessions = defaultMaxSessions, sessionLimits = {} }: HttpOptions): ResolvedLimits {
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
  return {
    maxSessions,
    maxSessionsPerPrincipal: shareOf(maxSessions),
    known: { requests: { ...requests, session: maxRequests }, bytes },
    anonymous: { requests: { ...requests, session: maxAnonymousRequests }, bytes },
  }
}
