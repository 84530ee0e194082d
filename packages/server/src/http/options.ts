/** How a server is served over HTTP. */
export interface HttpOptions {
  /** Host names that requests may be for. Default: those of this machine where `listen` is bound to it, else any. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Origins or host names of pages that may make requests, beside pages of this machine to a server of this machine. */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Default: 4 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** How many values a body may have, in all its objects and lists together. Default: 100,000. */
  readonly maxValues?: number | undefined
  /**
   * How many 2025 sessions there may be. One that is idle makes room; for a caller with a principal, first one of a caller
   * without, be it in use. Default: 10,000.
   */
  readonly maxSessions?: number | undefined
  /** How much 2025 sessions may hold. */
  readonly sessionLimits?: SessionLimits | undefined
  /** How long a 2025 session lives on with no request and no open stream. Default: 30 minutes. */
  readonly sessionIdleMs?: number | undefined
  /** How often an open event stream gets a comment, so that no proxy takes it for dead. Default: 15 seconds. */
  readonly keepAliveMs?: number | undefined
}

/** How much 2025 sessions may hold. Callers without a principal are anonymous; all of them have bounds of their own. */
export interface SessionLimits {
  /** How much of the room for all, of sessions, requests and bytes, one principal may take. Default: 0.1, a tenth. */
  readonly principalShare?: number | undefined
  /** How many requests of one session may wait for their answer. Default: 1,000. */
  readonly maxRequests?: number | undefined
  /** The same for a session without a principal. Default: 100. */
  readonly maxAnonymousRequests?: number | undefined
  /** How many may wait in all sessions with a principal, and how many in all without. Default: 10,000 each. */
  readonly maxRequestsInAll?: number | undefined
  /**
   * How many bytes one session may hold: requests that wait, subscriptions, what its client said of itself, answers that its
   * client does not read, and events for a client that comes back, which go first. Text counts with two bytes for a
   * character. Default: 16 MiB.
   */
  readonly maxBytes?: number | undefined
  /** How many bytes all sessions with a principal may hold, and how many all without. Default: 256 MiB each. */
  readonly maxBytesInAll?: number | undefined
}
