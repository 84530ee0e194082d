import type { Server } from '@modelcontextprotocol/server'
import type { ClientCapabilities, Incoming } from '../call/incoming.js'
import { legacyPeer } from '../protocol/rev2025/rev2025.js'

/** What the SDK knows of a client of 2025. Its `Server` is one. */
export type Connected = Pick<Server, 'getClientCapabilities' | 'getClientVersion' | 'getNegotiatedProtocolVersion'>

/** A client of 2025, as it introduced itself when it connected. */
export function connectedPeer(server: Connected): Pick<Incoming, 'revision' | 'capabilities' | 'client'> {
  // The SDK's type has `| undefined` on every key, which is the same thing on the wire.
  const capabilities = (server.getClientCapabilities() ?? {}) as ClientCapabilities
  return { ...legacyPeer(server.getNegotiatedProtocolVersion(), capabilities), client: server.getClientVersion() }
}
