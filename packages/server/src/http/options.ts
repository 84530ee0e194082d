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
  /** How many 2025 sessions there may be; the one that was idle longest makes room. Default: 10,000. */
  readonly maxSessions?: number | undefined
  /** How long a 2025 session lives on with no request and no open stream. Default: 30 minutes. */
  readonly sessionIdleMs?: number | undefined
  /** How often an open event stream gets a comment, so that no proxy takes it for dead. Default: 15 seconds. */
  readonly keepAliveMs?: number | undefined
}
