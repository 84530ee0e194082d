/** A JSON Schema as it comes from a caller or a library: nothing about it is known yet. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Whether a value is a list of texts. */
export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string')
}
