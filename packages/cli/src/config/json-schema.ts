import { z } from 'zod'
import { configSchema } from './definition.js'

/** A JSON Schema, as far as it is looked at here. */
export interface JsonSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly [more: string]: unknown
}

/** The JSON Schema of a configuration, for editors: `beckon.schema.json` of this package is the same. */
export function configJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(configSchema({ folder: '', env: {} }), { io: 'input' })
  // It is written by the library, as plain JSON.
  return JSON.parse(JSON.stringify({ title: 'Configuration of beckon serve', ...schema }))
}
