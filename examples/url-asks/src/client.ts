import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** What a person does with an ask. */
export interface Person {
  /** Opens a page, and says yes or no to that. */
  open(url: string): Promise<'accept' | 'decline'>
  fillIn?(): Record<string, string>
}

/** Calls a tool as an agent would, over either era of the protocol, with a person there to be asked. */
export async function callAs(person: Person, url: string, era: 'modern' | 'legacy', tool: string): Promise<string> {
  const client = new Client(
    { name: 'url-asks', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (params.mode === 'url') return { action: await person.open(params.url) }
    const content = person.fillIn?.()
    return content === undefined ? { action: 'decline' } : { action: 'accept', content }
  })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  try {
    const { content } = await client.callTool({ name: tool })
    return content.map(block => (block.type === 'text' ? block.text : '')).join('\n')
  } finally {
    await client.close()
  }
}
