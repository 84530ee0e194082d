/** @typedef {import('./summarize.mjs').Summary} Summary */

const head = [
  'wire',
  'server',
  '1: calls/s',
  'CPU µs',
  '100: calls/s',
  'CPU µs',
  'busy',
  '× tmcp',
  '× bare',
  'CPU × bare',
]

/** What Beckon wants to be, at 100 at once. */
const aims = [
  { wire: 'rounds', what: 'calls/s to tmcp', atLeast: 3.5, of: (/** @type {Summary} */ { many }) => many.speedTo.tmcp },
  { wire: 'rounds', what: 'CPU to bare', atMost: 1.3, of: (/** @type {Summary} */ { many }) => many.cpuTo.bare },
  { wire: 'push', what: 'calls/s to tmcp', atLeast: 2.5, of: (/** @type {Summary} */ { many }) => many.speedTo.tmcp },
  { wire: 'push', what: 'CPU to bare', atMost: 2, of: (/** @type {Summary} */ { many }) => many.cpuTo.bare },
]

/** @param {Summary[]} summaries */
export function table(summaries) {
  const rows = summaries.map(({ name, wire, one, many }) => [
    wire,
    name,
    one.perSecond.toFixed(0),
    one.cpuUs.toFixed(0),
    many.perSecond.toFixed(0),
    many.cpuUs.toFixed(0),
    `${(many.serverBusy * 100).toFixed(0)}%`,
    ratio(many.speedTo.tmcp),
    ratio(many.speedTo.bare),
    ratio(many.cpuTo.bare),
  ])
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map(row => row[column]?.length ?? 0), 3))
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, i) => pad(cell, widths[i] ?? 0, i)).join(' | ')} |`
  const rule = widths.map((width, i) => (i < 2 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

/**
 * How Beckon stands to what it aims for; nothing for what was not measured.
 * @param {Summary[]} summaries
 * @returns {{ text: string, isReached: boolean }[]}
 */
export function standing(summaries) {
  return aims.flatMap(({ wire, what, of, atLeast = 0, atMost = Number.POSITIVE_INFINITY }) => {
    const beckon = summaries.find(summary => summary.wire === wire && summary.role === 'beckon')
    const value = beckon ? of(beckon) : Number.NaN
    if (Number.isNaN(value)) return []
    const isReached = value >= atLeast && value <= atMost
    const bound = atLeast > 0 ? `at least ${atLeast}` : `at most ${atMost}`
    return [{ text: `${wire}, ${what}: ${value.toFixed(2)}, ${isReached ? '' : 'NOT '}${bound}`, isReached }]
  })
}

/**
 * A server that did not get a core of its own says little about calls per second; its CPU time still does.
 * @param {Summary[]} summaries
 */
export function caution(summaries) {
  const isShared = summaries.some(({ many }) => many.serverBusy < 0.85)
  return isShared ? ['The machine was shared (busy below 85%): CPU per call says more than calls per second.'] : []
}

/** @param {number} value */
function ratio(value) {
  return Number.isNaN(value) ? '-' : value.toFixed(2)
}

/**
 * @param {string} cell
 * @param {number} width
 * @param {number} column
 */
function pad(cell, width, column) {
  return column < 2 ? cell.padEnd(width) : cell.padStart(width)
}
