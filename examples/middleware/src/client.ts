import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** What a person does with an ask. */
export interface Person {
  name: string
  /** Opens a page. */
  open(url: string): Promise<void>
  /** Says yes or no. */
  agrees: boolean
}

/** A client of a person, over either era of the protocol. */
export async function connect(person: Person, url: string, era: 'modern' | 'legacy') {
  const client = new Client(
    { name: 'middleware', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (params.mode === 'url') await person.open(params.url)
    return person.agrees ? { action: 'accept', content: {} } : { action: 'decline' }
  })
  const headers = { 'x-person': person.name }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  return {
    async call(name: string): Promise<{ text: string; meta: Record<string, unknown> }> {
      const { content, _meta = {} } = await client.callTool({ name })
      return { text: content.map(block => (block.type === 'text' ? block.text : '')).join('\n'), meta: _meta }
    },
    async tools(): Promise<string[]> {
      return (await client.listTools()).tools.map(({ name }) => name)
    },
    close: () => client.close(),
  }
}
