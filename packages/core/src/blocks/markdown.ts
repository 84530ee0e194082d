// Markdown, as far as a person who decides something needs it, as a tree of known nodes. Threat: the text is anybody's. There is
// no node for HTML, for an image, or for a link that could be clicked: those stay text, with their address to read. No word of
// the text is left out, since a person answers for all of it. What takes long to read is bounded: `checkBlocks` refuses long texts, and a long paragraph is plain.

export type MarkdownNode =
  | { readonly kind: 'heading'; readonly level: number; readonly content: readonly MarkdownInline[] }
  | { readonly kind: 'paragraph'; readonly content: readonly MarkdownInline[] }
  | { readonly kind: 'quote'; readonly content: readonly MarkdownNode[] }
  /** Where its items have numbers, those are in `numbers`. */
  | {
      readonly kind: 'list'
      readonly numbers?: readonly number[]
      readonly items: readonly (readonly MarkdownNode[])[]
    }
  /** `info` is what stands beside the marks that begin it: mostly the name of a language. */
  | { readonly kind: 'code'; readonly info?: string; readonly text: string }
  | { readonly kind: 'rule' }

export type MarkdownInline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly content: readonly MarkdownInline[] }

/** Deeper ones are text. */
const maxDepth = 6
/** Longer paragraphs are text. */
const maxInlineChars = 4_000

const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/
const heading = /^ {0,3}(#{1,6}) +(\S.*)$/
const rule = /^ {0,3}([-*_])(?: *\1){2,} *$/
const quote = /^ {0,3}> ?/
const bullet = /^ ?[-*+] +(?=\S)/
const numbered = /^ ?(\d{1,9})[.)] +(?=\S)/

/** What was read, and the line after it. */
interface Read {
  readonly node: MarkdownNode
  readonly end: number
}

/** Reads markdown. */
export function readMarkdown(text: string): MarkdownNode[] {
  return readLines(text.replace(/\r\n?/g, '\n').replaceAll('\t', '    ').split('\n'), 0)
}

function readLines(lines: readonly string[], depth: number): MarkdownNode[] {
  const nodes: MarkdownNode[] = []
  let paragraph: string[] = []
  const endParagraph = () => {
    if (paragraph.length > 0) nodes.push({ kind: 'paragraph', content: readInline(paragraph.join('\n')) })
    paragraph = []
  }
  let next = 0
  for (const [at, line] of lines.entries()) {
    if (at < next) continue
    const read = readNode(line, { lines, at, depth })
    if (read === undefined && line.trim() !== '') paragraph.push(line.trim())
    else endParagraph()
    if (read === undefined) continue
    nodes.push(read.node)
    next = read.end
  }
  endParagraph()
  return nodes
}

interface Position {
  readonly lines: readonly string[]
  readonly at: number
  readonly depth: number
}

/** What begins with a line; undefined for a line of a paragraph. */
function readNode(line: string, position: Position): Read | undefined {
  const end = position.at + 1
  const [, mark, info = ''] = fence.exec(line) ?? []
  if (mark !== undefined) return readFence(mark, info.trim(), position)
  const [, { length: level } = '', words = ''] = heading.exec(line) ?? []
  if (level > 0) return { node: { kind: 'heading', level, content: readInline(words.trim()) }, end }
  if (rule.test(line)) return { node: { kind: 'rule' }, end }
  if (position.depth >= maxDepth) return undefined
  if (quote.test(line)) return readQuote(position)
  if (numbered.test(line)) return readList(position, numbered)
  return bullet.test(line) ? readList(position, bullet) : undefined
}

function readFence(mark: string, info: string, { lines, at }: Position): Read {
  // Only the same mark, as long or longer, with nothing beside it ends one.
  const isEnd = (line: string) => line.trim().startsWith(mark) && line.trim().replaceAll(mark.slice(0, 1), '') === ''
  const end = endOf(lines, at + 1, line => !isEnd(line))
  const text = lines.slice(at + 1, end).join('\n')
  return { node: { kind: 'code', ...(info !== '' && { info }), text }, end: end + 1 }
}

function readQuote({ lines, at, depth }: Position): Read {
  const end = endOf(lines, at, line => quote.test(line))
  const inner = lines.slice(at, end).map(line => line.replace(quote, ''))
  return { node: { kind: 'quote', content: readLines(inner, depth + 1) }, end }
}

/** Items of one kind, each with the lines that are indented under it. */
function readList({ lines, at, depth }: Position, mark: RegExp): Read {
  const end = endOf(lines, at, line => mark.test(line) || /^ {2,}\S/.test(line))
  const items: string[][] = []
  const numbers: number[] = []
  for (const line of lines.slice(at, end)) {
    const begun = mark.exec(line)
    if (begun === null) items.at(-1)?.push(line.replace(/^ {2}/, ''))
    else items.push([line.slice(begun[0].length)])
    if (begun?.[1] !== undefined) numbers.push(Number(begun[1]))
  }
  const numbering = numbers.length > 0 ? { numbers } : {}
  return { node: { kind: 'list', ...numbering, items: items.map(inner => readLines(inner, depth + 1)) }, end }
}

/** The first line from some place on of which something does not hold. */
function endOf(lines: readonly string[], from: number, holds: (line: string) => boolean): number {
  let at = from
  for (const line of lines.slice(from)) {
    if (!holds(line)) return at
    at++
  }
  return at
}

// A run of code; strong; emphasis; a link or an image, whose address is read and not opened. None holds itself, so that they
// nest no deeper than there are kinds.
const inline =
  /`([^`]+)`|(\*\*|__)(?=\S)((?:(?!\2)[\s\S])+)\2|(?<![\w*])([*_])(?=[^\s*_])([^*_]+)\4(?!\w)|!?\[([^\][]*)\]\(([^()\s]*)\)/g

function readInline(text: string): MarkdownInline[] {
  if (text.length > maxInlineChars) return plain(text)
  const found: MarkdownInline[] = []
  let end = 0
  for (const match of text.matchAll(inline)) {
    found.push(...plain(text.slice(end, match.index)), ...readMatch(match))
    end = match.index + match[0].length
  }
  return [...found, ...plain(text.slice(end))]
}

function readMatch([, code, , strong, , emphasis, label = '', address = '']: RegExpExecArray): MarkdownInline[] {
  if (code !== undefined) return [{ kind: 'code', text: code }]
  if (strong !== undefined) return [{ kind: 'strong', content: readInline(strong) }]
  if (emphasis !== undefined) return [{ kind: 'emphasis', content: readInline(emphasis) }]
  return [...readInline(label), ...plain(label && ' '), { kind: 'code', text: address }]
}

function plain(text: string): MarkdownInline[] {
  return text === '' ? [] : [{ kind: 'text', text }]
}
