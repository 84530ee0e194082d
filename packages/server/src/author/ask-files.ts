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
import type { WidgetJson } from '@beckon/core/widgets'
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
  /**
   * The same by a widget, whose page uploads and answers with what was uploaded. Undefined where a page of ours has to be opened instead:
   * the widget cannot reach this server, or its form was sent with nothing in it, as by a person who sees the plain form.
   */
  inWidget(call: Call, settings: AskSettings, ask: FileAsk & Widgeted): Promise<Outcome<SentFiles> | undefined>
}

/** A form for an upload that the page of a widget shows. */
interface UploadForm {
  readonly question: string
  readonly form: Form
  /** What the page is given. */
  readonly data: WidgetJson
  /** The origin that it sends files to. */
  readonly connect: string
  readonly expiresAt: number
}

/** How a form for an upload is sent. */
export interface Widgeted {
  readonly sendInWidget: (asked: UploadForm) => Promise<Outcome<unknown>>
}

export interface AskFiles extends Pick<FormOptions, 'jsonSchema' | 'initial' | 'allow' | 'attempts'> {
  readonly question: string
  readonly schema: AskSchema
  readonly form: FileForm
  readonly show?: readonly Block[] | undefined
  readonly timeoutMs: number | undefined
  /** Asks by a widget that uploads, where one is shown. */
  readonly sendInWidget?: Widgeted['sendInWidget'] | undefined
}

/** Asks for files, until what was sent fits the schema. What nobody gets is removed. */
export async function askFiles(call: Call, settings: AskSettings, wanted: AskFiles): Promise<Outcome<unknown>> {
  const { files } = settings
  if (files === undefined)
    throw new TypeError(
      "A schema with `file()` needs a place for files: createServer({ files: files({ to: 'uploads' }) }).",
    )
  const { question, schema, form, show, timeoutMs, initial, allow, attempts, sendInWidget } = wanted
  if (sendInWidget === undefined && !canOpenPage(call, settings)) throw new ElicitationNotAvailableError('url')
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
    const inWidget = sendInWidget && (await files.inWidget(call, settings, { ...ask, sendInWidget }))
    if (inWidget === undefined && !canOpenPage(call, settings)) throw new ElicitationNotAvailableError('url')
    const outcome = inWidget ?? (await files.ask(call, settings, ask))
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
  const missing = form.required.filter(name => (sent.files[name] ?? []).length === 0)
  if (missing.length > 0) return { issues: missing.map(name => ({ message: 'A file is needed here.', path: [name] })) }
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
