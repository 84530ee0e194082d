// Official clients, as an agent has them: of either era, with or without someone to ask.
import {
  type CallToolResult,
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

export type Era = '2025' | '2026'
export const eras: readonly Era[] = ['2025', '2026']

/** How long a client waits in tests, on however slow a machine. */
export const patience = { timeout: 110_000 } as const

export interface Asked {
  readonly message: string
  readonly url?: string
}

type Outcome =
  | { action: 'accept'; content?: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' | 'cancel' }

/** With `answer` it has elicitation; without it has none. */
export function newClient(
  era: Era,
  answer?: (asked: Asked) => Outcome | Promise<Outcome>,
  more: ClientOptions = {},
): Client {
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    {
      versionNegotiation: { mode: era === '2025' ? 'legacy' : { pin: '2026-07-28' } },
      ...more,
      capabilities: { ...more.capabilities, ...(answer && { elicitation: { form: {}, url: {} } }) },
    },
  )
  if (answer) client.setRequestHandler('elicitation/create', async ({ params }) => answer(params))
  return client
}

export async function connectHttp(client: Client, url: string): Promise<Client> {
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}

/** The official client starts every program once more to probe it, but for a subclass: then a program here starts once. */
class StartedOnce extends StdioClientTransport {}

export async function connectStdio(
  client: Client,
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<Client> {
  const [command = '', ...args] = words
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  await client.connect(
    new StartedOnce({ command, args, stderr: 'pipe', env: { ...Object.fromEntries(inherited), ...env } }),
  )
  return client
}

/** Waits for words on the standard error of the process behind a client. */
export function stderrOf(client: Client): (pattern: RegExp) => Promise<RegExpExecArray> {
  const { transport } = client
  if (!(transport instanceof StdioClientTransport)) throw new Error('The client is not on stdio.')
  let text = ''
  const waiting = new Set<() => void>()
  transport.stderr?.on('data', part => {
    text += part
    for (const look of waiting) look()
  })
  return pattern =>
    new Promise(resolve => {
      const look = () => {
        const found = pattern.exec(text)
        if (found === null) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
}

export function textOf({ content }: CallToolResult): string {
  return content.map(block => (block.type === 'text' ? block.text : '')).join('\n')
}
