// The Messages API as far as an agent uses it, with a model that wants to run one command and then says that it is done: the SDK has
// no mock model of its own, but takes the address of one.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface MessagesApi {
  readonly url: string
  /** What the model was told of its call. */
  told(): string
  close(): void
}

interface Block {
  readonly type: string
  readonly content?: unknown
}

interface Asked {
  readonly stream?: boolean
  readonly tools?: readonly object[]
  readonly messages?: readonly { readonly content: string | readonly Block[] }[]
}

export async function startMessagesApi(call: { readonly tool: string; readonly input: object }): Promise<MessagesApi> {
  let told = ''
  const server = createServer(async (request, response) => {
    const asked = JSON.parse((await text(request)) || '{}') as Asked
    const results = (asked.messages ?? []).flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_result'),
    )
    if (results.length > 0) told = JSON.stringify(results)
    const canCall = (asked.tools ?? []).length > 0 && results.length === 0
    const block: Answer = canCall
      ? { type: 'tool_use', id: `toolu_${randomUUID()}`, name: call.tool, input: call.input }
      : { type: 'text', text: 'Done.' }
    response.writeHead(200, { 'content-type': asked.stream ? 'text/event-stream' : 'application/json' })
    response.end(asked.stream ? eventsOf(block) : JSON.stringify(messageOf([block])))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.unref()
  return { url: `http://127.0.0.1:${port}`, told: () => told, close: () => void server.close() }
}

type Answer = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: object }

function messageOf(content: readonly object[]) {
  const usage = { input_tokens: 1, output_tokens: 1 }
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'mock',
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage,
  }
}

function eventsOf(block: Answer): string {
  const isCall = block.type === 'tool_use'
  const begun = isCall ? { ...block, input: {} } : { ...block, text: '' }
  const delta = isCall
    ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
    : { type: 'text_delta', text: block.text }
  const events = [
    { type: 'message_start', message: { ...messageOf([]), stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: begun },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: 'message_stop' },
  ]
  return events.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

async function text(request: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}
