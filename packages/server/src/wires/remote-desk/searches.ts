// Threat: a desk that is broken, and has us search without end. So many are looked for at a time, and after so many in a row it is
// left alone for a moment, like a desk that does not answer.
import type { FoundOption } from '@beckon/core/widgets'
import type { DeskOutcome, FindOptions } from '../desk.js'
import type { SaidSearch } from './replies.js'

const maxAtOnce = 8
const maxInARow = 200

/** Waits for an outcome, and has what people type meanwhile looked for. */
export interface Searching {
  during(wait: () => Promise<DeskOutcome | SaidSearch | undefined>): Promise<DeskOutcome | undefined>
}

/** @param answer looks for some words, and says what was found */
export function remoteSearches(answer: (search: SaidSearch) => Promise<void>): Searching {
  let running = 0
  return {
    async during(wait) {
      for (let nth = 0; nth < maxInARow; nth++) {
        const said = await wait()
        if (said === undefined || 'action' in said) return said
        if (running >= maxAtOnce) continue
        running++
        // The desk waits for seconds; the person who types goes on.
        answer(said)
          .catch(() => {})
          .finally(() => running--)
      }
      return undefined
    },
  }
}

/** What is found by one of those who may know a handle; undefined where none does. */
export async function findWith(
  finders: Iterable<FindOptions>,
  handle: string,
  search: string,
): Promise<readonly FoundOption[] | undefined> {
  for (const find of finders) {
    try {
      return await find(handle, search)
    } catch {
      // The call may be another one's of the same desk.
    }
  }
  return undefined
}
