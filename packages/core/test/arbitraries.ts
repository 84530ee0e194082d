import fc from 'fast-check'
import type { Field, Form } from '../src/forms/form.js'

/** Names that find what is not prototype-safe, beside ordinary ones. */
export const names: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z]{1,6}$/) },
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'a.b', 'a.b_', '日本'),
)

const word = fc.oneof(fc.stringMatching(/^[a-z]{1,5}$/), fc.constantFrom('é', 'a b', '__proto__', ''))
const words = fc.uniqueArray(word, { minLength: 1, maxLength: 5 })
const annotations = fc.record({ title: fc.string(), description: fc.string() }, { requiredKeys: [] })
const range = (max: number) => fc.record({ low: fc.nat(max), extra: fc.nat(max) })
const bounds = (max: number, [least, most]: [string, string]) =>
  fc.oneof(
    fc.constant({}),
    range(max).map(({ low, extra }) => ({ [least]: low, [most]: low + extra })),
    fc.nat(max).map(low => ({ [least]: low })),
    fc.nat(max).map(high => ({ [most]: high })),
  )
const titled = words.map(values => values.map((value, index) => ({ const: value, title: `Option ${index}` })))

const text = fc.oneof(
  bounds(6, ['minLength', 'maxLength']),
  fc.constantFrom('email' as const, 'uri' as const, 'date' as const, 'date-time' as const).map(format => ({ format })),
)
const shapes: fc.Arbitrary<Field> = fc.oneof(
  text.map(rules => ({ type: 'string' as const, ...rules })),
  fc
    .tuple(fc.constantFrom('number' as const, 'integer' as const), bounds(20, ['minimum', 'maximum']))
    .map(([type, rules]) => ({ type, ...rules })),
  fc.constant({ type: 'boolean' as const }),
  words.map(values => ({ type: 'string' as const, enum: values })),
  words.map(values => ({ type: 'string' as const, enum: values, enumNames: values.map(value => `${value}!`) })),
  titled.map(oneOf => ({ type: 'string' as const, oneOf })),
  fc
    .tuple(words, bounds(4, ['minItems', 'maxItems']))
    .map(([values, rules]) => ({ type: 'array' as const, items: { type: 'string' as const, enum: values }, ...rules })),
  fc
    .tuple(titled, bounds(4, ['minItems', 'maxItems']))
    .map(([anyOf, rules]) => ({ type: 'array' as const, items: { anyOf }, ...rules })),
)

export const fields: fc.Arbitrary<Field> = fc
  .tuple(shapes, annotations)
  .map(([shape, words]) => ({ ...shape, ...words }))

/** Forms of every kind of field, with some of them required. */
export const forms: fc.Arbitrary<Form> = fc
  .uniqueArray(fc.tuple(names, fields, fc.boolean()), { maxLength: 6, selector: ([name]) => name })
  .map(entries => {
    const required = entries.filter(([, , isRequired]) => isRequired).map(([name]) => name)
    const form: Form = { type: 'object', properties: Object.fromEntries(entries.map(([name, field]) => [name, field])) }
    return required.length > 0 ? { ...form, required } : form
  })

const odd = fc.constantFrom<unknown>(null, '', 0, 1.5, true, [], {}, ['x'], Number.NaN, Number.POSITIVE_INFINITY, '5')

/** Values that often fit a field and often miss it by little. */
export function valueFor(field: Field): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 5, arbitrary: likely(field) }, odd)
}

const unknown = fc.option(fc.tuple(fc.constantFrom('unknown', 'valueOf'), fc.anything()))

/** Content for a form: each property there or not, and some that the form does not have. */
export function contentFor(form: Form): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(form.properties).map(([name, field]) =>
    fc.option(
      valueFor(field).map(value => [name, value] as const),
      { freq: 6 },
    ),
  )
  return fc
    .tuple(fc.tuple(...entries), unknown)
    .map(([known, other]) => Object.fromEntries([...known, other].filter(entry => entry !== null)))
}

// Made once, since each takes longer to make than to draw from.
const boolean = fc.boolean()
const number = fc.oneof(fc.integer({ min: -2, max: 25 }), fc.double({ min: -2, max: 25 }), fc.constantFrom(3.5, 1e300))
const texts = {
  plain: fc.string({ unit: 'grapheme', maxLength: 8 }),
  email: fc.oneof(fc.emailAddress(), fc.string()),
  uri: fc.oneof(fc.webUrl(), fc.string()),
  date: fc.stringMatching(/^20[0-9]{2}-[01][0-9]-[0-3][0-9]$/),
  'date-time': fc.stringMatching(/^20[0-9]{2}-[01][0-9]-[0-3][0-9]T[012][0-9]:[0-6][0-9]:[0-6][0-9](Z|\+0[0-9]:00)$/),
}

function likely(field: Field): fc.Arbitrary<unknown> {
  if (field.type === 'array') return fc.array(choice(field.items), { maxLength: 5 })
  if (field.type === 'boolean') return boolean
  if (field.type !== 'string') return number
  return 'enum' in field || 'oneOf' in field ? choice(field) : texts[field.format ?? 'plain']
}

function choice(
  select: { enum: string[] } | { oneOf: { const: string }[] } | { anyOf: { const: string }[] },
): fc.Arbitrary<string> {
  const titles = 'oneOf' in select ? select.oneOf : 'anyOf' in select ? select.anyOf : undefined
  const values = titles?.map(title => title.const) ?? ('enum' in select ? select.enum : [])
  return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...values) }, word)
}
