// The way from `ctx.elicit` to a page of ours where files are uploaded, and what was sent there through the author's schema.
import {
  AskExpiredError,
  type AskSchema,
  askUntilValid,
  ElicitationNotAvailableError,
  type Form,
  formOf,
  isStandardSchema,
  type Outcome,
} from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import type { Call } from '../call/call.js'
import type { AskSettings } from './ask-person.js'
import { canOpenPage } from './ask-url.js'
import type { FormOptions } from './context.js'
import type { FileForm, UploadedFile } from './file-schema.js'

/** Files by the name of their field. */
type GivenFiles = Readonly<Record<string, readonly UploadedFile[]>>

/** What is asked on the page. */
export interface FileAsk extends Pick<FileForm, 'files' | 'required'> {
  readonly message: string
  /** What is filled in beside the files. */
  readonly fields: Form
  /** What was uploaded on the page before, where it is asked for again. */
  readonly given: GivenFiles
  readonly show?: readonly Block[] | undefined
  readonly timeoutMs: number | undefined
}

/** What was sent from the page. */
export interface SentFiles {
  readonly fields: Readonly<Record<string, unknown>>
  readonly files: GivenFiles
}

/** A page of our own where files are uploaded. */
export interface FileAsker {
  /** What a person did there; undefined when its time was over. */
  ask(call: Call, settings: AskSettings, ask: FileAsk): Promise<Outcome<SentFiles> | undefined>
}

interface Wanted extends Pick<FormOptions, 'jsonSchema' | 'initial' | 'allow' | 'attempts'> {
  readonly question: string
  readonly schema: AskSchema
  readonly form: FileForm
  readonly show?: readonly Block[] | undefined
  readonly timeoutMs: number | undefined
}

/** Asks for files, until what was sent fits the schema. What nobody gets is removed. */
export async function askFiles(call: Call, settings: AskSettings, wanted: Wanted): Promise<Outcome<unknown>> {
  const { files } = settings
  if (files === undefined)
    throw new TypeError(
      "A schema with `file()` needs a place for files: createServer({ files: files({ to: 'uploads' }) }).",
    )
  if (!canOpenPage(call, settings)) throw new ElicitationNotAvailableError('url')
  const { question, schema, form, show, timeoutMs, initial, allow, attempts } = wanted
  // Without a validator behind it, a rule that no form can carry is refused here.
  if (!isStandardSchema(schema)) formOf(form.fields, { allow })
  let given: GivenFiles = {}
  const whole = {
    '~standard': {
      version: 1,
      vendor: 'beckon',
      validate: (fields: unknown) => validate(schema, form, { fields: { ...(fields as object) }, files: given }),
    },
  } as const
  const send = async (asked: { question: string; form: Form }): Promise<Outcome<unknown>> => {
    const { files: fileFields, required } = form
    const ask = { message: asked.question, files: fileFields, fields: asked.form, required, given, show, timeoutMs }
    const outcome = await files.ask(call, settings, ask)
    if (outcome === undefined) throw new AskExpiredError(question)
    if (outcome.action !== 'accept') return outcome
    given = outcome.content.files
    return { ...outcome, content: outcome.content.fields }
  }
  const ask = { question, schema: whole, jsonSchema: form.fields, initial, allow, attempts }
  try {
    const outcome: Outcome<unknown> = await askUntilValid(ask, send)
    if (outcome.action !== 'accept') await remove(given)
    return outcome
  } catch (error) {
    await remove(given)
    throw error
  }
}

/** What the author's schema says of fields and files together. */
async function validate(schema: AskSchema, form: FileForm, sent: SentFiles) {
  const given = Array.from(form.files, ([name, { isMany }]) => {
    const all = sent.files[name] ?? []
    return [name, isMany ? [...all] : all[0]] as const
  })
  const content = { ...sent.fields, ...Object.fromEntries(given.filter(([, file]) => file !== undefined)) }
  const value: unknown = form.bare === undefined ? content : content[form.bare as keyof typeof content]
  if (!isStandardSchema(schema)) return { value }
  const result = await schema['~standard'].validate(value)
  if (result.issues === undefined) return result
  // What a person's file is called is theirs.
  const names = Object.values(sent.files).flatMap(all => all.map(({ name }) => name))
  const issues = result.issues.map(issue =>
    names.some(name => issue.message.includes(name)) ? { ...issue, message: 'This file is not valid.' } : issue,
  )
  return { issues }
}

async function remove(given: GivenFiles): Promise<void> {
  for (const file of Object.values(given).flat()) await file.delete()
}
