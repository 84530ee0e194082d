// What servers send as a requested schema, as a form. A server checks what it gets back, so a rule that a form cannot
// carry is left out here instead of refused; and a shape that it cannot carry becomes the plain value that it is about.
// Threat: a server that asks for a password, a key or a card number in a form, where it would be drafted, kept and shown to
// anyone who is at the desk. The protocol forbids that, and so it is not shown, whatever the server calls itself.

import { type Field, type Form, formOf, looksSensitive, prefill } from '@beckon/core'
import { isRecord } from '@beckon/core/json-rpc'

export interface LenientForm {
  readonly form: Form
  /** Optional properties that no question can be made of, or that ask for a secret. */
  readonly leftOut: readonly string[]
}

type JsonSchema = Readonly<Record<string, unknown>>

/** Stands for the server, which validates what the form cannot. */
const validatedElsewhere = {
  '~standard': { version: 1, vendor: 'beckon', validate: (value: unknown) => ({ value }) },
} as const

const primitives = ['string', 'number', 'integer', 'boolean']
const words = ['title', 'description', 'default']

/**
 * The form of a schema that a server sent.
 *
 * @throws Error when it requires a property that no question can be made of, or that asks for a secret, which it names
 */
export function lenientForm(schema: unknown): LenientForm {
  const { properties, required } = isRecord(schema) ? schema : {}
  const wanted = new Set(Array.isArray(required) ? required : [])
  const fields: [string, Field][] = []
  const leftOut: string[] = []
  for (const [name, property] of Object.entries(isRecord(properties) ? properties : {})) {
    const field = fieldOf(name, property) ?? fieldOf(name, plainValue(property))
    const secret = field && looksSensitive(name, field)
    if (secret !== undefined && wanted.has(name))
      throw new Error(
        `"${name}" asks for a secret (${secret.match}), which has no place in a form. Use a page for that.`,
      )
    if (secret !== undefined) leftOut.push(name)
    else if (field !== undefined) fields.push([name, field])
    else if (wanted.has(name)) throw new Error(`No question can be made of the required property "${name}".`)
    else leftOut.push(name)
  }
  const asked = fields.map(([name]) => name).filter(name => wanted.has(name))
  const form = { type: 'object', properties: Object.fromEntries(fields), required: asked } as const
  return { form: prefill(form, defaultsOf(properties)), leftOut }
}

/** A server that asks again sends what the person typed, which may break a rule: it is there to be mended. */
function defaultsOf(properties: unknown): JsonSchema {
  const fields = Object.entries(isRecord(properties) ? properties : {})
  return Object.fromEntries(fields.flatMap(([name, field]) => (isRecord(field) ? [[name, field.default]] : [])))
}

function fieldOf(name: string, property: unknown): Field | undefined {
  try {
    const jsonSchema = { type: 'object', properties: { [name]: property } }
    return formOf(validatedElsewhere, { jsonSchema, allow: [name] }).properties[name]
  } catch {
    return undefined
  }
}

/** A property without its rules: one of the types that it may have, and its words. */
function plainValue(property: unknown): JsonSchema | undefined {
  if (!isRecord(property)) return undefined
  const members = [property, ...[property.anyOf, property.oneOf].flat().filter(isRecord)]
  const type = members.flatMap(member => member.type).find(name => primitives.includes(String(name)))
  if (type === undefined) return undefined
  return Object.fromEntries([['type', type], ...Object.entries(property).filter(([key]) => words.includes(key))])
}
