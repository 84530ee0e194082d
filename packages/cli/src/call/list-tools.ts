import type { Client } from '@modelcontextprotocol/client'
import { plainLine } from '../plain-text.js'

/** What can be called, for a person who named no tool. */
export async function listTools(client: Client): Promise<string> {
  const { tools } = await client.listTools()
  if (tools.length === 0) return 'This server has no tools.'
  const lines = tools.map(({ name, title, description, inputSchema: { properties = {}, required = [] } }) => {
    const args = Object.keys(properties).map(key => (required.includes(key) ? key : `[${key}]`))
    const about = plainLine(description ?? title ?? '')
    return `  ${plainLine([name, ...args].join(' '))}${about === '' ? '' : `\n      ${about}`}`
  })
  return `Tools of this server:\n${lines.join('\n')}`
}
