// The messages of JSON-RPC, as every revision has them: checked by hand, since each message of each client passes here, and a
// library for schemas would be most of what a server in a Worker weighs.
import { isRecord } from '@beckon/core/json-rpc'

export type RequestId = string | number

export interface RpcRequest {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
}

export interface RpcNotification {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
}

export interface RpcResult {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly result: Readonly<Record<string, unknown>>
}

export interface RpcErrorMessage {
  readonly jsonrpc: '2.0'
  readonly id?: RequestId
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export type RpcMessage = RpcRequest | RpcNotification | RpcResult | RpcErrorMessage

const relatedTaskKey = 'io.modelcontextprotocol/related-task'

export function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

export function isRpcRequest(value: unknown): value is RpcRequest {
  return isMessage(value, requestKeys) && isId(value.id) && hasMethod(value)
}

export function isRpcNotification(value: unknown): value is RpcNotification {
  return isMessage(value, notificationKeys) && hasMethod(value)
}

export function isRpcResult(value: unknown): value is RpcResult {
  if (!isMessage(value, resultKeys) || !isId(value.id) || !isRecord(value.result)) return false
  return value.result._meta === undefined || isRecord(value.result._meta)
}

export function isRpcError(value: unknown): value is RpcErrorMessage {
  if (!isMessage(value, errorKeys) || !(value.id === undefined || isId(value.id))) return false
  const { error } = value
  return isRecord(error) && Number.isSafeInteger(error.code) && typeof error.message === 'string'
}

const requestKeys = new Set(['jsonrpc', 'id', 'method', 'params'])
const notificationKeys = new Set(['jsonrpc', 'method', 'params'])
const resultKeys = new Set(['jsonrpc', 'id', 'result'])
const errorKeys = new Set(['jsonrpc', 'id', 'error'])

function isMessage(value: unknown, keys: ReadonlySet<string>): value is Record<string, unknown> {
  return isRecord(value) && value.jsonrpc === '2.0' && Object.keys(value).every(key => keys.has(key))
}

function hasMethod({ method, params }: Record<string, unknown>): boolean {
  return typeof method === 'string' && (params === undefined || (isRecord(params) && isMeta(params._meta)))
}

/** Whether the `_meta` of a message has no key of a wrong kind. */
export function isMeta(meta: unknown): boolean {
  if (meta === undefined) return true
  if (!isRecord(meta)) return false
  const { progressToken, [relatedTaskKey]: task } = meta
  if (task !== undefined && !(isRecord(task) && typeof task.taskId === 'string')) return false
  return progressToken === undefined || isId(progressToken)
}
