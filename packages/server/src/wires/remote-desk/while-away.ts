import type { Clock } from '../../runtime/clock.js'

/** A desk that does not answer now, and may in a moment. */
export class DeskAwayError extends Error {
  override readonly name = 'DeskAwayError'
}

/** Half a minute in all: as long as a desk takes that is started anew. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000]

/** Tries again while the desk is away, for a while. */
export async function whileAway<T>(clock: Clock, attempt: () => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof DeskAwayError)) throw error
    }
    await new Promise<void>(resolve => clock.after(pauseMs, resolve))
  }
  return attempt()
}
