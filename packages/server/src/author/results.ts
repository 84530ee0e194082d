import { base64 as encode } from '#platform'

/** A block of a tool's result, as MCP has it. */
export interface ContentBlock {
  type: string
  [key: string]: unknown
}

/**
 * A tool's result as MCP has it, which an author builds block by block: `ctx.text('Done.').json(report)`. `T` is its
 * structured content: undefined where it has none, never where it does not matter since the tool failed.
 */
export class ToolResult<T = unknown> {
  content: ContentBlock[] = []
  structuredContent?: T
  isError?: boolean;
  [key: string]: unknown

  /** Adds a text. */
  text(text: string): this {
    this.content.push({ type: 'text', text })
    return this
  }

  /** Adds a value: as text for the model, and as structured content for the client. */
  json<U>(value: U): ToolResult<U> {
    this.content.push({ type: 'text', text: JSON.stringify(value) ?? 'null' })
    return Object.assign<object, { structuredContent: U }>(this, { structuredContent: value }) as ToolResult<U>
  }

  /** Adds a text and marks the result as a failure of the tool, for the model to read. */
  error(message: string): ToolResult<never> {
    this.isError = true
    // A result that says that the tool failed promises no structured content.
    return this.text(message) as ToolResult as ToolResult<never>
  }

  /** Adds an image: base64 text, or bytes. */
  image(data: string | Uint8Array, mimeType: string): this {
    this.content.push({ type: 'image', data: base64(data), mimeType })
    return this
  }

  /** Adds a sound: base64 text, or bytes. */
  audio(data: string | Uint8Array, mimeType: string): this {
    this.content.push({ type: 'audio', data: base64(data), mimeType })
    return this
  }
}

function base64(data: string | Uint8Array): string {
  return typeof data === 'string' ? data : encode(data)
}
