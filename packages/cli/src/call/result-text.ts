import type { CallToolResult } from '@modelcontextprotocol/client'
import { plainJson, plainLine, plainText } from '../plain-text.js'

/** A tool's result for a person to read in a terminal. */
export function resultText({ content, structuredContent }: CallToolResult): string {
  const blocks = content.map(blockText)
  if (blocks.length === 0 && structuredContent !== undefined) return plainJson(structuredContent)
  return blocks.join('\n')
}

/** How a server of ours begins to say in a result that an answer did not count, since no person can have read the question. */
const nobodyRead = 'A question of this tool was answered by the client itself, too fast for a person to have read it.'

/** Whether the server found out that a script answered. */
export function isDiscounted({ content }: CallToolResult): boolean {
  return content.some(block => block.type === 'text' && block.text.startsWith(nobodyRead))
}

function blockText(block: CallToolResult['content'][number]): string {
  switch (block.type) {
    case 'text':
      return plainText(block.text)
    case 'resource_link':
      return plainLine(`${block.name}: ${block.uri}`)
    case 'resource':
      return 'text' in block.resource ? plainText(block.resource.text) : plainLine(`[${block.resource.uri}]`)
    case 'image':
    case 'audio':
      return plainLine(`[${block.mimeType}, ${Buffer.byteLength(block.data, 'base64')} bytes]`)
    default:
      return plainJson(block)
  }
}
