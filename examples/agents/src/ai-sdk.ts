// The Vercel AI SDK, on its own mock model.
import { approvalMessage } from '@beckon/host/ai-sdk'
import { generateText, type ModelMessage, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { z } from 'zod'
import type { Agent } from './work.js'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

export const aiSdk: Agent = async ({ approve, kept, erase }) => {
  const tools = {
    erase_table: tool({
      description: 'Erases a table.',
      inputSchema: z.object({ table: z.string() }),
      needsApproval: true,
      execute: ({ table }) => erase(table),
    }),
  }
  const model = createModel()
  const messages: ModelMessage[] = JSON.parse(
    kept.get('messages') ?? '[{ "role": "user", "content": "Erase the orders." }]',
  )
  for (;;) {
    const answers = await approvalMessage(messages, approve)
    if (answers !== undefined) messages.push(answers)
    else if (messages.length > 1) return JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)
    const { response } = await generateText({ model, tools, messages })
    messages.push(...response.messages)
    kept.set('messages', JSON.stringify(messages))
  }
}

function createModel(): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    async doGenerate({ prompt }) {
      const isDone = prompt.some(({ role }) => role === 'tool')
      const input = '{"table":"orders"}'
      return {
        content: isDone
          ? [{ type: 'text', text: 'Done.' }]
          : [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'erase_table', input }],
        finishReason: { unified: isDone ? 'stop' : 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      }
    },
  })
}
