import { median } from '../../median.mjs'

/**
 * What has to be reached: a ratio of calls a second; or, one at a time, so many times as long at most.
 * @typedef {{ atLeast: number } | { atMostTimes: number }} Goal
 */

/**
 * Prints what was measured, each with its ratio to the first.
 * @param {{ where: string, atOnce: number, goals: ReadonlyMap<string, Goal | undefined> }} what with the goals by name
 * @param {ReadonlyMap<string, number[]>} figures calls a second, by name, measured in turn
 * @returns {boolean} whether all goals were reached
 */
export function report({ where, atOnce, goals }, figures) {
  const [first = []] = figures.values()
  let isReached = true
  for (const [name, own] of figures) {
    const ratio = median(own.map((figure, index) => figure / (first[index] ?? Number.NaN)))
    const verdict = judge(goals.get(name), ratio)
    if (!verdict.isReached) isReached = false
    console.log(
      `${where.padEnd(9)} ${String(atOnce).padStart(3)} at once  ${name.padEnd(13)} ${median(own).toFixed(0).padStart(6)}/s  × ${ratio.toFixed(2)}${verdict.words}`,
    )
  }
  return isReached
}

/**
 * @param {Goal | undefined} goal
 * @param {number} ratio
 */
function judge(goal, ratio) {
  if (goal === undefined) return { isReached: true, words: '' }
  if ('atLeast' in goal) {
    const isReached = ratio >= goal.atLeast
    return { isReached, words: `  ${isReached ? 'at least' : 'NOT'} ${goal.atLeast}` }
  }
  const times = 1 / ratio
  const isReached = times <= goal.atMostTimes
  return { isReached, words: `  ${times.toFixed(1)} × the time, ${isReached ? 'at most' : 'NOT'} ${goal.atMostTimes}` }
}
