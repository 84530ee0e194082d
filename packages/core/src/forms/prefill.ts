import { fits } from './check-field.js'
import type { Form } from './form.js'
import { own } from './own.js'

/** A form with proposed values as its defaults, so that a person approves with changes. Values that do not fit are left out. */
export function prefill(form: Form, initial: Readonly<Record<string, unknown>>): Form {
  const properties = Object.entries(form.properties).map(([name, field]) => {
    const value = own(initial, name)
    return [name, value !== undefined && fits(field, value) ? { ...field, default: value } : field]
  })
  return { ...form, properties: Object.fromEntries(properties) }
}
