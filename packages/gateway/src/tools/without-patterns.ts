// Threat: an application that has the gateway match a text of its own against a pattern of its own. Some pairs take years,
// and nobody else is served meanwhile. What the gateway checks outputs against has no patterns; the application has them.

import { isRecord } from '@beckon/core/json-rpc'

type Schema = Readonly<Record<string, unknown>>

/** Keywords whose members are schemas by names, which may be any text. */
const named = ['properties', '$defs', 'definitions', 'dependentSchemas']
/** Keywords that hold values, and no schemas. */
const values = ['const', 'enum', 'default', 'examples', 'required']

/** A JSON Schema without what matches texts against regular expressions. */
export function withoutPatterns(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(([keyword]) => keyword !== 'pattern' && keyword !== 'patternProperties')
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, within(keyword, value)]))
}

function within(keyword: string, value: unknown): unknown {
  if (values.includes(keyword)) return value
  if (Array.isArray(value)) return value.map(item => (isRecord(item) ? withoutPatterns(item) : item))
  if (!isRecord(value)) return value
  if (!named.includes(keyword)) return withoutPatterns(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isRecord(inner) ? withoutPatterns(inner) : inner]),
  )
}
