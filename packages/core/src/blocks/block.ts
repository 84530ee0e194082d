// What a person is shown beside a question, as typed data: no block holds markup, and nothing is fetched to show one.

/** What stands in a cell of a table. */
export type TableCell = string | number | boolean | null

/** JSON, as a block has it. */
export type BlockJson = string | number | boolean | null | readonly BlockJson[] | { readonly [name: string]: BlockJson }

/** The kinds of images that every browser shows and that hold no script. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** Text with headings, lists and emphasis. HTML in it is text. */
export interface MarkdownBlock {
  readonly kind: 'markdown'
  readonly text: string
}

/** What changes, line by line. */
export interface DiffBlock {
  readonly kind: 'diff'
  readonly title?: string
  readonly before: string
  readonly after: string
}

export interface TableBlock {
  readonly kind: 'table'
  readonly title?: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly TableCell[])[]
}

export interface CodeBlock {
  readonly kind: 'code'
  readonly title?: string
  readonly language?: string
  readonly text: string
}

export interface JsonBlock {
  readonly kind: 'json'
  readonly title?: string
  readonly value: BlockJson
}

/** An image that travels with the ask, in base64; or the address of one, which nobody loads before a person clicks. */
export type ImageBlock =
  | { readonly kind: 'image'; readonly alt: string; readonly type: ImageType; readonly data: string }
  | { readonly kind: 'image'; readonly alt: string; readonly url: string }

/** A page to look at before deciding; it is opened by a click, after its warnings. */
export interface LinkBlock {
  readonly kind: 'link'
  readonly title?: string
  readonly url: string
}

/** Something that a person is shown beside a question. */
export type Block = MarkdownBlock | DiffBlock | TableBlock | CodeBlock | JsonBlock | ImageBlock | LinkBlock

/** How much may be shown with one ask. */
export interface BlockLimits {
  /** In number. */
  readonly maxBlocks: number
  /** Of all blocks together, as JSON in UTF-8; images are in base64 there. */
  readonly maxBytes: number
  readonly maxColumns: number
  readonly maxMarkdownChars: number
  /** Of an image, width times height: a small file can be a huge picture. */
  readonly maxPixels: number
  /** Of titles and of what an image shows, in words. */
  readonly maxTitleChars: number
}

export const blockLimits: BlockLimits = {
  maxBlocks: 20,
  maxBytes: 192 * 1024,
  maxColumns: 50,
  maxMarkdownChars: 20_000,
  maxPixels: 16_000_000,
  maxTitleChars: 500,
}
