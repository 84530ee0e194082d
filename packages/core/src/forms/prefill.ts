import { given, own } from '../collections/record.js'
import { presetOf } from './check-field.js'
import type { Form } from './form.js'

/**
 * A form with proposed values as its defaults, so that a person approves with changes. A value of another type, and an
 * option that does not exist, is left out; one that breaks a rule is there to be mended.
 */
export function prefill(form: Form, initial: Readonly<Record<string, unknown>>): Form {
  const properties = Object.entries(form.properties).map(([name, field]) => [
    name,
    { ...field, ...given({ default: presetOf(field, own(initial, name)) }) },
  ])
  return { ...form, properties: Object.fromEntries(properties) }
}
