// "Try it" of the inbox: calls an example tool as an agent would whose client cannot ask, so that the question appears
// in the inbox. Each time the next tool.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import type { BeckonServer } from 'beckon'
import { resultText } from '../call/result-text.js'
import { clientInfo } from '../client-info.js'

const tools = ['clear_completed', 'plan_trip', 'order_coffee', 'pick_gifts', 'sign_terms', 'build_report']
/** As long as an ask stays open. Timers overflow beyond 24 days. */
const dayMs = 24 * 60 * 60 * 1000

/** What the button does. The server should hold calls until they are answered. */
export function tryIt(server: BeckonServer, say: (line: string) => void): () => Promise<void> {
  let clicks = 0
  return async () => {
    const name = tools[clicks++ % tools.length] ?? ''
    const client = new Client({ ...clientInfo, name: 'beckon-try-it' })
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    server.stdio({ transport: theirs })
    await client.connect(ours)
    try {
      say(`Try it: calls ${name}.`)
      say(`Try it: ${name} said: ${resultText(await client.callTool({ name }, { timeout: dayMs }))}`)
    } finally {
      await client.close()
    }
  }
}
