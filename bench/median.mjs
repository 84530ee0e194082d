/**
 * The one in the middle, or between the two in the middle; NaN when there is none.
 * @param {readonly number[]} values those that are no numbers do not count
 */
export function median(values) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  const upper = sorted[sorted.length >> 1] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[(sorted.length >> 1) - 1] ?? Number.NaN)) / 2
}
