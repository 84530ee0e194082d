// "Try it" of the inbox: calls an example tool as an agent would whose client cannot ask, so that the question appears
// in the inbox. Each time the next tool.
import type { Trial } from '@beckon/desk'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import type { AskDesk, BeckonServer } from 'beckon'
import { resultText } from '../call/result-text.js'
import { clientInfo } from '../client-info.js'

const tools = [
  'clear_completed',
  'plan_trip',
  'publish_post',
  // Twice: anyone who made a rule of the first sees what it does.
  'water_plants',
  'water_plants',
  'order_coffee',
  'pick_gifts',
  'sign_terms',
  'build_report',
  'restart_servers',
]
/** As long as an ask stays open. Timers overflow beyond 24 days. */
const dayMs = 24 * 60 * 60 * 1000

export interface TryItOptions {
  readonly desk: AskDesk
  /** The server to try, with its asks on that desk. It should hold calls until they are answered. */
  serverOn(desk: AskDesk): Promise<BeckonServer>
  readonly say: (line: string) => void
}

export interface TryIt {
  readonly server: BeckonServer
  /** What the button does: resolves with what the tool said, and rejects where that is an error. */
  click(trial: Trial): Promise<string>
}

export async function createTryIt({ desk, serverOn, say }: TryItOptions): Promise<TryIt> {
  /** Trials by tool whose calls have not come to the desk yet, in their order. */
  const coming = new Map<string, Trial[]>()
  const server = await serverOn({
    async open(subject, request, options) {
      const opened = await desk.open(subject, request, options)
      coming
        .get(subject.tool ?? '')
        ?.shift()
        ?.opened(sessionIn(opened.link))
      return opened
    },
  })
  let clicks = 0
  return {
    server,
    async click(trial) {
      const name = tools[clicks++ % tools.length] ?? ''
      const client = new Client({ ...clientInfo, name: 'beckon-try-it' })
      const [ours, theirs] = InMemoryTransport.createLinkedPair()
      server.stdio({ transport: theirs })
      await client.connect(ours)
      try {
        say(`Try it: calls ${name}.`)
        coming.set(name, [...(coming.get(name) ?? []), trial])
        const result = await client.callTool({ name }, { timeout: dayMs })
        const text = resultText(result)
        say(`Try it: ${name} said: ${text}`)
        if (result.isError) throw new Error(text)
        return text
      } finally {
        await client.close()
      }
    },
  }
}

/** The session that a link to a desk names. */
function sessionIn(link: string): string {
  return decodeURIComponent(new URL(link).pathname.split('/')[2] ?? '')
}
