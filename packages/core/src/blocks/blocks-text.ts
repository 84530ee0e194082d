// Blocks for those who have only a message: every block is there, or said to be left out. The text is bounded, since a client
// shows it in a dialog; what is decided there is decided on less, and the text says so.
import { visible } from '../text/index.js'
import { inspectUrl } from '../urls/index.js'
import type { Block, CodeBlock, DiffBlock, ImageBlock, TableBlock, TableCell } from './block.js'
import { changesLineEnds, type DiffRun, diffRuns } from './diff-lines.js'

/** So much of all blocks is in a message. */
const maxMessageChars = 4_000
const maxLineChars = 300
const maxCellChars = 40

/** Blocks in words. */
export interface ToldBlocks {
  readonly text: string
  /** Nothing is left out: no line, no part of one, no image. */
  readonly isWhole: boolean
}

/** Blocks as plain text. */
export function blocksText(blocks: readonly Block[], maxChars: number = maxMessageChars): string {
  return tellBlocks(blocks, maxChars).text
}

/** Blocks as plain text, and whether that is all of them. */
export function tellBlocks(blocks: readonly Block[], maxChars: number = maxMessageChars): ToldBlocks {
  const texts: string[] = []
  let left = maxChars
  let isWhole = true
  for (const [index, block] of blocks.entries()) {
    // What the ones before did not need is for those that follow.
    const told = cut(linesOf(block), Math.floor(left / (blocks.length - index)))
    left -= told.text.length
    texts.push(told.text)
    isWhole &&= told.isWhole
  }
  return { text: texts.join('\n\n'), isWhole }
}

/** A line of text, or one that stands for more than it says. Of a long block few are ever read, so they are made when they are. */
type Line = string | (() => string | Shortened)

interface Shortened {
  readonly short: string
}

/** Whole lines as far as there is room, and how many are not shown. */
function cut(lines: readonly Line[], maxChars: number): ToldBlocks {
  const shown: string[] = []
  let chars = 0
  let isWhole = true
  for (const given of lines) {
    const line = shorten(typeof given === 'string' ? given : given())
    const text = typeof line === 'string' ? line : line.short
    chars += text.length + 1
    if (chars > maxChars) {
      const rest = `(${lines.length - shown.length} more lines are not shown here)`
      return { text: [...shown, rest].join('\n'), isWhole: false }
    }
    shown.push(text)
    isWhole &&= line === text
  }
  return { text: shown.join('\n'), isWhole }
}

function shorten(line: string | Shortened): string | Shortened {
  const text = typeof line === 'string' ? line : line.short
  const rest = text.length - maxLineChars
  return rest > 0 ? { short: `${text.slice(0, maxLineChars)}… (${rest} more characters)` } : line
}

function linesOf(block: Block): readonly Line[] {
  switch (block.kind) {
    case 'markdown':
      return textLines(block.text)
    case 'diff':
      return under(block.title, diffText(block))
    case 'table':
      return under(block.title, tableLines(block))
    case 'code':
      return under(codeTitle(block), textLines(block.text))
    case 'json':
      return under(block.title, textLines(JSON.stringify(block.value, null, 2)))
    case 'image':
      return [imageLine(block)]
    case 'link':
      return under(block.title, linkLines(block.url))
  }
}

function textLines(text: string): readonly Line[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map(line => () => visible(line))
}

function under(title: string | undefined, lines: readonly Line[]): readonly Line[] {
  return title === undefined ? lines : [`${oneLine(title)}:`, ...lines]
}

function codeTitle({ title, language }: CodeBlock): string | undefined {
  return title !== undefined && language !== undefined ? `${title} (${language})` : (title ?? language)
}

const signs = { same: ' ', removed: '-', added: '+' } as const

function diffText({ before, after }: DiffBlock): readonly Line[] {
  const lines = diffRuns(before, after).flatMap(runLines)
  return changesLineEnds(before, after) ? [...lines, '(how lines end changes, too)'] : lines
}

function runLines({ kind, texts }: DiffRun): Line[] {
  if (kind === 'skipped') return [() => ({ short: `  (${texts.length} unchanged)` })]
  return texts.map(text => () => `${signs[kind]} ${visible(text)}`)
}

function tableLines({ columns, rows }: TableBlock): readonly Line[] {
  const whole = [columns, ...rows].map(row => row.map(cellText))
  const cells = whole.map(row => row.map(cutCell))
  const widths = columns.map((_, column) => cells.reduce((most, row) => Math.max(most, `${row[column]}`.length), 0))
  const lines = cells.map((row, index): Line => {
    const short = row
      .map((cell, column) => cell.padEnd(Number(widths[column])))
      .join(' | ')
      .trimEnd()
    return row.every((cell, column) => cell === whole[index]?.[column]) ? short : () => ({ short })
  })
  return [...lines.slice(0, 1), widths.map(width => '-'.repeat(width)).join('-+-'), ...lines.slice(1)]
}

function cellText(cell: TableCell): string {
  return cell === null ? '' : oneLine(String(cell))
}

function cutCell(text: string): string {
  return text.length > maxCellChars ? `${text.slice(0, maxCellChars - 1)}…` : text
}

function imageLine(block: ImageBlock): Line {
  const what = `[An image that is not shown here: ${oneLine(block.alt)}`
  if ('url' in block) return `${what}, at ${linkLines(block.url).join(' ')}]`
  return () => ({ short: `${what}]` })
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
