// Official clients of every era, connected to a server written with `beckon`.
import { AsyncResource } from 'node:async_hooks'
import { Client, InMemoryTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import type { BeckonServer } from 'beckon'

export const eras = {
  '2025-06-18': { versionNegotiation: { mode: 'legacy' }, supportedProtocolVersions: ['2025-06-18'] },
  '2025-11-25': { versionNegotiation: { mode: 'legacy' } },
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
} as const

export type Era = keyof typeof eras

export function createClient(era: Era, capabilities: object = {}): Client {
  return new Client({ name: 'host', version: '1.0.0' }, { ...eras[era], capabilities } as never)
}

export const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }

/** How a client reaches a server. */
export const ways = {
  http: async (server: BeckonServer): Promise<Transport> => {
    const { url } = await server.listen({ port: 0 })
    return new StreamableHTTPClientTransport(new URL(url))
  },
  memory: async (server: BeckonServer): Promise<Transport> => {
    const [here, there] = InMemoryTransport.createLinkedPair()
    // As on a pipe, nothing but the message itself says what it belongs to.
    there.send = AsyncResource.bind(there.send.bind(there))
    server.stdio({ transport: there })
    return here
  },
}
