import type { RunnerLimits } from '../runner/call-request.js'

/** How much of everything a server keeps, and for how long it waits. */
export interface Limits extends RunnerLimits {
  /** So many sessions are told that a page they were sent to is done. */
  pages: number
  /** So many callers without a principal have values in a store of this process; the oldest are forgotten first. */
  anonymous: number
  /** So many handles wait for a model to bring them back, in a store of this process; the oldest are forgotten first. */
  handles: number
  /** How long another process may be silent before its calls are taken over. */
  leaseMs: number
}

export const defaultLimits: Limits = {
  suspended: 10_000,
  suspendedPerPrincipal: 1_000,
  suspendedBytes: 64 * 1024 * 1024,
  replies: 1_000,
  replyBytes: 64 * 1024 * 1024,
  rounds: 100_000,
  stateBytes: 64 * 1024,
  asks: 256,
  holdMs: 45_000,
  // Well beyond the few milliseconds that NTP keeps machines apart, and little enough for no floor to be within it.
  clockSkewMs: 100,
  pages: 10_000,
  anonymous: 10_000,
  handles: 10_000,
  leaseMs: 15_000,
}
