import type { Form } from '@beckon/core'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Outcome } from './terminal.js'

/** Calls the tool as an agent would, with someone to put its asks to, and gives back what the tool said. */
export async function askOnce(
  url: string,
  era: 'modern' | 'legacy',
  answer: (message: string, form: Form) => Outcome | Promise<Outcome>,
): Promise<string> {
  const client = new Client(
    { name: 'first-ask', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (!('requestedSchema' in params)) return { action: 'cancel' }
    // The protocol's type of a form is wider than ours: it allows any keyword.
    return { ...(await answer(params.message, params.requestedSchema as Form)) }
  })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  try {
    const { content } = await client.callTool({ name: 'order_coffee' }, { timeout: 60 * 60 * 1000 })
    return content.map(block => (block.type === 'text' ? block.text : '')).join('\n')
  } finally {
    await client.close()
  }
}
