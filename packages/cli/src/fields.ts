/** An object whose fields nobody has checked yet. */
export type Fields = Readonly<Record<string, unknown>>

/** What came over a wire as an object; one without fields where it is none. */
export function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
