import type { PutOptions, RangeOptions, RemoveOptions, SetMember } from '../store.js'

/** A set in the plainest way that says what a store has to do: everything is sorted again each time. */
export class SetModel {
  readonly #scores = new Map<string, number>()

  put(member: string, score: number, options: PutOptions = {}): boolean {
    const current = this.#scores.get(member)
    if (options.if === 'absent' && current !== undefined) return false
    if (typeof options.if === 'number' && current !== options.if) return false
    this.#scores.set(member, score)
    return true
  }

  remove(member: string, options: RemoveOptions = {}): boolean {
    const current = this.#scores.get(member)
    if (options.if !== undefined && current !== options.if) return false
    return this.#scores.delete(member)
  }

  range({ from, to, reverse = false, limit }: RangeOptions): SetMember[] {
    const direction = reverse ? -1 : 1
    return Array.from(this.#scores, ([member, score]) => ({ member, score }))
      .sort((a, b) => direction * compare(a, b))
      .filter(({ member, score }) => {
        if (to !== undefined && direction * (score - to) > 0) return false
        if (from === undefined) return true
        if (from.member === undefined) return direction * (score - from.score) >= 0
        return direction * compare({ member, score }, { member: from.member, score: from.score }) > 0
      })
      .slice(0, limit)
  }

  count(upTo: number): number {
    return Math.min(this.#scores.size, upTo)
  }
}

function compare(a: SetMember, b: SetMember): number {
  if (a.score !== b.score) return a.score < b.score ? -1 : 1
  return a.member === b.member ? 0 : a.member < b.member ? -1 : 1
}

/** Numbers from 0 to below 1, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed
  // mulberry32
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
