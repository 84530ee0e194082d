import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import {
  Client,
  type ClientOptions,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'

/** The agents of every era. */
export const eras: Readonly<Record<string, ClientOptions>> = {
  '2025-06-18': { supportedProtocolVersions: ['2025-06-18'], capabilities: { elicitation: {} } },
  '2025-11-25': { versionNegotiation: { mode: 'legacy' }, capabilities: { elicitation: { form: {} } } },
  '2026-07-28': {
    versionNegotiation: { mode: { pin: '2026-07-28' } },
    capabilities: { elicitation: { form: {} } },
  },
}

/** What a person does with a question. */
export type Person = (question: string) => ElicitResult

/** An agent, and the person it works for. */
export class Agent {
  readonly #client: Client
  #person: Person = () => ({ action: 'cancel' })

  private constructor(options: ClientOptions) {
    this.#client = new Client({ name: 'agent', version: '1.0.0' }, options)
    this.#client.setRequestHandler('elicitation/create', async ({ params }) => {
      // Nobody reads faster: an answer that came at once would not count as a person's.
      await setTimeout(1_000)
      return this.#person(params.message)
    })
  }

  static async connect(url: string, options: ClientOptions = {}): Promise<Agent> {
    const agent = new Agent(options)
    await agent.#client.connect(new StreamableHTTPClientTransport(new URL(url)))
    return agent
  }

  /** Claims the application that shows a code. */
  async claim(code: string): Promise<void> {
    await this.#call('tesseron__claim_session', { code })
  }

  /** Calls a tool, with someone to put its questions to. */
  async call(tool: string, person: Person): Promise<unknown> {
    const { tools } = await this.#client.listTools()
    assert(tools.some(({ name }) => name === tool))
    this.#person = person
    return JSON.parse(await this.#call(tool, {}))
  }

  async close(): Promise<void> {
    await this.#client.close()
  }

  async #call(name: string, args: Record<string, string>): Promise<string> {
    const { content, isError } = await this.#client.callTool({ name, arguments: args })
    const text = content.map(block => (block.type === 'text' ? block.text : '')).join('\n')
    if (isError) throw new Error(text)
    return text
  }
}
