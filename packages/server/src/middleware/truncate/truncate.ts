import type { Middleware } from '../../author/middleware.js'

export interface TruncateOptions {
  /** How many characters of text a result may have in all. */
  maxChars: number
  /** What is put where the text was cut. */
  note?: string
}

/**
 * Cuts the text of a tool's result, so that it does not fill up the model's context. Structured content stays whole.
 * @example
 * server.tool('read_log', truncate({ maxChars: 20_000 }), {}, readLog)
 */
export function truncate({ maxChars, note = '… [the rest was cut off]' }: TruncateOptions): Middleware {
  if (!Number.isInteger(maxChars) || maxChars < 0)
    throw new RangeError('truncate() takes a whole `maxChars` of 0 or more.')
  return {
    name: 'truncate',
    onResult(result, ctx) {
      if (ctx.subject.kind !== 'tool') return result
      if (typeof result === 'string') return result.length > maxChars ? cut(result, maxChars) + note : result
      return hasContent(result) ? { ...result, content: cutBlocks(result.content, maxChars, note) } : result
    },
  }
}

interface Block {
  type?: unknown
  text?: unknown
}

function cutBlocks(blocks: readonly Block[], maxChars: number, note: string): Block[] {
  let left = maxChars
  return blocks.flatMap(block => {
    if (block.type !== 'text' || typeof block.text !== 'string') return [block]
    const { text } = block
    const room = left
    left -= text.length
    if (text.length <= room) return [block]
    // The note is put once, where the text ends.
    return room < 0 ? [] : [{ ...block, text: cut(text, room) + note }]
  })
}

/** The beginning of a text, without half a character at its end. */
function cut(text: string, maxChars: number): string {
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(maxChars))
  return text.slice(0, isSplit ? maxChars - 1 : maxChars)
}

function hasContent(result: unknown): result is { content: Block[] } {
  return typeof result === 'object' && result !== null && 'content' in result && Array.isArray(result.content)
}
