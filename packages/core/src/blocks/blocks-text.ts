// Blocks for those who have only a message: every block is there, or said to be left out. The text is bounded, since a client
// shows it in a dialog; what is decided there is decided on less, and the text says so.
import { visible } from '../text/index.js'
import { inspectUrl } from '../urls/index.js'
import type { Block, ImageBlock, TableBlock, TableCell } from './block.js'
import { diffRows } from './diff-lines.js'

/** So much of all blocks is in a message. */
const maxMessageChars = 4_000
const maxLineChars = 300
const maxCellChars = 40

/** Blocks as plain text. */
export function blocksText(blocks: readonly Block[], maxChars: number = maxMessageChars): string {
  const texts: string[] = []
  let left = maxChars
  for (const [index, block] of blocks.entries()) {
    // What the ones before did not need is for those that follow.
    const text = cut(linesOf(block), Math.floor(left / (blocks.length - index)))
    left -= text.length
    texts.push(text)
  }
  return texts.join('\n\n')
}

/** Whole lines as far as there is room, and how many are not shown. */
function cut(lines: readonly string[], maxChars: number): string {
  const shown: string[] = []
  let chars = 0
  for (const line of lines.map(shorten)) {
    chars += line.length + 1
    if (chars > maxChars) return [...shown, `(${lines.length - shown.length} more lines are not shown here)`].join('\n')
    shown.push(line)
  }
  return shown.join('\n')
}

function shorten(line: string): string {
  const rest = line.length - maxLineChars
  return rest > 0 ? `${line.slice(0, maxLineChars)}… (${rest} more characters)` : line
}

function linesOf(block: Block): string[] {
  switch (block.kind) {
    case 'markdown':
      return visible(block.text).split('\n')
    case 'diff':
      return under(block.title, diffRows(block.before, block.after).map(diffLine))
    case 'table':
      return under(block.title, tableLines(block))
    case 'code':
      return under(block.title, visible(block.text).split('\n'))
    case 'json':
      return under(block.title, visible(JSON.stringify(block.value, null, 2)).split('\n'))
    case 'image':
      return [imageLine(block)]
    case 'link':
      return under(block.title, linkLines(block.url))
  }
}

function under(title: string | undefined, lines: readonly string[]): string[] {
  return title === undefined ? [...lines] : [`${oneLine(title)}:`, ...lines]
}

const signs = { same: ' ', removed: '-', added: '+' } as const

function diffLine(row: ReturnType<typeof diffRows>[number]): string {
  return row.kind === 'skipped' ? `  (${row.lines} unchanged)` : `${signs[row.kind]} ${visible(row.text)}`
}

function tableLines({ columns, rows }: TableBlock): string[] {
  const cells = [columns, ...rows].map(row => row.map(cellText))
  const widths = columns.map((_, column) => Math.max(...cells.map(row => `${row[column]}`.length)))
  const lines = cells.map(row =>
    row
      .map((cell, column) => cell.padEnd(Number(widths[column])))
      .join(' | ')
      .trimEnd(),
  )
  return [...lines.slice(0, 1), widths.map(width => '-'.repeat(width)).join('-+-'), ...lines.slice(1)]
}

function cellText(cell: TableCell): string {
  const text = cell === null ? '' : oneLine(String(cell))
  return text.length > maxCellChars ? `${text.slice(0, maxCellChars - 1)}…` : text
}

function imageLine(block: ImageBlock): string {
  const what = `[An image that is not shown here: ${oneLine(block.alt)}`
  return 'url' in block ? `${what}, at ${linkLines(block.url).join(' ')}]` : `${what}]`
}

function linkLines(url: string): string[] {
  const link = inspectUrl(url, { allowHttp: true })
  if (link.kind === 'refused') return [`(a link that is refused: ${link.message})`]
  const dangers = link.warnings.filter(({ level }) => level === 'danger').map(({ message }) => `Careful: ${message}`)
  return [link.url, ...dangers]
}

function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim()
}
