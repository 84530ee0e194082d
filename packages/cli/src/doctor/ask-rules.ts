// The rules of elicitation that can be judged by looking at what a server asks.

import { formOf, InvalidFormError, inspectUrl, looksSensitive } from '@beckon/core'
import { type Fields, fields } from '../fields.js'
import { type Check, judge, type Rule } from './check.js'

/** One ask that a server put while it was examined. */
export interface SeenAsk {
  readonly params: Fields
  /** What the client declared when it was put. */
  readonly declared: { readonly form: boolean; readonly url: boolean }
  readonly era: '2025' | '2026'
}

const formats = ['email', 'uri', 'date', 'date-time']

const rules = {
  declared: {
    id: 'asks-only-what-is-declared',
    level: 'MUST',
    rule: 'A server asks in no mode that the client did not declare.',
    remedy: 'Look at the capabilities of the client (of each request, since 2026-07-28) before asking.',
  },
  message: {
    id: 'asks-have-a-message',
    level: 'MUST',
    rule: 'An ask says in words what it is about.',
    remedy: 'Send a message with every ask.',
  },
  flat: {
    id: 'flat-forms',
    level: 'MUST',
    rule: 'A form is a flat object of primitive fields, enums and multi-select enums.',
    remedy: 'Take nested objects, lists, unions and references apart into fields of their own.',
  },
  formats: {
    id: 'known-formats',
    level: 'MUST',
    rule: 'A text field has one of the formats email, uri, date and date-time, or none.',
    remedy: 'Leave the format out, and check the answer yourself.',
  },
  secrets: {
    id: 'no-secrets-in-forms',
    level: 'MUST',
    rule: 'A form asks for no password, key, token or payment data.',
    remedy: 'Ask for it on a page of your own, by URL.',
  },
  https: {
    id: 'https-addresses',
    level: 'SHOULD',
    rule: 'A URL ask leads to an https address.',
    remedy: 'Serve the page over https.',
  },
  valid: {
    id: 'proper-addresses',
    level: 'MUST',
    rule: 'A URL ask has a proper web address.',
    remedy: 'Send the whole address, with its scheme and without tricks.',
  },
  personal: {
    id: 'no-personal-data-in-addresses',
    level: 'MUST',
    rule: 'A URL carries no personal data, and is not signed in beforehand.',
    remedy: 'Put an opaque id in the address, and find out on the page who opened it.',
  },
  identified: {
    id: 'url-asks-have-an-id',
    level: 'MUST',
    rule: 'A URL ask of 2025-11-25 has an elicitationId; one of 2026-07-28 has none.',
    remedy: 'Send elicitationId to clients of 2025-11-25 alone.',
  },
} as const satisfies Record<string, Rule>

/** Judges everything that was asked. */
export function judgeAsks(asks: readonly SeenAsk[]): Check[] {
  const forms = asks.filter(({ params }) => params.mode !== 'url')
  const pages = asks.filter(({ params }) => params.mode === 'url')
  const asked = forms.flatMap(({ params }) => Object.entries(fields(fields(params.requestedSchema).properties)))
  const addresses = pages.map(({ params }) => String(params.url))
  const undeclared = asks.filter(({ params, declared }) => !declared[params.mode === 'url' ? 'url' : 'form'])
  return [
    judge(rules.declared, asks.length > 0, undeclared.map(nameOf)),
    judge(rules.message, asks.length > 0, asks.flatMap(wordless)),
    judge(rules.flat, forms.length > 0, [...forms.flatMap(notAnObject), ...asked.flatMap(notFlat)]),
    judge(rules.formats, forms.length > 0, asked.flatMap(unknownFormat)),
    judge(rules.secrets, forms.length > 0, asked.flatMap(secret)),
    judge(rules.valid, pages.length > 0, addresses.flatMap(improper)),
    judge(rules.https, pages.length > 0, addresses.flatMap(insecure)),
    judge(rules.personal, pages.length > 0, addresses.flatMap(telling)),
    judge(rules.identified, pages.length > 0, pages.filter(wronglyIdentified).map(nameOf)),
  ]
}

function wordless({ params: { message, mode } }: SeenAsk): string[] {
  return typeof message === 'string' && message.trim() !== ''
    ? []
    : [`a ${mode === 'url' ? 'url' : 'form'} without one`]
}

const combinators = ['oneOf', 'anyOf', 'allOf', 'not', '$ref']

function notAnObject(ask: SeenAsk): string[] {
  const schema = fields(ask.params.requestedSchema)
  if (schema.type !== 'object') return [`${nameOf(ask)}: it is not the schema of an object`]
  return combinators.filter(name => name in schema).map(name => `${nameOf(ask)}: it has "${name}" at the top`)
}

type NamedField = readonly [name: string, field: unknown]

function notFlat([name, field]: NamedField): string[] {
  const { format: _, ...plain } = fields(field)
  try {
    formOf({ type: 'object', properties: { [name]: plain } }, { allow: [name] })
    return []
  } catch (error) {
    // A rule that no form carries is a matter of taste here; a shape is not.
    const isShape = error instanceof InvalidFormError && !primitive(plain)
    return isShape ? [`"${name}": ${error.message}`] : []
  }
}

function primitive({ type, properties, items, anyOf, $ref }: Fields): boolean {
  const isPlain = ['string', 'number', 'integer', 'boolean'].includes(String(type))
  return isPlain && [properties, items, anyOf, $ref].every(part => part === undefined)
}

function unknownFormat([name, field]: NamedField): string[] {
  const { format } = fields(field)
  return format === undefined || formats.includes(String(format)) ? [] : [`"${name}" has the format "${format}"`]
}

function secret([name, field]: NamedField): string[] {
  const found = looksSensitive(name, fields(field))
  return found === undefined ? [] : [`"${name}" asks for a ${found.kind}, by its ${found.where}`]
}

function improper(url: string): string[] {
  const inspected = inspectUrl(url, { allowHttp: true })
  if (inspected.kind === 'refused') return [`${url}: ${inspected.message}`]
  return inspected.warnings
    .filter(({ level, kind }) => level === 'danger' && kind !== 'insecure')
    .map(warning => warning.message)
}

function insecure(url: string): string[] {
  const inspected = inspectUrl(url)
  return inspected.kind === 'refused' && inspected.reason === 'insecure' ? [url] : []
}

const personalName =
  /^(?:e-?mail|name|first_?name|last_?name|phone|ssn|address|birth(?:day|date)|user(?:name)?|login)$/i
const signedInName =
  /^(?:(?:access|auth|id|refresh|session|bearer)?_?token|jwt|api_?key|key|secret|password|sid|sig(?:nature)?)$/i
const jwt = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/

function telling(url: string): string[] {
  if (!URL.canParse(url)) return []
  const { searchParams, username, password } = new URL(url)
  const signedIn = username || password ? ['it signs in with a name before "@"'] : []
  const found = [...searchParams].flatMap(([name, value]) => {
    if (personalName.test(name) || /^[^@\s]+@[^@\s]+\.\w+$/.test(value)) return [`"${name}" looks like personal data`]
    return signedInName.test(name) || jwt.test(value) ? [`"${name}" looks like it signs someone in`] : []
  })
  return [...signedIn, ...found]
}

function wronglyIdentified({ params, era }: SeenAsk): boolean {
  return (params.elicitationId !== undefined) !== (era === '2025')
}

function nameOf({ params }: SeenAsk): string {
  return `"${String(params.message ?? '')}"`
}
