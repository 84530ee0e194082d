import { StoreUnavailableError } from 'beckon/store'

/** Tries again while the store is away; the test's own time limit is the limit. */
export async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
}
