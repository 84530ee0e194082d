// Draws a `sequenceDiagram` of Mermaid as SVG when the site is built, so that its pages need no script for that. Of the language it
// takes what our pages use: `participant A as Words`, `A->>B: words`, `A-->>B: words`, `Note over A: words`. Anything else throws.

const column = 190
const row = 44
const top = 56

/** @typedef {{ kind: 'message', from: string, to: string, dashed: boolean, words: string } | { kind: 'note', over: string, words: string }} Step */

/** @param {string} source */
export function parseSequence(source) {
  const [first, ...lines] = source
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  if (first !== 'sequenceDiagram') throw new Error(`Not a sequence diagram: "${first}"`)
  /** @type {Map<string, string>} */
  const participants = new Map()
  /** @type {Step[]} */
  const steps = []
  for (const line of lines) {
    const participant = /^participant (\w+)(?: as (.+))?$/.exec(line)
    const message = /^(\w+)(--?)>>(\w+): (.+)$/.exec(line)
    const note = /^Note over (\w+): (.+)$/.exec(line)
    if (participant) participants.set(participant[1] ?? '', participant[2] ?? participant[1] ?? '')
    else if (message)
      steps.push({
        kind: 'message',
        from: message[1] ?? '',
        dashed: message[2] === '--',
        to: message[3] ?? '',
        words: message[4] ?? '',
      })
    else if (note) steps.push({ kind: 'note', over: note[1] ?? '', words: note[2] ?? '' })
    else throw new Error(`Not understood in a sequence diagram: "${line}"`)
  }
  for (const step of steps)
    for (const name of step.kind === 'note' ? [step.over] : [step.from, step.to])
      if (!participants.has(name)) throw new Error(`"${name}" takes no part in the sequence diagram`)
  return { participants, steps }
}

/** @param {string} source */
export function drawSequence(source) {
  const { participants, steps } = parseSequence(source)
  const names = [...participants.keys()]
  const x = (/** @type {string} */ name) => column / 2 + names.indexOf(name) * column
  const width = names.length * column
  const height = top + steps.length * row + 16
  const heads = names.flatMap(name => [
    `<line class="life" x1="${x(name)}" y1="${top - 12}" x2="${x(name)}" y2="${height}"/>`,
    `<rect class="head" x="${x(name) - 70}" y="8" width="140" height="36" rx="6"/>`,
    text(x(name), 31, participants.get(name) ?? '', 'middle', 'name'),
  ])
  const body = steps.flatMap((step, index) => {
    const y = top + index * row + 26
    if (step.kind === 'note') return drawNote(step.words, x(step.over), y, width)
    const [from, to] = [x(step.from), x(step.to)]
    const tip = to > from ? -8 : 8
    const middle = Math.min(Math.max((from + to) / 2, halfWidth(step.words)), width - halfWidth(step.words))
    return [
      `<line class="message${step.dashed ? ' dashed' : ''}" x1="${from}" y1="${y}" x2="${to}" y2="${y}"/>`,
      `<path class="tip" d="M${to} ${y}l${tip} -4v8z"/>`,
      text(middle, y - 7, step.words, 'middle'),
    ]
  })
  return `<svg class="sequence" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(describe(participants, steps))}">${[...heads, ...body].join('')}</svg>`
}

/**
 * @param {string} words
 * @param {number} x
 * @param {number} y
 * @param {number} width
 */
function drawNote(words, x, y, width) {
  const half = halfWidth(words) + 4
  const middle = Math.min(Math.max(x, half), width - half)
  return [
    `<rect class="note" x="${middle - half}" y="${y - 20}" width="${half * 2}" height="28" rx="3"/>`,
    text(middle, y - 2, words, 'middle'),
  ]
}

/** @param {string} words */
const halfWidth = words => (words.length * 6.2 + 12) / 2

/**
 * @param {Map<string, string>} participants
 * @param {Step[]} steps
 */
function describe(participants, steps) {
  return steps
    .map(step =>
      step.kind === 'note'
        ? `${participants.get(step.over)}: ${step.words}.`
        : `${participants.get(step.from)} to ${participants.get(step.to)}: ${step.words}.`,
    )
    .join(' ')
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {string} anchor
 * @param {string} [kind]
 */
function text(x, y, words, anchor, kind = 'words') {
  return `<text class="${kind}" x="${x}" y="${y}" text-anchor="${anchor}">${escapeHtml(words)}</text>`
}

/** @param {string} words */
function escapeHtml(words) {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
