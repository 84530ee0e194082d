/** Time as it comes in, so that tests can move it. Core has none of its own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs `fn` once after a while; the result takes that back. Never keeps the process alive. */
  after(delayMs: number, fn: () => void): () => void
}
