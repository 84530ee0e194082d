import type { Desk } from '@beckon/desk'
import { answerWith } from '@beckon/host'
import {
  type CallToolResult,
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { Person } from './person.js'
import { sitDown } from './sit-down.js'

/** How an ask reaches a person: every wire that can send one to a page. */
export const wires = ['push', 'rounds', 'tasks', 'desk'] as const

type Wire = (typeof wires)[number]

const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const
const elicitation = { form: {}, url: {} }
const clients: Record<Wire, ClientOptions> = {
  push: { versionNegotiation: { mode: 'legacy' }, capabilities: { elicitation } },
  rounds: { ...modern, capabilities: { elicitation } },
  tasks: { ...modern, capabilities: { elicitation, extensions: { 'io.modelcontextprotocol/tasks': {} } } },
  // It cannot ask, so the server asks on its desk.
  desk: { versionNegotiation: { mode: 'legacy' } },
}

interface Where {
  readonly wire: Wire
  /** The server. */
  readonly url: string
  /** Where people are who are not at the client. */
  readonly desk: Desk
  readonly socketUrl: string
}

/** Calls a tool as an agent would, with the official client, and a person there to be asked. */
export async function callTool(tool: string, person: Person, where: Where): Promise<string> {
  const { wire, url, desk, socketUrl } = where
  const client = new Client({ name: 'url-asks', version: '1.0.0' }, clients[wire])
  const isAtClient = wire === 'push' || wire === 'rounds'
  if (isAtClient) answerAt(client, person)
  // The host follows the task, and has what it asks answered on a desk.
  const { callTool: call } = wire === 'tasks' ? answerWith(desk, client) : { callTool: client.callTool.bind(client) }
  const seat = isAtClient ? undefined : await sitDown(socketUrl, person)
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  try {
    for (;;) {
      const said = textOf(await call({ name: tool }))
      // A person at the desk who takes their time: the same call again continues it.
      if (!said.startsWith('A person was asked')) return said
    }
  } finally {
    await client.close()
    seat?.leave()
  }
}

function answerAt(client: Client, person: Person): void {
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (params.mode === 'url') return { action: await person.open(params.url) }
    const content = person.fillIn?.()
    return content === undefined ? { action: 'decline' } : { action: 'accept', content }
  })
}

function textOf({ content }: CallToolResult): string {
  return content.map(block => (block.type === 'text' ? block.text : '')).join('\n')
}
