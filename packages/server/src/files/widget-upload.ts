// An ask for files by a widget: its page uploads them with tokens, and answers with their ids.
import { type Form, formOf, type Outcome } from '@beckon/core'
import type { WidgetJson } from '@beckon/core/widgets'
import type { FileAsk, SentFiles, Widgeted } from '../author/ask-files.js'
import type { AskSettings } from '../author/ask-person.js'
import { canOpenPage } from '../author/ask-url.js'
import type { FileSchema } from '../author/file-schema.js'
import type { Call } from '../call/call.js'
import { randomSecret } from '../crypto/random-bytes.js'
import { randomId } from '../crypto/random-id.js'
import { beginFlow } from '../flows/begin-flow.js'
import { flowsIn } from '../flows/flows.js'
import { openFlow } from '../flows/open-flow.js'
import { labelFrom } from '../pages/label.js'
import { inWords, tooLarge } from './receive.js'
import { type FilesFlow, type OpenFilesFlow, type ReceivedFiles, toData } from './stored-form.js'
import type { FlowUploads } from './uploads.js'

/** The ids of files, by the name of their field. */
type NamedFiles = ReadonlyMap<string, readonly string[]>

interface Asking {
  readonly call: Call
  readonly settings: AskSettings
  readonly flow: FilesFlow
  readonly uploadsOf: (flow: OpenFilesFlow) => FlowUploads
  /** What a handler gets for what was received. */
  readonly filesOf: (received: ReceivedFiles) => SentFiles['files']
}

type UploadAsk = Omit<FileAsk, 'timeoutMs'> & Widgeted & { readonly timeoutMs: number }

/** Asks by a widget; undefined where a page of ours has to be opened instead. */
export async function askInWidget(asking: Asking, ask: UploadAsk): Promise<Outcome<SentFiles> | undefined> {
  const { call, settings, filesOf } = asking
  const begun = await beginUpload(asking, ask)
  if (begun === null) return undefined
  const { url, expiresAt } = begun
  const connect = new URL(url).origin
  const form = { question: ask.message, form: namesForm(ask), data: pageData(begun, ask), connect, expiresAt }
  const outcome = await ask.sendInWidget(form)
  const named = outcome.action === 'accept' ? namedIn(ask, outcome.content) : undefined
  const isForPage = named?.size === 0 && ask.required.length > 0 && canOpenPage(call, settings)
  const taken =
    named === undefined || isForPage
      ? null
      : await call.step('uploaded', async () => (await takeUpload(asking, begun, named)) ?? null)
  await endUpload(asking, begun)
  if (outcome.action !== 'accept') return outcome
  if (isForPage) return undefined
  const files = taken === null ? {} : filesOf(taken)
  return { ...outcome, content: { fields: {}, files } }
}

/** More than the ids of all files that one field takes. */
const maxNamesChars = 10_000

/** The flat form that carries the ids of files. */
function namesForm({ files }: Pick<FileAsk, 'files'>): Form {
  const description =
    'Filled in where the file is uploaded. If nothing here lets you do that, send this as it is: a page for it is opened next.'
  const fields = Array.from(files, ([name, { title }]) => {
    const field = { type: 'string', ...(title !== undefined && { title }), description, maxLength: maxNamesChars }
    return [name, field] as const
  })
  return formOf({ type: 'object', properties: Object.fromEntries(fields) }, { allow: [...files.keys()] })
}

function namedIn({ files }: Pick<FileAsk, 'files'>, content: unknown): NamedFiles {
  const given = content as Readonly<Record<string, unknown>>
  const named = Array.from(files.keys(), name => [name, String(given[name] ?? '').match(/[^\s,]+/g) ?? []] as const)
  return new Map(named.filter(([, ids]) => ids.length > 0))
}

/** What a step of the call keeps of an upload that was begun. */
interface BegunUpload {
  readonly flowId: string
  /** Where files are sent. */
  readonly url: string
  readonly expiresAt: number
  readonly tokens: Readonly<Record<string, string>>
}

/** Begins an upload for a call, once; null where no page could reach this server. */
async function beginUpload(
  { call, settings, flow }: Asking,
  { message, timeoutMs, show: _, sendInWidget: __, ...asked }: UploadAsk,
): Promise<BegunUpload | null> {
  const flows = flowsIn(settings)
  if (flows === undefined) return null
  return call.step('upload', async () => {
    const ids = { flowId: randomId(), elicitationId: randomId() }
    const tokens = Object.fromEntries(Array.from(asked.files.keys(), name => [name, randomSecret(24)]))
    const begin = () => ({ data: { ...toData(asked), tokens } })
    try {
      const { allowHttp } = settings
      const { expiresAt } = await beginFlow(flows, call, { flow, message, timeoutMs, allowHttp, ids, begin })
      const url = `${await flows.address.base()}/beckon/${flow.name}/${ids.flowId}`
      return { flowId: ids.flowId, url, expiresAt, tokens }
    } catch {
      // What is wrong with the address is said where a person would be sent there.
      return null
    }
  })
}

/** What the page is given. */
function pageData({ url, tokens }: BegunUpload, { files, required }: Pick<FileAsk, 'files' | 'required'>): WidgetJson {
  const fields = Array.from(files, ([name, schema]) => ({
    name,
    token: tokens[name] ?? '',
    title: schema.title ?? labelFrom(name),
    hint: hintOf(schema),
    types: schema.types,
    maxBytes: schema.maxBytes,
    tooLarge: tooLarge(schema.maxBytes),
    isMany: schema.isMany,
    isRequired: required.includes(name),
  }))
  return { url, fields }
}

export function hintOf({ description, types, maxBytes, maxFiles, isMany }: FileSchema): string {
  const limit = `${isMany ? `Up to ${maxFiles} files, each` : 'One file,'} at most ${inWords(maxBytes)}.`
  return [description, limit, types.join(', ')].filter(Boolean).join(' ')
}

/** The files that an answer names, from now on the handler's; undefined where one of them is not there. */
async function takeUpload(asking: Asking, begun: BegunUpload, named: NamedFiles): Promise<ReceivedFiles | undefined> {
  const flow = await find(asking, begun)
  if (flow === undefined) return undefined
  const uploads = asking.uploadsOf(flow)
  const received = await uploads.received()
  const taken: Record<string, ReceivedFiles[string]> = {}
  for (const [field, ids] of named) {
    const wanted = new Set(ids)
    const found = (received[field] ?? []).filter(({ id }) => wanted.has(id))
    if (found.length < wanted.size) return undefined
    taken[field] = found
  }
  const kept = Object.values(taken).flatMap(all => all.map(({ id }) => id))
  const isMine = await flow.complete({ content: {}, files: taken }, () => uploads.keep(kept))
  // A process that died after it has taken them.
  return isMine || flow.status === 'done' ? taken : undefined
}

/** Nobody waits for it any more: nothing is taken, and what had come goes. */
async function endUpload(asking: Asking, begun: BegunUpload): Promise<void> {
  const flow = await find(asking, begun)
  if (flow !== undefined && (await flow.fail('This was answered elsewhere, or not at all.')))
    await asking.uploadsOf(flow).removeAll()
}

async function find({ settings, flow }: Asking, { flowId }: BegunUpload): Promise<OpenFilesFlow | undefined> {
  const flows = flowsIn(settings)
  const record = await flows?.records.findOf(flow, flowId)
  return flows && record && openFlow(flows, flowId, record)
}
