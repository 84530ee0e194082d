import { highest, lowest, type SetSpan } from './set-options.js'
import type { SetMember } from './store.js'

/** Members in the order of their scores, and of their bytes where these are equal. */
export interface SortedMembers {
  readonly size: number
  scoreOf(member: string): number | undefined
  put(member: string, score: number): void
  remove(member: string): void
  range(span: SetSpan): SetMember[]
}

/** A set in memory: a sorted array, in which a place is found by halving. */
export function sortedMembers(): SortedMembers {
  const scores = new Map<string, number>()
  const sorted: SetMember[] = []

  /** How many come before this place, the one that is at it included or not. */
  function countBefore(place: SetMember, isIncluded: boolean): number {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      // It is between the two, so there is one.
      const order = compare(sorted[middle] as SetMember, place)
      if (order < 0 || (order === 0 && isIncluded)) low = middle + 1
      else high = middle
    }
    return low
  }

  function remove(member: string): void {
    const score = scores.get(member)
    if (score === undefined) return
    scores.delete(member)
    sorted.splice(countBefore({ member, score }, false), 1)
  }

  return {
    get size() {
      return sorted.length
    },

    scoreOf: member => scores.get(member),

    put(member, score) {
      if (scores.get(member) === score) return
      remove(member)
      scores.set(member, score)
      const place = { member, score }
      sorted.splice(countBefore(place, false), 0, place)
    },

    remove,

    range({ after, to, reverse, limit }) {
      const start = countBefore(after, !reverse)
      const end = countBefore({ member: reverse ? lowest : highest, score: to }, false)
      const found = reverse
        ? sorted.slice(Math.max(end, start - limit), start).reverse()
        : sorted.slice(start, Math.min(end, start + limit))
      return found.map(({ member, score }) => ({ member, score }))
    },
  }
}

/** Members are ASCII, of which the order of strings is that of bytes. */
function compare(a: SetMember, b: SetMember): number {
  if (a.score !== b.score) return a.score < b.score ? -1 : 1
  return a.member === b.member ? 0 : a.member < b.member ? -1 : 1
}
