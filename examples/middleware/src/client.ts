import type { Desk } from '@beckon/desk'
import { answerWith } from '@beckon/host'
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** What a person does with an ask. */
export interface Person {
  name: string
  /** Opens a page. */
  open(url: string): Promise<void>
  /** Says yes or no. */
  agrees: boolean
}

/** How an ask reaches a person: every wire that can send one to a page. */
export const wires = ['push', 'rounds', 'tasks', 'desk'] as const

export type Wire = (typeof wires)[number]

const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const
const elicitation = { form: {}, url: {} }
const clients: Record<Wire, ClientOptions> = {
  push: { versionNegotiation: { mode: 'legacy' }, capabilities: { elicitation } },
  rounds: { ...modern, capabilities: { elicitation } },
  tasks: { ...modern, capabilities: { elicitation, extensions: { 'io.modelcontextprotocol/tasks': {} } } },
  // It cannot ask, so the server asks on its desk.
  desk: modern,
}

interface Where {
  readonly wire: Wire
  /** The server. */
  readonly url: string
  /** Where people are who are not at their client. */
  readonly desk: Desk
}

/** A client of a person. */
export async function connect(person: Person, { wire, url, desk }: Where) {
  const client = new Client({ name: 'middleware', version: '1.0.0' }, clients[wire])
  if (wire === 'push' || wire === 'rounds') answerAt(client, person)
  // The host follows the task, and has what it asks answered on a desk, by this person.
  const audience = { principals: [person.name] }
  const { callTool } =
    wire === 'tasks' ? answerWith(desk, client, { terms: { audience } }) : { callTool: client.callTool.bind(client) }
  const headers = { 'x-person': person.name }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  return {
    async call(name: string): Promise<{ text: string; meta: Record<string, unknown> }> {
      for (;;) {
        const { content, _meta = {} } = await callTool({ name })
        const text = content.map(block => (block.type === 'text' ? block.text : '')).join('\n')
        // A person at the desk who takes their time: the same call again continues it.
        if (!text.startsWith('A person was asked')) return { text, meta: _meta }
      }
    },
    async tools(): Promise<string[]> {
      return (await client.listTools()).tools.map(({ name }) => name)
    },
    close: () => client.close(),
  }
}

function answerAt(client: Client, person: Person): void {
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (params.mode === 'url') await person.open(params.url)
    return person.agrees ? { action: 'accept', content: {} } : { action: 'decline' }
  })
}
