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
  constructor(
    store: string,
    cause: unknown,
    message: string = `${store}, which keeps this server's state, does not answer. Try again in a moment.`,
  ) {
    super(message, { cause })
  }
}

/** Other processes changed a key or a log first, each time this one tried. Callers treat it as a store that is away. */
export function tooContended(key: string, attempts: number): StoreUnavailableError {
  const cause = new Error(`"${key}" was changed by others first, ${attempts} times in a row.`)
  return new StoreUnavailableError('The store', cause, 'Too many processes changed this at once. Try again.')
}
