/** An object as `JSON.parse` makes it, and no array. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is nested deeper than `levels`. Looks no deeper than that, so it is safe on anything. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  // What was parsed from JSON inherits nothing that could be counted.
  for (const key in value) if (isDeeperThan((value as JsonObject)[key], levels - 1)) return true
  return false
}
