import { isRecord } from '@beckon/core/json-rpc'
import type { Served } from '../served.js'

const infoKey = 'io.modelcontextprotocol/serverInfo'

type Result = Readonly<Record<string, unknown>>

/** A result as JSON, with what 2026-07-28 wants on every one, where it does not say so itself. */
export function completeResult(result: Result, method: string, info: Served['info']): string {
  const text = hasMore(result, method) ? undefined : JSON.stringify(result)
  // What has no members, or is written as something else.
  if (text === undefined || !text.startsWith('{"')) return JSON.stringify(completed(result, method, info))
  // Nearly every one: written as it is, and no copy is made of it.
  const type = result.resultType === undefined ? '"resultType":"complete",' : ''
  return `{${type}${text.slice(1, -1)},"_meta":${stampOf(info)}}`
}

/** Whether a result cannot be written as it is, with the same around it as around any other. */
function hasMore(result: Result, method: string): boolean {
  return result._meta !== undefined || method === 'resources/read' || 'toJSON' in result
}

function completed(result: Result, method: string, info: Served['info']): Record<string, unknown> {
  const { _meta: meta } = result
  const stamped = isRecord(meta) ? { [infoKey]: info, ...meta } : { [infoKey]: info }
  const complete = { resultType: 'complete', ...result, _meta: stamped }
  // What a resource says may depend on who reads it and when, so nothing is cached unless the author says so.
  const isCacheable = method === 'resources/read' && complete.resultType === 'complete'
  return isCacheable ? { ttlMs: 0, cacheScope: 'private', ...complete } : complete
}

const stamps = new WeakMap<Served['info'], string>()

/** The same for every result of a server. */
function stampOf(info: Served['info']): string {
  const known = stamps.get(info)
  if (known !== undefined) return known
  const stamp = JSON.stringify({ [infoKey]: info })
  stamps.set(info, stamp)
  return stamp
}
