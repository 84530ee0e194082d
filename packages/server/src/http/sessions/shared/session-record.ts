import { isRecord } from '@beckon/core/json-rpc'
import type { RpcMessage } from '../../../protocol/messages.js'
import type { JsonObject } from '../../json-object.js'
import { type WireRequest, wireRequest } from '../messages.js'

/** What any node has to know of a session to serve it. */
export interface SessionRecord {
  readonly principal: string | null
  /** The parameters of its `initialize`, with the version that came of it. */
  readonly initialize: JsonObject
  readonly logLevel?: string
  readonly subscriptions: readonly string[]
  /** The node on which its GET stream was opened last. */
  readonly standing?: string
}

/** A request that changes what nodes have to know of a session. */
export function settingIn(message: RpcMessage): WireRequest | undefined {
  const request = wireRequest(message)
  return request !== undefined && Object.hasOwn(settings, request.method) ? request : undefined
}

/** A record after such a request; the same one when that changes nothing. */
export function withSetting(record: SessionRecord, { method, params }: WireRequest): SessionRecord {
  const change = Object.hasOwn(settings, method) ? settings[method as keyof typeof settings] : undefined
  return change?.(record, isRecord(params) ? params : {}) ?? record
}

const settings = {
  'logging/setLevel': (record: SessionRecord, { level }: JsonObject): SessionRecord => ({
    ...record,
    logLevel: String(level),
  }),
  'resources/subscribe': (record: SessionRecord, { uri }: JsonObject): SessionRecord =>
    record.subscriptions.includes(String(uri))
      ? record
      : { ...record, subscriptions: [...record.subscriptions, String(uri)] },
  'resources/unsubscribe': (record: SessionRecord, { uri }: JsonObject): SessionRecord => ({
    ...record,
    subscriptions: record.subscriptions.filter(other => other !== uri),
  }),
}
