/** A JSON Schema as it comes from a caller or a library: nothing about it is known yet. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Whether a value is an object with properties to look at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is a list of texts. */
export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string')
}
