/**
 * Prints what was measured, each with its ratio to the first.
 * @param {{ where: string, atOnce: number, goal: number | undefined }} what of Beckon, the ratio that it has to reach
 * @param {ReadonlyMap<string, number[]>} figures calls a second, by name, measured in turn
 * @returns {boolean} whether Beckon reached it
 */
export function report({ where, atOnce, goal }, figures) {
  const [first = []] = figures.values()
  let isReached = true
  for (const [name, own] of figures) {
    const ratio = median(own.map((figure, index) => figure / (first[index] ?? Number.NaN)))
    const isOurs = name === 'Beckon' && goal !== undefined
    if (isOurs && !(ratio >= goal)) isReached = false
    const verdict = isOurs ? `  ${ratio >= goal ? 'at least' : 'NOT'} ${goal}` : ''
    console.log(
      `${where.padEnd(9)} ${String(atOnce).padStart(3)} at once  ${name.padEnd(13)} ${median(own).toFixed(0).padStart(6)}/s  × ${ratio.toFixed(2)}${verdict}`,
    )
  }
  return isReached
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
