import { dropOldest } from '@beckon/core'
import type { SetPut } from 'beckon/store'

const maxSets = 10_000

/**
 * Which lists of what is over expire late enough as they are: I7. What is known here was stored, and no node of the desk moves it back
 * or empties such a list of what is young.
 */
export class SetExpiries {
  readonly #slackMs: number
  readonly #known = new Map<string, number>()

  /** @param slackMs By so much a set may expire earlier than the last of its puts says. */
  constructor(slackMs: number) {
    this.#slackMs = slackMs
  }

  /** The same, with an expiry only where the set needs it. */
  needed(puts: readonly SetPut[]): readonly SetPut[] {
    return puts.map(put => {
      const { set, member, score, expiresAt } = put
      const until = this.#known.get(set) ?? Number.NEGATIVE_INFINITY
      return expiresAt === undefined || until < expiresAt - this.#slackMs ? put : { set, member, score }
    })
  }

  /** These were stored. */
  stored(puts: readonly SetPut[]): void {
    for (const { set, expiresAt } of puts) {
      if (expiresAt === undefined) continue
      this.#known.delete(set)
      this.#known.set(set, expiresAt)
    }
    dropOldest(this.#known, maxSets)
  }
}
