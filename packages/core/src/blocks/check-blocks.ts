// Blocks that someone else made: of a known kind, within bounds, and with nothing in them that is not shown.
import { isRecord } from '../collections/record.js'
import { inspectUrl } from '../urls/index.js'
import { fromBase64 } from './base64.js'
import { type Block, type BlockJson, blockLimits, type TableCell } from './block.js'
import { imageInfo } from './image-info.js'
import { notAnImage, tooLargeImage } from './make-blocks.js'

/** Blocks that can be shown, or a sentence that says why not. */
export type CheckedBlocks = { readonly blocks: readonly Block[] } | { readonly problem: string }

type Fields = Readonly<Record<string, unknown>>

const { maxBlocks, maxBytes, maxColumns, maxMarkdownChars, maxPixels, maxTitleChars } = blockLimits

/** Reads blocks, each with its own fields and no others. */
export function checkBlocks(value: unknown): CheckedBlocks {
  if (!Array.isArray(value)) return { problem: '`show` is a list of blocks.' }
  if (value.length > maxBlocks)
    return { problem: `\`show\` has ${value.length} blocks, and at most ${maxBlocks} are shown.` }
  const blocks: Block[] = []
  for (const [index, given] of value.entries()) {
    const read = readBlock(given)
    if (typeof read === 'string') return { problem: `Block ${index + 1} of \`show\`: ${read}` }
    blocks.push(read)
  }
  const text = JSON.stringify(blocks)
  const bytes = text.length > maxBytes ? text.length : new TextEncoder().encode(text).length
  if (bytes <= maxBytes) return { blocks }
  return {
    problem: `\`show\` has ${Math.ceil(bytes / 1024)} KB, and at most ${maxBytes / 1024} KB are shown. Show a part.`,
  }
}

function readBlock(given: unknown): Block | string {
  if (!isRecord(given)) return 'it is not a block.'
  const { title } = given
  if (title !== undefined && !isText(title, maxTitleChars)) return `a title has at most ${maxTitleChars} characters.`
  const titled = title === undefined ? {} : { title }
  switch (given.kind) {
    case 'markdown':
      return isText(given.text, maxMarkdownChars)
        ? { kind: 'markdown', text: given.text }
        : `markdown has a text, of at most ${maxMarkdownChars} characters.`
    case 'diff': {
      const { before, after } = given
      return isText(before) && isText(after) ? { kind: 'diff', ...titled, before, after } : 'a diff has two texts.'
    }
    case 'table':
      return readTable(given, titled)
    case 'code': {
      const { text, language } = given
      if (!isText(text) || !(language === undefined || isText(language, maxTitleChars)))
        return 'code has a text, and may name its language.'
      return { kind: 'code', ...titled, ...(language !== undefined && { language }), text }
    }
    case 'json':
      return isJson(given.value)
        ? { kind: 'json', ...titled, value: given.value }
        : 'json has a value that JSON can hold.'
    case 'image':
      return readImage(given)
    case 'link':
      return readLink(given, titled)
    default:
      return 'a block is markdown, diff, table, code, json, image or link.'
  }
}

function readTable({ columns, rows }: Fields, titled: { title?: string }): Block | string {
  const isHeader = Array.isArray(columns) && columns.every(column => isText(column, maxTitleChars))
  if (!isHeader || columns.length > maxColumns) return `a table has at most ${maxColumns} columns, which have names.`
  const areRows = (given: unknown): given is TableCell[][] =>
    Array.isArray(given) && given.every(row => Array.isArray(row) && row.length === columns.length && row.every(isCell))
  return areRows(rows)
    ? { kind: 'table', ...titled, columns, rows }
    : 'each row of a table has a text, number, boolean or null for each column.'
}

function readImage({ alt, type, data, url }: Fields): Block | string {
  if (!isText(alt, maxTitleChars)) return 'an image says in words what it shows, as `alt`.'
  if (data === undefined) return readLink({ url }, {}, link => ({ kind: 'image', alt, url: link }))
  if (!isText(data)) return notAnImage
  if (data.length > maxBytes) return tooLargeImage(Math.floor(data.length * 0.75))
  const info = imageInfo(fromBase64(data) ?? new Uint8Array())
  if (info === undefined || info.type !== type) return notAnImage
  const { width, height } = info
  if (width * height > maxPixels) return `the image has ${width} x ${height} pixels, and ${maxPixels} in all are shown.`
  return { kind: 'image', alt, type: info.type, data }
}

function readLink(
  { url }: Fields,
  titled: { title?: string },
  make: (url: string) => Block = link => ({ kind: 'link', ...titled, url: link }),
): Block | string {
  if (!isText(url)) return 'it has no address.'
  const inspected = inspectUrl(url, { allowHttp: true })
  return inspected.kind === 'refused' ? `its address is refused. ${inspected.message}` : make(url)
}

/** A text of a bounded length has something in it. */
function isText(value: unknown, maxChars?: number): value is string {
  return typeof value === 'string' && (maxChars === undefined || (value !== '' && value.length <= maxChars))
}

function isCell(value: unknown): value is TableCell {
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
}

/** Deeper than anyone reads, and no deeper than every program that passes it on can. */
const maxDepth = 50

function isJson(value: unknown, depth = 0): value is BlockJson {
  if (isCell(value)) return true
  if (typeof value !== 'object' || value === null || depth >= maxDepth) return false
  return Object.values(value).every(member => isJson(member, depth + 1))
}
