// What handlers return and throw, as the protocol has it.

import { BeckonError, ElicitationNotAvailableError, ReplayMismatchError, StateRejectedError } from '@beckon/core'
import { isRecord } from '@beckon/core/json-rpc'
import { base64 } from '#platform'
import { missingCapability } from '../author/ask-person.js'
import { ToolResult } from '../author/results.js'
import type { Incoming } from '../call/incoming.js'
import { codecOf, type RevisionCodec } from '../protocol/codec.js'
import { hasRpcCode, orStoreAway, RequestError } from '../protocol/request-error.js'
import { internalError, wireErrorOf } from '../protocol/wire-error.js'
import { StoreUnavailableError } from '../store/store-unavailable.js'
import type { ReadSchema } from './schemas.js'

type Result = Record<string, unknown>

/** A tool's result from whatever its handler returned. */
export function toolResult(returned: unknown, tool: string, output: ReadSchema | undefined): Result | Promise<Result> {
  const result = rawToolResult(returned, tool)
  if (output !== undefined && result.isError !== true) return checkedResult(result, tool, output)
  if (result.structuredContent === undefined || isRecord(result.structuredContent)) return result
  // Only objects are allowed there in 2025, and a list or a number says it all as text.
  const { structuredContent: _, ...rest } = result
  return rest
}

/** The same, before it is checked: any structured content stays. */
export function rawToolResult(returned: unknown, tool: string): Result {
  if (returned === undefined || returned === null) return { ...new ToolResult() }
  if (typeof returned === 'string') return { ...new ToolResult().text(returned) }
  const result = withContent(returned)
  if (isRecord(result)) return { ...result }
  throw new TypeError(
    `The tool "${tool}" returned a ${typeof returned}. Return a string, an object, ctx.text(...), ctx.json(...) or an MCP result with \`content\`.`,
  )
}

/** What a handler returned, so that everything around it finds a result: an object of the author's own is as `ctx.json` of it. */
export function withContent(returned: unknown): unknown {
  if (typeof returned !== 'object' || returned === null) return returned
  return isRecord(returned) && Array.isArray(returned.content) ? returned : new ToolResult().json(returned)
}

async function checkedResult(result: Result, tool: string, output: ReadSchema): Promise<Result> {
  const checked = await output.validate(result.structuredContent)
  if (checked.issues !== undefined)
    throw new TypeError(
      `The result of the tool "${tool}" does not fit its output schema: ${describeIssues(checked.issues)}`,
    )
  return { ...result, structuredContent: checked.value }
}

/** The messages of a prompt. */
export function promptResult(returned: unknown, prompt: string, description: string | undefined): Result {
  const about = description === undefined ? {} : { description }
  if (typeof returned === 'string')
    return { ...about, messages: [{ role: 'user', content: { type: 'text', text: returned } }] }
  if (Array.isArray(returned)) return { ...about, messages: returned }
  if (isRecord(returned) && Array.isArray(returned.messages)) return { ...about, ...returned }
  throw new TypeError(
    `The prompt "${prompt}" must return a string, a list of messages or an MCP result with \`messages\`.`,
  )
}

/** The contents of a resource. */
export function resourceResult(returned: unknown, uri: string, mimeType: string | undefined): Result {
  const type = mimeType === undefined ? {} : { mimeType }
  if (typeof returned === 'string') return { contents: [{ uri, ...type, text: returned }] }
  if (returned instanceof Uint8Array) return { contents: [{ uri, ...type, blob: base64(returned) }] }
  if (isRecord(returned) && Array.isArray(returned.contents)) return returned
  throw new TypeError(`The resource ${uri} must return a string, bytes or an MCP result with \`contents\`.`)
}

/**
 * A handler's error: a tool's own failure is a result that the model can read; what is wrong with the request itself,
 * with the client or with the server is a JSON-RPC error.
 */
export function failure(error: unknown, { method, revision }: { method: string } & Pick<Incoming, 'revision'>): Result {
  const codec = codecOf(revision)
  // With a cause, showing the ask failed: the client, or the desk, could have, by what it declares.
  if (error instanceof ElicitationNotAvailableError && error.cause === undefined && codec.hasError(-32021))
    throw missingCapability(error.mode)
  if (error instanceof StoreUnavailableError) throw orStoreAway(error)
  if (error instanceof StateRejectedError || error instanceof ReplayMismatchError)
    throw new RequestError(error.code, error.message, { kind: error.kind })
  if (hasRpcCode(error) && codec.hasError(error.code)) throw asRequestError(error, codec)
  const message = error instanceof Error ? error.message : String(error)
  if (method === 'tools/call') return { ...new ToolResult().error(message) }
  throw new RequestError(-32603, message, error instanceof BeckonError ? { kind: error.kind } : undefined)
}

export function describeIssues(issues: readonly { message: string; path?: readonly unknown[] | undefined }[]): string {
  return issues
    .map(({ message, path = [] }) => (path.length > 0 ? `${path.map(pathKey).join('.')}: ${message}` : message))
    .join('; ')
}

function pathKey(segment: unknown): string {
  return String(isRecord(segment) ? segment.key : segment)
}

function asRequestError(error: { message: string; code: number; data?: unknown }, codec: RevisionCodec): RequestError {
  const { code, message, data } = wireErrorOf(error, codec) ?? internalError
  return new RequestError(code, message, data)
}
