import { BeckonError } from '@beckon/core'

/**
 * A store that could not be reached, or did not answer in time. What was being written may or may not have been: read it
 * before you write it again. Why is in `cause`, and not in the message, which may go to a client.
 */
export class StoreUnavailableError extends BeckonError {
  protected static override readonly kind = 'StoreUnavailable'
  /** The same call may succeed later. */
  readonly retryable = true

  /** `store` is what a person calls it: `Postgres`. */
  constructor(store: string, cause: unknown) {
    super(`${store}, which keeps this server's state, does not answer. Try again in a moment.`)
    this.cause = cause
  }
}
