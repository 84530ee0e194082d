import { ProtocolError, type ServerContext } from '@modelcontextprotocol/server'
import { hasRpcCode } from '../protocol/request-error.js'
import { envelopeOf } from '../sdk/envelope-of.js'

/**
 * Has an error leave as a JSON-RPC error. The SDK makes a result of whatever a tool throws, but does not look into an
 * `input_required` until that is out of the tool's hands: on 2026-07-28 the error waits there to be found.
 */
export function leaveAsError(error: unknown, ctx: ServerContext): Record<string, unknown> {
  if (!hasRpcCode(error)) throw error
  const known = new ProtocolError(error.code, error.message, error.data)
  if (ctx.mcpReq.method !== 'tools/call' || envelopeOf(ctx) === undefined) throw known
  return {
    resultType: 'input_required',
    get inputRequests() {
      throw known
    },
  }
}
