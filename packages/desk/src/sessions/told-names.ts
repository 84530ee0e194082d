import type { NewName } from '../index/ask-index.js'
import { memberOf } from '../index/names.js'
import { type Token, tokensOf } from '../index/tokens.js'
import { askOf } from '../model/events.js'
import type { Happened } from '../model/happened.js'
import { findAsk } from '../model/reduce.js'
import type { Ask, Session } from '../model/session.js'

export interface ToldNamesOptions {
  /** Whether anybody looks under a token here. */
  readonly isFollowed: (token: Token) => boolean
  readonly now: () => number
  /** How long a name is remembered, at least. */
  readonly keepMs: number
  /** How many are remembered; of more, the oldest are looked at again. */
  readonly max: number
}

/** Which names of the index lead to what was told here lately: in which list each was, when it was last told of. */
export class ToldNames {
  readonly #options: ToldNamesOptions
  #names = new Map<string, NewName['list']>()
  #older = new Map<string, NewName['list']>()
  #since = Number.NEGATIVE_INFINITY

  constructor(options: ToldNamesOptions) {
    this.#options = options
  }

  /** Something was told: the names that it gave its asks are known. */
  happened({ id, event, before, after }: Happened): void {
    const ask = askOf(event)
    if (ask === undefined) {
      if (before === undefined || before.open === after?.open) return
      for (const closed of before.open.values()) if (!after?.open.has(closed.id)) this.#note(id, closed, 'over')
      return
    }
    const now = after && findAsk(after, ask)
    const was = before?.open.get(ask)
    if (now === undefined || now === was) return
    // To those who are asked no longer, it is over.
    if (was !== undefined && was.policy !== now.policy) this.#note(id, was, 'over')
    this.#note(id, now, now.ending === undefined ? 'open' : 'over')
  }

  /** A session was told of as it is. */
  announced({ id, open, ended }: Session): void {
    for (const ask of open.values()) this.#note(id, ask, 'open')
    for (const ask of ended) this.#note(id, ask, 'over')
  }

  has({ token, member, list }: NewName): boolean {
    const key = keyOf(token, member)
    return (this.#names.get(key) ?? this.#older.get(key)) === list
  }

  clear(): void {
    this.#names = new Map()
    this.#older = new Map()
  }

  #note(session: string, ask: Ask, list: NewName['list']): void {
    const { isFollowed, now, keepMs, max } = this.#options
    const member = memberOf(session, ask)
    for (const token of tokensOf(ask.policy)) {
      if (!isFollowed(token)) continue
      if (now() - this.#since > keepMs || this.#names.size >= max / 2) {
        this.#older = this.#names
        this.#names = new Map()
        this.#since = now()
      }
      this.#names.set(keyOf(token, member), list)
    }
  }
}

function keyOf(token: Token, member: string): string {
  return `${token} ${member}`
}
