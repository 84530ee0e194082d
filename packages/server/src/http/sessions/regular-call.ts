// As on the lean path of 2026-07-28: a call is taken only when everything about it is regular, and whatever is not goes to the
// SDK. So a check here may be stricter than the protocol, never laxer.
import { isRecord } from '@beckon/core/json-rpc'
import type { JsonObject } from '../json-object.js'
import { isId } from '../lean/regular-request.js'
import type { RequestId } from '../reply-with.js'

/** A `tools/call` of a 2025 session, with everything checked that its answer relies on. */
export interface RegularCall {
  readonly id: RequestId
  readonly name: string
  readonly params: JsonObject
  readonly meta: JsonObject | undefined
  readonly progressToken: RequestId | undefined
}

/** Reads a regular call; undefined when it is anything else. */
export function regularCall(message: unknown): RegularCall | undefined {
  if (!isRecord(message) || message.method !== 'tools/call') return undefined
  const { id, params } = message
  if (message.jsonrpc !== '2.0' || !isId(id) || !isRecord(params) || Object.keys(message).length !== 4) return undefined
  const { name, arguments: given, _meta: meta } = params
  if (typeof name !== 'string' || (given !== undefined && !isRecord(given))) return undefined
  // 2026-07-28 has these, and the SDK lifts them out.
  if ('requestState' in params || 'inputResponses' in params) return undefined
  if (meta === undefined) return { id, name, params, meta, progressToken: undefined }
  if (!isRecord(meta) || Object.keys(meta).some(isReserved)) return undefined
  const { progressToken } = meta
  return progressToken === undefined || isId(progressToken) ? { id, name, params, meta, progressToken } : undefined
}

function isReserved(key: string): boolean {
  return key.startsWith('io.modelcontextprotocol/')
}
