import type { Form } from '@beckon/core'
import type { FileAsk } from '../author/ask-files.js'
import type { FileSchema } from '../author/file-schema.js'
import type { Flow, OpenFlow } from '../flows/index.js'
import type { Received } from './receive.js'

/** What the page sends. */
export type Sent =
  | { readonly declined: true }
  | { readonly content: Readonly<Record<string, unknown>>; readonly files: ReceivedFiles }

/** Files by the name of their field. */
export type ReceivedFiles = Readonly<Record<string, readonly Received[]>>

export type FilesFlow = Flow<StoredForm, Sent>
export type OpenFilesFlow = OpenFlow<StoredForm, Sent>

/** What is asked for, as it is kept with the flow. */
export interface StoredForm {
  readonly files: Readonly<Record<string, FileSchema>>
  readonly fields: Form
  /** Of the files. */
  readonly required: readonly string[]
  /** What there is already. */
  readonly given: ReceivedFiles
  /** By which the page of a widget uploads, a token for each field; none where our own page does. */
  readonly tokens?: Readonly<Record<string, string>>
}

/** All of it is JSON: a file is what is known of it. */
export function toData({ files, ...asked }: Pick<FileAsk, 'files' | 'fields' | 'required' | 'given'>): StoredForm {
  return JSON.parse(JSON.stringify({ ...asked, files: Object.fromEntries(files) }))
}
