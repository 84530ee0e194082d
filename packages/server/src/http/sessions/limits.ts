import type { HttpOptions } from '../options.js'

const defaultMaxSessions = 10_000

/** The limits of an endpoint, with every default filled in. */
export interface ResolvedLimits {
  readonly maxSessions: number
  readonly maxSessionsPerPrincipal: number
}

export function resolveLimits({ maxSessions = defaultMaxSessions, sessionLimits = {} }: HttpOptions): ResolvedLimits {
  const { principalShare = 0.1 } = sessionLimits
  const shareOf = (all: number): number => Math.max(1, Math.floor(all * principalShare))
  return { maxSessions, maxSessionsPerPrincipal: shareOf(maxSessions) }
}
