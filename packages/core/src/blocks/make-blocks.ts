// What an author writes after `show:`. What is made here is checked when it is asked, with everything else that is shown.
import { fromBase64, toBase64 } from './base64.js'
import {
  type BlockJson,
  blockLimits,
  type CodeBlock,
  type DiffBlock,
  type ImageBlock,
  type JsonBlock,
  type LinkBlock,
  type MarkdownBlock,
  type TableBlock,
  type TableCell,
} from './block.js'
import { imageInfo } from './image-info.js'

/** What stands over a block. */
export interface BlockOptions {
  readonly title?: string
}

/** Text with headings, lists and emphasis. HTML in it stays text, and links in it are not clickable: `link` makes one that is. */
export function markdown(text: string): MarkdownBlock {
  return { kind: 'markdown', text }
}

/**
 * What changes, line by line.
 * @example
 * ctx.confirm({ question: 'Save?', show: [diff(before, after, { title: 'nginx.conf' })] })
 */
export function diff(before: string, after: string, { title }: BlockOptions = {}): DiffBlock {
  return { kind: 'diff', ...titled(title), before, after }
}

export interface TableOptions extends BlockOptions {
  /** Which properties are shown, in this order. Default: all that some row has. */
  readonly columns?: readonly string[]
}

/** Rows with their properties as columns. */
export function table(rows: readonly object[], { title, columns }: TableOptions = {}): TableBlock {
  const entries = rows.map(row => new Map(Object.entries(row)))
  const shown = columns ?? [...new Set(entries.flatMap(row => [...row.keys()]))]
  const cells = entries.map(row => shown.map(column => cellOf(row.get(column))))
  return { kind: 'table', ...titled(title), columns: shown, rows: cells }
}

function cellOf(value: unknown): TableCell {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value)
}

/** Text in a fixed width, in the language that is named. */
export function code(text: string, language?: string, { title }: BlockOptions = {}): CodeBlock {
  return { kind: 'code', ...titled(title), ...(language !== undefined && { language }), text }
}

/** A value as JSON. */
export function json(value: unknown, { title }: BlockOptions = {}): JsonBlock {
  const text = JSON.stringify(value) ?? 'null'
  const parsed: BlockJson = JSON.parse(text)
  return { kind: 'json', ...titled(title), value: parsed }
}

export interface ImageOptions {
  /** What the image shows, in words, for who cannot see it. */
  readonly alt: string
}

/**
 * A PNG, JPEG, GIF or WebP: its bytes, a `data:` URL, or the address of one elsewhere, which nobody loads before a person clicks.
 * @throws TypeError for bytes that are something else, or too many
 */
export function image(source: Uint8Array | string | URL, { alt }: ImageOptions): ImageBlock {
  const bytes = typeof source === 'string' ? dataIn(source) : source instanceof URL ? undefined : source
  if (bytes === undefined) return { kind: 'image', alt, url: String(source) }
  if (bytes.length > blockLimits.maxBytes) throw new TypeError(tooLargeImage(bytes.length))
  const info = imageInfo(bytes)
  if (info === undefined) throw new TypeError(notAnImage)
  return { kind: 'image', alt, type: info.type, data: toBase64(bytes) }
}

/** The bytes of a `data:` URL; undefined for any other address. */
function dataIn(source: string): Uint8Array | undefined {
  if (!source.startsWith('data:')) return undefined
  const at = source.indexOf(',')
  if (source.length > blockLimits.maxBytes * 2) throw new TypeError(tooLargeImage(Math.floor(source.length * 0.75)))
  const bytes = source.slice(0, at).endsWith(';base64') ? fromBase64(source.slice(at + 1)) : undefined
  if (bytes === undefined) throw new TypeError('A `data:` URL of an image is in base64: data:image/png;base64,...')
  return bytes
}

/** A page that a person may look at before deciding. They are shown where it leads, and warned. */
export function link(url: string | URL, title?: string): LinkBlock {
  return { kind: 'link', ...titled(title), url: String(url) }
}

/** What is said of an image that is something else. */
export const notAnImage =
  'An image is a PNG, JPEG, GIF or WebP. SVG can hold script, so it is not shown: draw it as a PNG.'

export function tooLargeImage(bytes: number): string {
  const most = blockLimits.maxBytes / 1024
  return `An image of ${Math.ceil(bytes / 1024)} KB is too large to show with a question: ${most} KB are for all blocks together. Make it smaller, or give its address.`
}

function titled(title: string | undefined): { title?: string } {
  return title === undefined ? {} : { title }
}
