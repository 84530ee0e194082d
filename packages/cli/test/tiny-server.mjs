// The least server of 2025 there is, which starts at once: it says hello, and waits.
import { createInterface } from 'node:readline'

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
