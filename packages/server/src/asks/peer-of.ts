import { SdkError, SdkErrorCode, type ServerContext } from '@modelcontextprotocol/server'
import { versionFor } from '../protocol/rev2025/rev2025.js'
import type { Connected } from '../sdk/connected-peer.js'
import { envelopeOf } from '../sdk/envelope-of.js'

/** A server of the SDK, of either kind. */
export type SdkServer = Connected | { readonly server: Connected }

type ElicitInput = ServerContext['mcpReq']['elicitInput']

const form = { mode: 'form', message: '', requestedSchema: { type: 'object', properties: {} } } as const
const url = { mode: 'url', message: '', url: 'https://example.com', elicitationId: 'none' } as const

/** What is known of the client: all of it by its server, and what a handler of the SDK can find out without one. */
export async function peerOf(ctx: ServerContext, server: SdkServer | undefined): Promise<Connected> {
  if (server !== undefined) return 'server' in server ? server.server : server
  // On 2026-07-28 every request says it by itself.
  const isModern = envelopeOf(ctx) !== undefined
  const { elicitInput } = ctx.mcpReq
  const [hasForm, hasUrl] = isModern
    ? [false, false]
    : await Promise.all([declares(elicitInput, form), declares(elicitInput, url)])
  const elicitation = { ...(hasForm && { form: {} }), ...(hasUrl && { url: {} }) }
  // Without a version, as on stdio: a form that is lowered for the older one is right for both.
  const version = ctx.http?.req?.headers.get('mcp-protocol-version') ?? versionFor({ hasUrl })
  return {
    getClientCapabilities: () => (hasForm || hasUrl ? { elicitation } : {}),
    getClientVersion: () => undefined,
    getNegotiatedProtocolVersion: () => version,
  }
}

/** The SDK looks at the capability before it looks at the signal, and nothing is sent. */
async function declares(elicitInput: ElicitInput, params: Parameters<ElicitInput>[0]): Promise<boolean> {
  try {
    await elicitInput(params, { signal: AbortSignal.abort() })
    return true
  } catch (error) {
    return !(error instanceof SdkError && error.code === SdkErrorCode.CapabilityNotSupported)
  }
}
