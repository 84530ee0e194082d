import { isJsonObject } from '../json-object.js'
import type { Served } from '../served.js'

const infoKey = 'io.modelcontextprotocol/serverInfo'

/** A result with what 2026-07-28 wants on every one, where it does not say so itself. */
export function completeResult(
  result: Readonly<Record<string, unknown>>,
  method: string,
  info: Served['info'],
): Record<string, unknown> {
  const { _meta: meta } = result
  const stamped = isJsonObject(meta) ? { [infoKey]: info, ...meta } : { [infoKey]: info }
  const complete = { resultType: 'complete', ...result, _meta: stamped }
  // What a resource says may depend on who reads it and when, so nothing is cached unless the author says so.
  const isCacheable = method === 'resources/read' && complete.resultType === 'complete'
  return isCacheable ? { ttlMs: 0, cacheScope: 'private', ...complete } : complete
}
