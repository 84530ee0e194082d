// The arguments of a call as a form, so that a person can change them before it runs. Forms are flat and plain: what is not,
// is there as JSON. What must not be in a form, such as a password, stays as it is.
//
// Threat: a call that runs with other arguments than those that were shown, or that a rule looked at. A person who changes nothing gives
// them back as they were: what its own field could not hold, or its control would write in another way, is JSON.
import { type AskSchema, checkContent, type Form, formOf, parseAnswer } from '@beckon/core'
import { fromJsonSchema } from '@modelcontextprotocol/server'
import { type Fields, fields } from '../fields.js'

/** What `askUntilValid` takes to have arguments changed. */
export interface EditableArguments {
  readonly schema: AskSchema
  readonly jsonSchema: object
  readonly initial: Fields
  /** A form that is shown once more, and has what was typed in it: with what is wrong with that, at each field. */
  told(form: Form): Promise<Form>
}

interface EditableField {
  readonly field: Fields
  /** As the form has it. */
  readonly initial: unknown
  /** As the tool has it. @throws SyntaxError for what is not JSON */
  read(given: unknown): unknown
}

interface Issue {
  readonly message: string
  readonly path: readonly string[]
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
}
const keywords = ['title', 'description', 'minLength', 'maxLength', 'minimum', 'maximum', 'enum', 'format'] as const

/** Undefined where there is nothing to change. */
export function editableArguments(inputSchema: Fields, input: Fields): EditableArguments | undefined {
  const properties = fields(inputSchema.properties)
  const required = Array.isArray(inputSchema.required) ? inputSchema.required.map(String) : []
  const names = [...new Set([...Object.keys(properties), ...Object.keys(input)])]
  const editable = new Map(
    names.flatMap(name => {
      const field = editableField(fields(own(properties, name)), own(input, name))
      return formWith(name, field.field) !== undefined ? [[name, field] as const] : []
    }),
  )
  if (editable.size === 0) return undefined
  const jsonSchema = {
    type: 'object',
    properties: Object.fromEntries([...editable].map(([name, { field }]) => [name, field])),
    required: required.filter(name => editable.has(name)),
  }
  const initial = Object.fromEntries(
    [...editable].flatMap(([name, { initial: value }]) => (value === undefined ? [] : [[name, value]])),
  )
  const validate = validatorOf(inputSchema)
  const check = async (content: unknown) => {
    const read = argumentsIn(fields(content), editable, input)
    if (read.issues !== undefined) return read
    // It is for its server to hold what a person left as it was.
    return isSameJson(read.value, input) ? { value: input } : validate(read.value)
  }
  // Standard Schema allows what is checked here, and gives the arguments.
  const schema = { '~standard': { version: 1, vendor: 'beckon', validate: check } } as AskSchema
  return {
    schema,
    jsonSchema,
    initial,
    async told(form) {
      const typed = Object.entries(form.properties).flatMap(([name, { default: value }]) =>
        value === undefined ? [] : [[name, value] as const],
      )
      const { issues = [] } = await parseAnswer(schema, Object.fromEntries(typed), jsonSchema)
      return withIssues(form, issues)
    },
  }
}

/** Whether two values are the same as JSON, whatever the order of members. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

/** With the members of objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]))
}

/** The protocol has no place for what is wrong with a field but what it says of it, which every client shows there. */
function withIssues(form: Form, issues: readonly Issue[]): Form {
  const properties = Object.entries(form.properties).map(([name, field]) => {
    const said = issues.filter(({ path }) => path[0] === name).map(({ message }) => `Does not fit: ${message}`)
    const description = [...said, field.description].filter(text => text !== undefined).join('\n')
    return [name, said.length === 0 ? field : { ...field, description }]
  })
  return { ...form, properties: Object.fromEntries(properties) }
}

function editableField(schema: Fields, value: unknown): EditableField {
  const type = plainTypes[String(schema.type)]
  if (type === undefined) return jsonField(schema, value)
  const known = Object.fromEntries(keywords.flatMap(name => (schema[name] === undefined ? [] : [[name, schema[name]]])))
  // A control for a moment would write it in the person's own time.
  const { format, ...rest } = { type: schema.type, ...known } as Fields
  const field = format === undefined || (format === 'date-time' && value !== undefined) ? rest : { ...rest, format }
  if (value !== undefined && !holds(field, value)) return jsonField(schema, value)
  return { field, initial: value, read: given => given }
}

/** Whether a person who changes nothing gives a value back: an empty text is no answer. */
function holds(field: Fields, value: unknown): boolean {
  const asked = formWith('value', field)
  // What no form may have is not asked as JSON, either.
  if (asked === undefined) return true
  return value !== '' && checkContent(asked, { value }).issues === undefined
}

function jsonField({ title, description }: Fields, value: unknown): EditableField {
  const words = description === undefined ? 'As JSON.' : `${description} (as JSON)`
  return {
    field: { type: 'string', ...(title !== undefined && { title }), description: words },
    initial: value === undefined ? undefined : JSON.stringify(value),
    read: given => (given === '' || given === undefined ? undefined : JSON.parse(String(given))),
  }
}

/** Undefined for a field that a form must not have. */
function formWith(name: string, field: Fields): Form | undefined {
  try {
    return formOf({ type: 'object', properties: { [name]: field } } as AskSchema)
  } catch {
    return undefined
  }
}

function argumentsIn(
  content: Fields,
  editable: ReadonlyMap<string, EditableField>,
  input: Fields,
): { value: Fields; issues?: never } | { issues: Issue[] } {
  const kept = Object.entries(input).filter(([name]) => !editable.has(name))
  const issues: Issue[] = []
  const changed = [...editable].flatMap(([name, { read }]): [string, unknown][] => {
    try {
      const value = read(own(content, name))
      return value === undefined ? [] : [[name, value]]
    } catch {
      issues.push({ message: 'This is not JSON.', path: [name] })
      return []
    }
  })
  return issues.length > 0 ? { issues } : { value: Object.fromEntries([...kept, ...changed]) }
}

/** What is in an object, and not in every object. */
function own(record: Fields, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

type Checked = { readonly value: Fields; readonly issues?: undefined } | { readonly issues: readonly Issue[] }

/**
 * By the tool's own schema: each argument by itself, so that a person is told at its field, and then all of them. A schema that
 * nobody here can read is for its server to hold.
 */
function validatorOf(inputSchema: Fields): (value: Fields) => Promise<Checked> {
  const { $defs, definitions } = inputSchema
  const parts = Object.entries(fields(inputSchema.properties)).map(([name, schema]) => {
    const messagesOf = checkerOf({
      ...fields(schema),
      ...($defs !== undefined && { $defs }),
      ...(definitions !== undefined && { definitions }),
    })
    return { name, messagesOf }
  })
  const messagesOfAll = checkerOf(inputSchema)
  return async value => {
    const issues: Issue[] = []
    for (const { name, messagesOf } of parts)
      for (const message of value[name] === undefined ? [] : await messagesOf(value[name]))
        issues.push({ message, path: [name] })
    if (issues.length === 0) for (const message of await messagesOfAll(value)) issues.push({ message, path: [] })
    return issues.length > 0 ? { issues } : { value }
  }
}

function checkerOf(schema: Fields): (value: unknown) => Promise<string[]> {
  try {
    const { validate } = fromJsonSchema({ ...schema })['~standard']
    return async value => {
      const { issues = [] } = await validate(value)
      // The validator calls what it looks at "data".
      return issues.map(({ message }) => message.replaceAll(/\bdata(?=[ /])/g, 'This'))
    }
  } catch {
    return async () => []
  }
}
