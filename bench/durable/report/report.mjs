import { median } from '../../median.mjs'

/**
 * What has to be reached: a ratio of calls a second; or, one at a time, so many times as long at most.
 * @typedef {{ atLeast: number } | { atMostTimes: number }} Goal
 */

/**
 * One measurement: calls a second, and what a call took of the CPU of the process that served it.
 * @typedef {{ perSecond: number, cpuUs: number }} Figure
 */

/**
 * Prints what was measured, each with its ratio to the first.
 * @param {{ where: string, atOnce: number, goals: ReadonlyMap<string, Goal | undefined> }} what with the goals by name
 * @param {ReadonlyMap<string, Figure[]>} figures by name, measured in turn
 * @returns {string[]} which goals were missed
 */
export function report({ where, atOnce, goals }, figures) {
  const [first = []] = figures.values()
  const missed = []
  for (const [name, own] of figures) {
    const ratio = median(own.map(({ perSecond }, index) => perSecond / (first[index]?.perSecond ?? Number.NaN)))
    const verdict = judge(goals.get(name), ratio)
    const perSecond = median(own.map(figure => figure.perSecond))
    const cpuMs = median(own.map(figure => figure.cpuUs)) / 1_000
    console.log(
      `${where.padEnd(9)} ${String(atOnce).padStart(3)} at once  ${name.padEnd(13)} ${perSecond.toFixed(0).padStart(6)}/s  × ${ratio.toFixed(2)}  CPU ${cpuMs.toFixed(3)} ms${verdict.words}`,
    )
    if (!verdict.isReached) missed.push(`${name} on ${where}, ${atOnce} at once: ${ratio.toFixed(2)}${verdict.words}`)
  }
  return missed
}

/**
 * Says plainly what was missed.
 * @param {string[]} missed
 */
export function conclude(missed) {
  console.log(missed.length === 0 ? 'All aims are reached.' : `Missed: ${missed.join('; ')}.`)
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
