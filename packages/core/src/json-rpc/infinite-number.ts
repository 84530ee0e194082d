/** What may be the text of a number beyond those that there are: one with an exponent, or a long one. Other texts too. */
const suspect = /\d[eE]\+?\d|\d{32}/

/**
 * Whether a JSON text has a number beyond those that there are, such as 1e400, which is read as infinity. It would be written again,
 * and digested, as null: two messages that differ would be taken for the same. `value` is what was parsed.
 */
export function hasInfiniteNumber(text: string, value: unknown): boolean {
  return suspect.test(text) && isInfiniteSomewhere(value)
}

function isInfiniteSomewhere(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(isInfiniteSomewhere)
}
