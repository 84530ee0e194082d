// What another server publishes, kept for a while. When that server is away, what is known of it stays good for longer, so
// that people who hold a token go on working; and it is not asked again with every request.
import type { Clock } from '../runtime/clock.js'

/** The other server cannot be reached, and nothing that is still good is known of it. */
export class IssuerAwayError extends Error {
  override readonly name = 'IssuerAwayError'
}

/** How often a server that is away is tried again. */
const retryMs = 1_000
/** How soon something can be read again for not having been what was looked for. */
const renewMs = 30_000
/** How long something stays good while its server is away. */
const staleMs = 24 * 60 * 60 * 1000

export interface KeptOptions<T> {
  readonly load: () => Promise<T>
  readonly clock: Pick<Clock, 'now'>
  /** How long it is not looked for again. */
  readonly freshMs: number
  /** Told why it cannot be had. */
  readonly onError?: ((error: unknown) => void) | undefined
}

export class Kept<T> {
  readonly #options: KeptOptions<T>
  #known: { readonly value: T; readonly loadedAt: number } | undefined
  #failed: { readonly error: unknown; readonly at: number } | undefined
  #loading: Promise<T> | undefined

  constructor(options: KeptOptions<T>) {
    this.#options = options
  }

  /** What is known, read anew when it is old. @throws IssuerAwayError */
  async get(): Promise<T> {
    const { clock, freshMs } = this.#options
    if (this.#known !== undefined && clock.now() - this.#known.loadedAt < freshMs) return this.#known.value
    return this.#loadOrKnown()
  }

  /**
   * Something newer than this value, for one who did not find in it what should be there; or the same, when it is new itself.
   * @throws IssuerAwayError when there may be something newer
   */
  async newerThan(value: T): Promise<T> {
    const known = this.#known
    if (known === undefined || known.value !== value) return this.get()
    return this.#options.clock.now() - known.loadedAt < renewMs ? value : this.#loadNow()
  }

  async #loadOrKnown(): Promise<T> {
    try {
      return await this.#loadNow()
    } catch (error) {
      if (this.#known !== undefined && this.#options.clock.now() - this.#known.loadedAt < staleMs)
        return this.#known.value
      throw error
    }
  }

  async #loadNow(): Promise<T> {
    try {
      if (this.#failed !== undefined && this.#options.clock.now() - this.#failed.at < retryMs) throw this.#failed.error
      this.#loading ??= this.#load()
      return await this.#loading
    } catch (error) {
      throw new IssuerAwayError(error instanceof Error ? error.message : String(error), { cause: error })
    }
  }

  async #load(): Promise<T> {
    const { load, clock, onError } = this.#options
    try {
      const value = await load()
      this.#known = { value, loadedAt: clock.now() }
      this.#failed = undefined
      return value
    } catch (error) {
      this.#failed = { error, at: clock.now() }
      onError?.(error)
      throw error
    } finally {
      this.#loading = undefined
    }
  }
}
