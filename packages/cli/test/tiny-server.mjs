// The least server of 2025 there is, which starts at once: it writes its process id into a folder, says hello, and waits.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

writeFileSync(join(process.argv[2] ?? '', String(process.pid)), '')
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (method !== 'initialize') continue
  const result = {
    protocolVersion: params.protocolVersion,
    capabilities: {},
    serverInfo: { name: 'tiny', version: '1' },
  }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}
