import type { Form } from '@beckon/core'
import type { FileAsk } from '../author/ask-files.js'
import type { FileSchema } from '../author/file-schema.js'
import type { JsonValue } from '../store/index.js'
import type { Received } from './receive.js'

/** What is asked for, as it is kept with the flow. */
export interface StoredForm {
  readonly files: Readonly<Record<string, FileSchema>>
  readonly fields: Form
  /** Of the files. */
  readonly required: readonly string[]
  /** What there is already. */
  readonly given: Readonly<Record<string, readonly Received[]>>
  /** By which the page of a widget uploads, a token for each field; none where our own page does. */
  readonly tokens?: Readonly<Record<string, string>>
}

/** All of it is JSON: a file is what is known of it. */
export function toData({ files, ...asked }: Pick<FileAsk, 'files' | 'fields' | 'required' | 'given'>): JsonValue {
  return JSON.parse(JSON.stringify({ ...asked, files: Object.fromEntries(files) })) as JsonValue
}

/** Only `toData` makes the data of this flow. */
export function fromData(data: JsonValue): StoredForm {
  const fields: object = typeof data === 'object' && data !== null ? data : {}
  return fields as StoredForm
}
