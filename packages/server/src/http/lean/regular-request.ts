// The lean path takes a request only when everything about it is regular. Whatever is not, however slightly, is looked at more
// closely in `../classify.ts`. So a check here may be stricter than the protocol, never laxer.

import { isRecord } from '@beckon/core/json-rpc'
import type { AskingMethod, ClientCapabilities, LogLevel, TaskMethod } from '../../call/incoming.js'
import { codecNamed } from '../../protocol/codec.js'
import { isLogLevel } from '../../protocol/log-level.js'
import { isId, type RequestId } from '../../protocol/messages.js'
import { capabilitiesKey, clientKey, logLevelKey, versionKey } from '../../protocol/meta-keys.js'
import { isClient } from '../../protocol/rev2026/envelope.js'
import type { Exchange } from '../exchange/exchange.js'
import { decodeHeaderValue } from '../header-value.js'
import type { JsonObject } from '../json-object.js'

/** A 2026-07-28 request of one of the asking methods, or about a task, with everything checked that its answer relies on. */
export interface RegularRequest<M extends AskingMethod | TaskMethod = AskingMethod | TaskMethod> {
  readonly id: RequestId
  readonly method: M
  readonly name: string
  readonly params: JsonObject
  readonly capabilities: ClientCapabilities
  readonly client: { readonly name: string; readonly version: string } | undefined
  readonly logLevel: LogLevel | undefined
  readonly progressToken: RequestId | undefined
}

/** Reads a regular request; undefined when it is anything else. */
export function regularRequest(message: unknown, exchange: Exchange): RegularRequest | undefined {
  const version = exchange.header('mcp-protocol-version')
  if (!codecNamed(version)?.isLean || !isRecord(message)) return undefined
  const { id, method, params } = message
  if (message.jsonrpc !== '2.0' || !isId(id) || !isRecord(params) || Object.keys(message).length !== 4) return undefined
  if (!isLeanMethod(method) || exchange.header('mcp-method') !== method) return undefined
  const name = nameIn(method, params)
  if (name === undefined || !isNamed(exchange.header('mcp-name'), name)) return undefined
  if (params.requestState !== undefined && typeof params.requestState !== 'string') return undefined
  const meta = params._meta
  return isRecord(meta) && meta[versionKey] === version ? withMeta({ id, method, name, params }, meta) : undefined
}

function isLeanMethod(method: unknown): method is RegularRequest['method'] {
  return method === 'tools/call' || method === 'prompts/get' || method === 'resources/read' || isTaskMethod(method)
}

/** Whether a request is about a task. */
export function isAboutTask(request: RegularRequest): request is RegularRequest<TaskMethod> {
  return isTaskMethod(request.method)
}

/** Whether it is of one of the methods that may ask. */
export function isAsking(request: RegularRequest): request is RegularRequest<AskingMethod> {
  return !isTaskMethod(request.method)
}

function isTaskMethod(method: unknown): method is TaskMethod {
  return method === 'tasks/get' || method === 'tasks/update' || method === 'tasks/cancel'
}

function withMeta(
  request: Pick<RegularRequest, 'id' | 'method' | 'name' | 'params'>,
  meta: JsonObject,
): RegularRequest | undefined {
  const capabilities = meta[capabilitiesKey]
  const client = meta[clientKey]
  const logLevel = meta[logLevelKey]
  const { progressToken } = meta
  if (!areCapabilities(capabilities)) return undefined
  if (client !== undefined && !isClient(client)) return undefined
  if (logLevel !== undefined && !isLogLevel(logLevel)) return undefined
  if (progressToken !== undefined && !isId(progressToken)) return undefined
  const { id, method, name, params } = request
  return { id, method, name, params, capabilities, client, logLevel, progressToken }
}

function nameIn(method: RegularRequest['method'], params: JsonObject): string | undefined {
  if (isTaskMethod(method)) return typeof params.taskId === 'string' ? params.taskId : undefined
  const name = method === 'resources/read' ? params.uri : params.name
  if (typeof name !== 'string') return undefined
  const given = params.arguments
  if (given === undefined) return name
  if (!isRecord(given)) return undefined
  return method === 'tools/call' || Object.values(given).every(value => typeof value === 'string') ? name : undefined
}

function isNamed(header: string | undefined, name: string): boolean {
  return header === name || (header !== undefined && decodeHeaderValue(header) === name)
}

function areCapabilities(value: unknown): value is ClientCapabilities {
  if (!isRecord(value)) return false
  const { elicitation } = value
  return hasObjects(value) && (elicitation === undefined || hasObjects(elicitation as JsonObject))
}

/** Whether every member is an object. */
function hasObjects(value: JsonObject): boolean {
  // No list of its values is made: this is asked twice of every request.
  for (const key in value) if (!isRecord(value[key])) return false
  return true
}
