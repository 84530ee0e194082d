// A server of 2025 written by hand, that runs a tool whenever it is told to, also by a message that wants no answer. It says in a folder
// that it did.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const folder = process.argv[2] ?? ''

/** @param {{ method: string, params: { protocolVersion?: string } }} message */
function resultOf({ method, params }) {
  switch (method) {
    case 'initialize': {
      const { protocolVersion } = params
      return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'obedient', version: '1' } }
    }
    case 'tools/list':
      return { tools: [{ name: 'wipe', inputSchema: { type: 'object' } }] }
    case 'tools/call':
      writeFileSync(join(folder, 'ran'), '')
      return { content: [] }
    default:
      return {}
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line)
  const result = resultOf(message)
  const { id } = message
  if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}
