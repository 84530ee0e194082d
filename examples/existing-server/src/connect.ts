import { Client, type ElicitResult, InMemoryTransport } from '@modelcontextprotocol/client'
import type { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

/** What a person does with a question, by turns. */
export type Answers = readonly ElicitResult[]

export interface Connected {
  readonly client: Client
  /** What was asked, without the reasons for asking again. */
  readonly asked: string[]
  close(): Promise<void>
}

/** The official client and a server, on one connection in memory. */
export async function connect(createServer: () => McpServer, version: string, answers?: Answers): Promise<Connected> {
  const client = new Client(
    { name: 'example', version: '1.0.0' },
    {
      capabilities: answers === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: version === '2026-07-28' ? { pin: version } : 'legacy' },
    },
  )
  const asked: string[] = []
  if (answers !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }): Promise<ElicitResult> => {
      asked.push(params.message.split('\n')[0] ?? '')
      return answers[asked.length - 1] ?? { action: 'cancel' }
    })
  const [here, there] = InMemoryTransport.createLinkedPair()
  const serving = serveStdio(createServer, { transport: there })
  await client.connect(here)
  return {
    client,
    asked,
    async close() {
      await client.close()
      await serving.close()
    },
  }
}
