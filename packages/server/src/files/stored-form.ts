import { type Form, formOf } from '@beckon/core'
import type { FileForm, FileSchema } from '../author/file-schema.js'
import type { JsonValue } from '../store/index.js'

/** What is asked for, as it is kept with the flow. */
export interface StoredForm {
  readonly files: Readonly<Record<string, FileSchema>>
  readonly fields: Form
  /** Of the files. */
  readonly required: readonly string[]
}

/** @throws InvalidFormError, SensitiveFieldError for fields that no form can carry */
export function storedForm({ files, fields, required }: FileForm): StoredForm {
  return { files: Object.fromEntries(files), fields: formOf(fields), required }
}

/** All of it is JSON. */
export function toData(form: StoredForm): JsonValue {
  return JSON.parse(JSON.stringify(form)) as JsonValue
}

/** Only `toData` makes the data of this flow. */
export function fromData(data: JsonValue): StoredForm {
  const fields: object = typeof data === 'object' && data !== null ? data : {}
  return fields as StoredForm
}
