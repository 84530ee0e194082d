import { isRecord } from '@beckon/core/json-rpc'

type JsonObject = Readonly<Record<string, unknown>>

/**
 * The answers of a retried request that have the shape of one. Others, such as answers wrapped in `{ method, result }`,
 * count as missing, so that they are asked for again. Undefined when the request is not a retry.
 */
export function inputResponsesOf(value: unknown): JsonObject | undefined {
  if (value === undefined) return undefined
  if (!isRecord(value)) return {}
  for (const key in value) if (!isBare(value[key])) return onlyBare(value)
  return value
}

function onlyBare(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => isBare(entry)))
}

function isBare(entry: unknown): boolean {
  return isRecord(entry) && !('method' in entry) && !('result' in entry)
}
