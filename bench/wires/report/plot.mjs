const WIDTH = 900
const BAR = 22
const LABEL = 130
const PANEL = (WIDTH - 40) / 2
const COLORS = { beckon: '#0b7a75', bare: '#9aa5b1' }

/** Two panels a wire: calls per second (longer is better) and server CPU per call (shorter is better), at 100 at once. */
export function plot(summaries, caption) {
  let y = 56
  const parts = []
  for (const wire of ['rounds', 'push']) {
    const rows = summaries.filter(summary => summary.wire === wire)
    if (!rows.length) continue
    parts.push(panel(rows, { x: 20, y, title: `${wire}: calls per second`, value: row => row.many.perSecond }))
    parts.push(
      panel(rows, { x: 20 + PANEL, y, title: `${wire}: server CPU per call, µs`, value: row => row.many.cpuUs }),
    )
    y += 44 + rows.length * (BAR + 6)
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" font-family="system-ui, sans-serif" font-size="13">
<rect width="100%" height="100%" fill="#fff"/>
<text x="20" y="26" font-size="16" font-weight="600">One form ask per tool call over HTTP, 100 at once</text>
<text x="20" y="44" fill="#52606d">${xml(caption)}</text>
${parts.join('\n')}
</svg>
`
}

function panel(rows, { x, y, title, value }) {
  const scale = (PANEL - LABEL - 80) / Math.max(...rows.map(value))
  const bars = rows.map((row, i) => {
    const top = y + 26 + i * (BAR + 6)
    const length = value(row) * scale
    return `<text x="${x + LABEL - 8}" y="${top + 16}" text-anchor="end">${xml(row.name)}</text>
<rect x="${x + LABEL}" y="${top}" width="${length.toFixed(1)}" height="${BAR}" fill="${COLORS[row.role] ?? '#c9a227'}"/>
<text x="${(x + LABEL + length + 6).toFixed(1)}" y="${top + 16}">${value(row).toFixed(0)}</text>`
  })
  return `<text x="${x}" y="${y + 14}" font-weight="600">${xml(title)}</text>\n${bars.join('\n')}`
}

const xml = text => text.replace(/[&<>]/g, character => `&#${character.charCodeAt(0)};`)
