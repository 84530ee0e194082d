// The arguments of a call as a form, so that a person can change them before it runs. Forms are flat and plain: what is not,
// is there as JSON. What must not be in a form, such as a password, stays as it is.
import { type AskSchema, type Form, formOf, parseAnswer } from '@beckon/core'
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
      const field = editableField(fields(properties[name]), input[name])
      return canBeAsked(name, field.field) ? [[name, field] as const] : []
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
    return read.issues === undefined ? validate(read.value) : read
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
  if (type === undefined || (value !== undefined && typeof value !== type)) return jsonField(schema, value)
  const field = Object.fromEntries(keywords.flatMap(name => (schema[name] === undefined ? [] : [[name, schema[name]]])))
  return { field: { type: schema.type, ...field }, initial: value, read: given => given }
}

function jsonField({ title, description }: Fields, value: unknown): EditableField {
  const words = description === undefined ? 'As JSON.' : `${description} (as JSON)`
  return {
    field: { type: 'string', ...(title !== undefined && { title }), description: words },
    initial: value === undefined ? undefined : JSON.stringify(value),
    read: given => (given === '' || given === undefined ? undefined : JSON.parse(String(given))),
  }
}

function canBeAsked(name: string, field: Fields): boolean {
  try {
    formOf({ type: 'object', properties: { [name]: field } } as AskSchema)
    return true
  } catch {
    return false
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
      const value = read(content[name])
      return value === undefined ? [] : [[name, value]]
    } catch {
      issues.push({ message: 'This is not JSON.', path: [name] })
      return []
    }
  })
  return issues.length > 0 ? { issues } : { value: Object.fromEntries([...kept, ...changed]) }
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
