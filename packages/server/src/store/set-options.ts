// What a store makes of members, scores and the options about them, the same for every adapter.
import { checkWholeNumber, expiryOf } from './options.js'
import type { AppendOptions, CountOptions, PutOptions, RangeOptions, RemoveOptions, SetRemoval } from './store.js'

/** A member that is put with an append, with everything checked. */
export interface CheckedPut extends SetRemoval {
  readonly score: number
  readonly expiresAt: number | undefined
}

/** The part of a set that is read, with everything filled in. */
export interface SetSpan {
  /**
   * The place that members come after, in the direction of travel. Where no member was given it is one that no set has,
   * before all others (the empty string) or, in reverse, after them (DEL), so that comparing is all there is to do.
   */
  readonly after: { readonly score: number; readonly member: string }
  /** The last score, itself included. */
  readonly to: number
  readonly reverse: boolean
  readonly limit: number
}

const memberPattern = /^[ -~]{1,256}$/
/** Sort before and after every member. */
export const lowest = ''
export const highest = '\x7f'

/** The member. @throws TypeError unless it is a string, RangeError unless it is 1 to 256 printable ASCII characters. */
export function memberOf(member: string): string {
  if (typeof member !== 'string') throw new TypeError(`A member must be a string, and this is a ${typeof member}.`)
  if (memberPattern.test(member)) return member
  throw new RangeError(
    'A member must be 1 to 256 printable ASCII characters. Put an id there, and the rest into a key.',
  )
}

/** The score. @throws RangeError unless it is a finite number. */
export function scoreOf(score: number): number {
  return finite('A score', score)
}

/** What a member must be like to be put: absent, at a score, or anything. @throws RangeError for anything else. */
export function putConditionOf(options: PutOptions | undefined): 'absent' | number | undefined {
  const condition = options?.if
  return condition === undefined || condition === 'absent' ? condition : finite('if', condition)
}

/** The score that a member must have to be removed. @throws RangeError unless it is a finite number or left out. */
export function removeConditionOf(options: RemoveOptions | undefined): number | undefined {
  return options?.if === undefined ? undefined : finite('if', options.if)
}

/** What is put into sets with an append. @throws as `put` does. */
export function putsOf(options: AppendOptions | undefined): readonly CheckedPut[] {
  return (options?.puts ?? []).map(put => ({
    set: put.set,
    member: memberOf(put.member),
    score: scoreOf(put.score),
    expiresAt: expiryOf(put),
  }))
}

/** What is taken out of sets with an append. @throws as `remove` does. */
export function removalsOf(options: AppendOptions | undefined): readonly SetRemoval[] {
  return (options?.removals ?? []).map(({ set, member }) => ({ set, member: memberOf(member) }))
}

/** The part of a set that is read. @throws RangeError, or TypeError for a member that is not a string. */
export function spanOf({ from, to, reverse = false, limit }: RangeOptions): SetSpan {
  const first = reverse ? Number.MAX_VALUE : -Number.MAX_VALUE
  return {
    after: {
      score: from === undefined ? first : finite('from.score', from.score),
      member: from?.member === undefined ? (reverse ? highest : lowest) : memberOf(from.member),
    },
    to: to === undefined ? -first : finite('to', to),
    reverse,
    limit: checkWholeNumber('limit', limit),
  }
}

/** Where counting stops. @throws RangeError unless it is a whole number. */
export function countLimitOf({ upTo }: CountOptions): number {
  return checkWholeNumber('upTo', upTo)
}

function finite(name: string, value: number): number {
  // Adding 0 makes 0 of -0, which not every database tells apart.
  if (Number.isFinite(value)) return value + 0
  throw new RangeError(`${name} is ${value}, and must be a finite number.`)
}
