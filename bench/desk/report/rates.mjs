import { median } from '../../median.mjs'

/** @typedef {import('../load/in-turn.mjs').Figures} Figures */
/** @typedef {ReadonlyMap<string, readonly Figures[]>} Measured by contender, then by repetition */

/**
 * @param {Measured} measured
 * @param {string} name
 * @param {keyof Figures} figure
 */
export function middleOf(measured, name, figure) {
  return median((measured.get(name) ?? []).map(figures => figures[figure]))
}

/**
 * Taken within each repetition before their median, since the machine drifts between them.
 * @param {Measured} measured
 * @param {[name: string, other: string]} names
 * @param {keyof Figures} figure
 */
export function ratioOf(measured, [name, other], figure) {
  const others = measured.get(other) ?? []
  return median(
    (measured.get(name) ?? []).map((figures, index) => figures[figure] / (others[index]?.[figure] ?? Number.NaN)),
  )
}

/**
 * A line for each contender, the first of which the others are compared with.
 * @param {string} heading
 * @param {Measured} measured
 */
export function printRates(heading, measured) {
  const [first = ''] = measured.keys()
  for (const name of measured.keys()) {
    const [rate, p50, cpu] = /** @type {const} */ (['perSecond', 'p50Ms', 'cpuMs']).map(figure => ({
      figure: middleOf(measured, name, figure),
      ratio: name === first ? '' : `× ${ratioOf(measured, [name, first], figure).toFixed(2)}`,
    }))
    console.log(
      [
        `  ${heading.padEnd(28)} ${name.padEnd(12)}`,
        `${cell(rate?.figure, 0, 7)}/s ${rate?.ratio.padEnd(8)}`,
        `p50 ${cell(p50?.figure, 1, 8)} ms ${p50?.ratio.padEnd(9)}`,
        `CPU ${cell(cpu?.figure, 2, 7)} ms ${cpu?.ratio}`,
      ].join('  '),
    )
  }
}

/**
 * @param {number} [figure]
 * @param {number} [digits]
 * @param {number} [width]
 */
function cell(figure = Number.NaN, digits = 0, width = 0) {
  return figure.toFixed(digits).padStart(width)
}
