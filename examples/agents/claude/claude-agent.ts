// The Claude Agent SDK with its own program, on a model of ours: it has no mock.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk'
import { canUseTool } from '@beckon/host/claude-agent'
import { z } from 'zod'
import type { Agent } from '../src/work.js'
import { startMessagesApi } from './messages-api.js'

export const toolName = 'mcp__tables__erase_table'

export const claudeAgent: Agent = async ({ approve, kept, signal, erase }) => {
  const api = await startMessagesApi({ tool: toolName, input: { table: 'orders' } })
  const home = await mkdtemp(join(tmpdir(), 'beckon-claude-'))
  const eraseTable = tool('erase_table', 'Erases a table.', { table: z.string() }, async ({ table }) => ({
    content: [{ type: 'text', text: erase(table) }],
  }))
  const abortController = new AbortController()
  signal.addEventListener('abort', () => abortController.abort())
  const running = query({
    prompt: 'Erase the orders.',
    options: {
      canUseTool: canUseTool(approve, kept),
      mcpServers: { tables: createSdkMcpServer({ name: 'tables', version: '1.0.0', tools: [eraseTable] }) },
      abortController,
      cwd: home,
      settingSources: [],
      env: {
        PATH: process.env.PATH,
        HOME: home,
        ANTHROPIC_BASE_URL: api.url,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
    },
  })
  try {
    for await (const message of running) if (message.type === 'result') return api.told()
    throw new Error('The agent ended without a result.')
  } finally {
    api.close()
    await rm(home, { recursive: true, force: true, maxRetries: 10 })
  }
}
