/** @typedef {import('./summarize.mjs').Summary} Summary */

/**
 * @typedef {object} Panel
 * @property {number} x
 * @property {number} y
 * @property {string} title
 * @property {string} hint
 * @property {(row: Summary) => number} value
 */

const width = 960
const margin = 28
const gap = 36
const panelWidth = (width - 2 * margin - gap) / 2
const labelWidth = 128
const valueWidth = 64
const barHeight = 20
const rowHeight = 30
const headHeight = 84
const ink = '#1f2933'
const faint = '#616e7c'
const colors = { beckon: '#0b7a75', bare: '#9aa5b1', peer: '#d9b44a' }

/**
 * Two panels a wire, at 100 at once: calls per second, and CPU time of the server per call.
 * @param {Summary[]} summaries
 * @param {string} caption
 */
export function plot(summaries, caption) {
  let y = headHeight
  const parts = []
  for (const wire of ['rounds', 'push']) {
    const rows = summaries.filter(summary => summary.wire === wire)
    if (rows.length === 0) continue
    const revision = wire === 'rounds' ? '2026-07-28' : '2025-11-25'
    parts.push(
      panel(rows, {
        x: margin,
        y,
        title: `${wire} (${revision}): calls per second`,
        hint: 'more is better',
        value: ({ many }) => many.perSecond,
      }),
      panel(rows, {
        x: margin + panelWidth + gap,
        y,
        title: 'server CPU per call, µs',
        hint: 'less is better',
        value: ({ many }) => many.cpuUs,
      }),
    )
    y += 30 + rows.length * rowHeight + 26
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="13" fill="${ink}" role="img" aria-label="One form ask per tool call over HTTP, 100 at once">
<rect width="${width}" height="${y}" rx="8" fill="#fff"/>
<text x="${margin}" y="38" font-size="18" font-weight="600">One form ask per tool call over HTTP, 100 at once</text>
<text x="${margin}" y="60" fill="${faint}">${xml(caption)}</text>
${parts.join('\n')}
</svg>
`
}

/**
 * @param {Summary[]} rows
 * @param {Panel} panel
 */
function panel(rows, { x, y, title, hint, value }) {
  const left = x + labelWidth
  const scale = (panelWidth - labelWidth - valueWidth) / Math.max(...rows.map(value))
  const bars = rows.map((row, index) => {
    const top = y + 30 + index * rowHeight
    const baseline = top + barHeight / 2 + 4.5
    const length = Math.max(value(row) * scale, 1).toFixed(1)
    const weight = row.role === 'beckon' ? ' font-weight="600"' : ''
    return `<text x="${left - 10}" y="${baseline}" text-anchor="end"${weight}>${xml(row.name)}</text>
<rect x="${left}" y="${top}" width="${length}" height="${barHeight}" rx="2" fill="${colorOf(row)}"/>
<text x="${(left + Number(length) + 8).toFixed(1)}" y="${baseline}"${weight}>${Math.round(value(row)).toLocaleString('en')}</text>`
  })
  return `<text x="${x}" y="${y + 14}" font-weight="600">${xml(title)}<tspan font-weight="400" fill="${faint}">, ${hint}</tspan></text>
<line x1="${left}" y1="${y + 24}" x2="${left}" y2="${y + 30 + rows.length * rowHeight - 4}" stroke="#cbd2d9"/>
${bars.join('\n')}`
}

/** @param {Summary} row */
function colorOf({ role }) {
  return role === 'beckon' || role === 'bare' ? colors[role] : colors.peer
}

/** @param {string} text */
function xml(text) {
  return text.replace(/[&<>]/g, character => `&#${character.charCodeAt(0)};`)
}
