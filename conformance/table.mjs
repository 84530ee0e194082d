// A table in the documentation that a run wrote, between two lines that say so.

/**
 * @param {string} command what writes it
 * @param {string} page
 */
export function tablePlace(command, page) {
  const [begin, end] = [`<!-- Written by \`${command}\`. -->\n`, '<!-- Until here. -->']
  return {
    /**
     * @param {string} text of the page
     * @param {readonly (readonly string[])[]} rows the head first
     */
    withTable(text, rows) {
      const start = text.indexOf(begin)
      const [from, to] = [start + begin.length, text.indexOf(end, start)]
      if (start < 0 || to < from) throw new Error(`${page} has no place for the table.`)
      return text.slice(0, from) + tableOf(rows) + text.slice(to)
    },
  }
}

/** @param {readonly (readonly string[])[]} rows */
function tableOf([head = [], ...rows]) {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map(cells => `| ${cells.join(' | ')} |\n`).join('')
}
