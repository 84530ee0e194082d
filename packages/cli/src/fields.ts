import { isRecord } from '@beckon/core/json-rpc'

/** An object whose fields nobody has checked yet. */
export type Fields = Readonly<Record<string, unknown>>

/** What came over a wire as an object; one without fields where it is none. */
export function fields(value: unknown): Record<string, unknown> {
  return isRecord(value) ? { ...value } : {}
}
