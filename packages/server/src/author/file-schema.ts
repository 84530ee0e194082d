// `file()` in a schema, and what a handler gets for it. A file is uploaded on a page of ours: no client and no model ever has it.
import { type AskSchema, type FormSchema, isStandardSchema, jsonSchemaOf } from '@beckon/core'

export interface FileOptions {
  /** How large a file may be. */
  readonly maxBytes: number
  /** Which kinds, by content: `image/png`, `image/*`. Default: any. */
  readonly types?: readonly string[] | undefined
  /** Several files; a number says how many at most. Default: one file; with `true`, 20. */
  readonly many?: boolean | number | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
}

/** A file that a person has uploaded. */
export interface UploadedFile {
  /** Names it in the place where it is kept. */
  readonly id: string
  /** As the person's file was called: a name without a path, and no proof of anything. */
  readonly name: string
  /** By its content. */
  readonly type: string
  /** Bytes. */
  readonly size: number
  /** SHA-256, in base64url. */
  readonly digest: string
  /** Its bytes, from the place where it is kept. */
  stream(): AsyncIterable<Uint8Array>
  /** Removes it there. What a handler does not remove, stays. */
  delete(): Promise<void>
}

/** What `file()` makes: the schema of one upload. */
export interface FileSchema<T = UploadedFile | UploadedFile[]> extends FormSchema {
  readonly type: 'file'
  readonly maxBytes: number
  readonly types: readonly string[]
  readonly maxFiles: number
  readonly isMany: boolean
  readonly title?: string
  readonly description?: string
  /** Only in types: what the answer is. */
  readonly '~answer'?: T
}

const defaultMany = 20

/**
 * An upload: a schema of its own, a property of a JSON Schema, or what a validation library is told about one.
 * @example
 * const report = await ctx.elicit({ question: 'The report, please.', schema: file({ maxBytes: 5_000_000, types: ['application/pdf'] }) })
 * @example
 * z.object({ reason: z.string(), report: z.custom<UploadedFile>().meta(file({ maxBytes: 5_000_000 })) })
 */
export function file(options: FileOptions & { readonly many?: false | undefined }): FileSchema<UploadedFile>
export function file(options: FileOptions & { readonly many: true | number }): FileSchema<UploadedFile[]>
export function file({ maxBytes, types = [], many = false, title, description }: FileOptions): FileSchema {
  const maxFiles = many === true ? defaultMany : many === false ? 1 : many
  if (!(maxBytes > 0) || !Number.isInteger(maxFiles) || maxFiles < 1)
    throw new TypeError('`file` takes `maxBytes`, which is a number of bytes, and with `many` how many files at most.')
  const words = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
  return { type: 'file', maxBytes, types, maxFiles, isMany: many !== false, ...words }
}

/** What is asked for where files are: files and plain fields, by name. */
export interface FileForm {
  readonly files: ReadonlyMap<string, FileSchema>
  /** The other properties, as a JSON Schema. */
  readonly fields: FieldsSchema
  readonly required: readonly string[]
  /** The answer is a bare file. */
  readonly bare: string | undefined
}

interface FieldsSchema extends FormSchema {
  readonly type: 'object'
  readonly properties: object
  readonly required: readonly string[]
}

/** Of schemas that validate: to describe one takes long, and few have files. */
const known = new WeakMap<AskSchema, FileForm | 'none'>()

/** The files in a schema, or in the JSON Schema that stands in for it; undefined where there are none. */
export function filesIn(schema: AskSchema, jsonSchema?: object): FileForm | undefined {
  if (jsonSchema !== undefined) return filesOf(jsonSchema)
  if (!isStandardSchema(schema)) return filesOf(schema)
  const form = known.get(schema) ?? filesOf(jsonSchemaOf(schema)) ?? 'none'
  known.set(schema, form)
  return form === 'none' ? undefined : form
}

function filesOf(schema: unknown): FileForm | undefined {
  if (isFile(schema)) {
    const fields = { type: 'object', properties: {}, required: [] } as const
    return { files: new Map([[bareName, schema]]), fields, required: [bareName], bare: bareName }
  }
  const { type, properties, required } = schema as { type?: unknown; properties?: object; required?: unknown }
  if (type !== 'object' || typeof properties !== 'object') return undefined
  const entries = Object.entries(properties)
  const files = new Map(entries.flatMap(([name, field]) => (isFile(field) ? [[name, field] as const] : [])))
  if (files.size === 0) return undefined
  const wanted = Array.isArray(required) ? required.map(String) : []
  const others = Object.fromEntries(entries.filter(([name]) => !files.has(name)))
  const fields = { type: 'object', properties: others, required: wanted.filter(name => !files.has(name)) } as const
  return { files, fields, required: wanted.filter(name => files.has(name)), bare: undefined }
}

const bareName = 'file'

/** Libraries write what they are told about a property into its JSON Schema. */
function isFile(schema: unknown): schema is FileSchema {
  return (
    typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'file' && 'maxFiles' in schema
  )
}
