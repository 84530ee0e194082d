import type { ServerContext } from '@modelcontextprotocol/server'
import { versionKey } from '../protocol/meta-keys.js'

/**
 * What a request of 2026-07-28 says of its client; undefined for one of 2025. Its version tells the two apart: the SDK
 * lifts every key that is reserved out of `_meta`, and clients of 2025 send some of them too, such as a level for logs.
 */
export function envelopeOf({ mcpReq }: ServerContext): Readonly<Record<string, unknown>> | undefined {
  const envelope: Readonly<Record<string, unknown>> | undefined = mcpReq.envelope
  return envelope?.[versionKey] === undefined ? undefined : envelope
}
