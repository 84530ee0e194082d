// Which era a POST is of. The body says so, and the headers have to agree: a proxy routes by them, and what it let through must be
// what is answered. A message that says it is of 2026-07-28 and is not well-formed is refused, never taken for one of 2025.
import { isRecord } from '@beckon/core/json-rpc'
import {
  isRpcError,
  isRpcNotification,
  isRpcRequest,
  isRpcResult,
  type RpcNotification,
  type RpcRequest,
} from '../protocol/messages.js'
import { versionKey } from '../protocol/meta-keys.js'
import {
  claimsEnvelope,
  type Envelope,
  isIssue,
  metaIn,
  missingIn,
  readEnvelope,
} from '../protocol/rev2026/envelope.js'
import { isModern, modernVersions, unsupportedVersion } from '../protocol/rev2026/rev2026.js'
import type { WireError } from '../protocol/wire-error.js'
import type { Exchange } from './exchange/exchange.js'
import { decodeHeaderValue } from './header-value.js'

export type Classified =
  /** For a session, or for nobody. */
  | { readonly kind: 'legacy' }
  | { readonly kind: 'request'; readonly request: RpcRequest; readonly envelope: Envelope }
  /** Of 2026-07-28, which has none that a client sends over HTTP: it is accepted, and nothing comes of it. */
  | { readonly kind: 'notification' }
  | { readonly kind: 'refused'; readonly status: number; readonly error: WireError }

type Headers = Pick<Exchange, 'header'>

export function classify(body: unknown, headers: Headers): Classified {
  if (Array.isArray(body)) return classifyBatch(body)
  if (isRpcResult(body) || isRpcError(body)) return { kind: 'legacy' }
  if (isRpcRequest(body)) return classifyRequest(body, headers)
  if (isRpcNotification(body)) return classifyNotification(body, headers)
  return refused(-32600, 'Bad Request: the request body is not a valid JSON-RPC message')
}

function classifyBatch(body: readonly unknown[]): Classified {
  if (body.length === 0) return refused(-32600, 'Bad Request: empty JSON-RPC batch')
  for (const element of body) {
    if (isRecord(element) && claimsEnvelope(element.params))
      return refused(-32600, 'Bad Request: requests of revisions from 2026-07-28 on are not sent in batches')
    if (!(isRpcRequest(element) || isRpcNotification(element) || isRpcResult(element) || isRpcError(element)))
      return refused(-32600, 'Bad Request: JSON-RPC batch contains an invalid message')
  }
  return { kind: 'legacy' }
}

function classifyRequest(request: RpcRequest, headers: Headers): Classified {
  const { method, params } = request
  const header = trimmed(headers, 'mcp-protocol-version')
  const isModernHeader = header !== undefined && isModern(header)
  const meta = metaIn(params)
  const envelope = meta && claimsEnvelope(params) ? readEnvelope(meta) : undefined
  if (method === 'initialize' && !(envelope !== undefined && !isIssue(envelope) && isModern(envelope.version)))
    return isModernHeader
      ? mismatch(
          header,
          'initialize begins a session, and the MCP-Protocol-Version header names a revision without them',
        )
      : { kind: 'legacy' }
  if (envelope === undefined) {
    if (!isModernHeader) return { kind: 'legacy' }
    const missing = meta === undefined ? ['_meta'] : missingIn(meta)
    const message = `Invalid params: the MCP-Protocol-Version header names revision ${header}, and the request is without ${missing.join(', ')}`
    return refused(-32602, message, { envelope: { missing } })
  }
  if (isIssue(envelope)) return refused(-32602, `Invalid _meta: ${envelope.key}: ${envelope.problem}`, { envelope })
  const { version } = envelope
  if (header !== undefined && header !== version)
    return mismatch(header, `the body names protocol version ${version} and the MCP-Protocol-Version header ${header}`)
  const methodHeader = trimmed(headers, 'mcp-method')
  if (methodHeader !== undefined && methodHeader !== method)
    return mismatch(methodHeader, `the body names method ${method} and the Mcp-Method header ${methodHeader}`)
  if (!modernVersions.includes(version)) return unsupported(version)
  return headerMismatch(request, headers) ?? { kind: 'request', request, envelope }
}

/** One that is of 2026-07-28 has to agree with its headers, too. */
function classifyNotification({ method, params }: RpcNotification, headers: Headers): Classified {
  const header = trimmed(headers, 'mcp-protocol-version')
  const claimed = metaIn(params)?.[versionKey]
  const version = claimsEnvelope(params) ? claimed : header
  if (claimsEnvelope(params) && typeof claimed !== 'string')
    return refused(-32602, `Invalid _meta: ${versionKey}: must be a string`, {
      envelope: { key: versionKey, problem: 'must be a string' },
    })
  if (typeof version !== 'string' || !(isModern(version) || claimsEnvelope(params))) return { kind: 'legacy' }
  if (header !== undefined && header !== version)
    return mismatch(header, `the body names protocol version ${version} and the MCP-Protocol-Version header ${header}`)
  // The header is one that earlier revisions do not have.
  const methodHeader = isModern(version) ? trimmed(headers, 'mcp-method') : undefined
  if (methodHeader !== undefined && methodHeader !== method)
    return mismatch(methodHeader, `the body names method ${method} and the Mcp-Method header ${methodHeader}`)
  return modernVersions.includes(version) ? { kind: 'notification' } : unsupported(version)
}

/** The headers that every request has to repeat of its body, and those that some have to. */
function headerMismatch({ method, params }: RpcRequest, headers: Headers): Classified | undefined {
  for (const name of ['MCP-Protocol-Version', 'Mcp-Method'])
    if (headers.header(name.toLowerCase()) === undefined) return mismatch('(missing)', `the ${name} header is missing`)
  const field = Object.hasOwn(named, method) ? named[method as keyof typeof named] : undefined
  if (field === undefined) return undefined
  const value = params?.[field]
  const wanted = typeof value === 'string' ? value : undefined
  const header = headers.header('mcp-name')
  if (header === undefined)
    return wanted === undefined
      ? undefined
      : mismatch('(missing)', `params.${field} is given and the Mcp-Name header is not`)
  const decoded = decodeHeaderValue(header)
  if (decoded === undefined) return mismatch(header, 'the Mcp-Name header is not valid Base64')
  return wanted === undefined || decoded === wanted
    ? undefined
    : mismatch(header, `params.${field} is "${wanted}" and the Mcp-Name header "${decoded}"`)
}

/** Which parameter the header Mcp-Name repeats. */
const named = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
} as const

function trimmed(headers: Headers, name: string): string | undefined {
  return headers.header(name)?.trim()
}

function mismatch(header: string, body: string): Classified {
  return refused(-32020, `Bad Request: the request headers and body disagree: ${body}`, { mismatch: { header, body } })
}

function unsupported(requested: string): Classified {
  return { kind: 'refused', status: 400, error: unsupportedVersion(requested) }
}

function refused(code: number, message: string, data?: unknown): Classified {
  return { kind: 'refused', status: 400, error: data === undefined ? { code, message } : { code, message, data } }
}
