import { isRecord } from '@beckon/core/json-rpc'
import { serverInfoKey } from '../meta-keys.js'

/** The server as clients see it. */
export interface ServerInfo {
  readonly name: string
  readonly version: string
  readonly [key: string]: unknown
}

type Result = Readonly<Record<string, unknown>>

/** A result as JSON, with what 2026-07-28 wants on every one, where it does not say so itself. */
export function completeResult(result: Result, method: string, info: ServerInfo): string {
  const text = hasMore(result, method) ? undefined : JSON.stringify(result)
  // What has no members, or is written as something else.
  if (text === undefined || !text.startsWith('{"')) return JSON.stringify(completed(result, method, info))
  // Nearly every one: written as it is, and no copy is made of it.
  const type = result.resultType === undefined ? '"resultType":"complete",' : ''
  return `{${type}${text.slice(1, -1)},"_meta":${stampOf(info)}}`
}

/** The same as an object. */
export function completed(result: Result, method: string, info: ServerInfo): Record<string, unknown> {
  const { _meta: meta } = result
  const stamped = isRecord(meta) ? { [serverInfoKey]: info, ...meta } : { [serverInfoKey]: info }
  const complete = { resultType: 'complete', ...result, _meta: stamped }
  // What a list or a resource says may depend on who reads it and when, so nothing is cached unless the author says so.
  const isCacheable = cacheable.has(method) && complete.resultType === 'complete'
  return isCacheable ? { ttlMs: 0, cacheScope: 'private', ...complete } : complete
}

/** The methods whose results say for how long they hold. */
const cacheable = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
])

/** Whether a result cannot be written as it is, with the same around it as around any other. */
function hasMore(result: Result, method: string): boolean {
  return result._meta !== undefined || cacheable.has(method) || 'toJSON' in result
}

const stamps = new WeakMap<ServerInfo, string>()

/** The same for every result of a server. */
function stampOf(info: ServerInfo): string {
  const known = stamps.get(info)
  if (known !== undefined) return known
  const stamp = JSON.stringify({ [serverInfoKey]: info })
  stamps.set(info, stamp)
  return stamp
}
