// Uploads of a server: the page, the route that takes bytes, and the wait for both. Threat: bytes of somebody else. Anyone who
// sends one is who the link is for, from our own page in their browser, or has the token of a widget's page; that is checked before
// the first byte is read.
import { checkContent, type Outcome } from '@beckon/core'
import type { FileAsker, SentFiles } from '../author/ask-files.js'
import type { FileSchema, UploadedFile } from '../author/file-schema.js'
import { type Flow, type FlowEnd, type Route, runFlowOf, type Visit } from '../flows/index.js'
import { contentFrom } from '../pages/index.js'
import type { Clock } from '../runtime/clock.js'
import type { Store } from '../store/index.js'
import { fileName } from './file-name.js'
import { folder } from './folder.js'
import type { FilePlace } from './place.js'
import { type Received, receive, tooLarge, UploadRefusedError } from './receive.js'
import {
  type FilesFlow,
  type OpenFilesFlow,
  type ReceivedFiles,
  type Sent,
  type StoredForm,
  toData,
} from './stored-form.js'
import { uploadPage, wordsOf } from './upload-page.js'
import { corsHeaders, flowOf, preflight, uploadHeader } from './upload-token.js'
import { FlowUploads, sweep } from './uploads.js'
import { askInWidget } from './widget-upload.js'

export interface FilesOptions {
  /** Where files are kept: the path of a folder, or a place of your own. */
  readonly to: string | FilePlace
  /** Looks at a file before it counts: gives a sentence for the person where it is not taken. What it throws is not shown. */
  readonly scan?: ((file: UploadedFile) => Promise<string | undefined> | string | undefined) | undefined
  /** So long may nothing come of an upload. Default: 30 seconds. */
  readonly stallMs?: number | undefined
}

/** Uploads, for a server that is given this. */
export interface Files {
  serve(clock: Pick<Clock, 'now' | 'after'>): { readonly flow: Flow; readonly asker: FileAsker }
}

/** How long a person may take to find their files. */
const defaultTimeoutMs = 60 * 60 * 1000
const sweepMs = 10 * 60 * 1000

/**
 * A place for what people upload.
 * @example
 * createServer({ name: 'claims', version: '1.0.0', files: files({ to: 'uploads' }) })
 */
export function files({ to, scan, stallMs = 30_000 }: FilesOptions): Files {
  const place = typeof to === 'string' ? folder(to) : to
  return { serve: clock => serveFiles({ place, scan, stallMs, clock }) }
}

interface Serving extends Pick<FilesOptions, 'scan'> {
  readonly place: FilePlace
  readonly stallMs: number
  readonly clock: Pick<Clock, 'now' | 'after'>
}

function serveFiles(serving: Serving): ReturnType<Files['serve']> {
  const { place, clock } = serving
  const now = () => clock.now()
  const uploadsOf = ({ id: flowId, store, expiresAt, data }: OpenFilesFlow) =>
    new FlowUploads({ store, place, flowId, expiresAt, now, given: data.given })

  let isSweeping = false

  /** What is never sent goes some time after its link: by a process that took uploads, also of others. */
  function sweepLater(store: Store): void {
    if (isSweeping) return
    isSweeping = true
    clock.after(sweepMs, () => {
      isSweeping = false
      // What cannot be removed now is there the next time.
      sweep({ store, place, now }).then(
        isEmpty => isEmpty || sweepLater(store),
        () => sweepLater(store),
      )
    })
  }

  const flow: FilesFlow = { name: 'files', endsBy: 'page', takesStreams: true, page, route }

  async function page(visit: Visit<StoredForm, Sent>): Promise<Response> {
    const form = visit.flow.data
    const uploads = uploadsOf(visit.flow)
    const wanted = visit.form?.get('do')
    if (wanted === 'decline') return done(visit, { declined: true }, () => uploads.removeAll())
    const received = await uploads.received()
    if (wanted !== 'send' || visit.form === undefined) return uploadPage(visit, { form, received })
    const typed = contentFrom(form.fields, visit.form)
    const checked = checkContent(form.fields, typed)
    const missing = form.required.filter(name => (received[name] ?? []).length === 0)
    const problems = [
      ...missing.map(name => [name, 'A file is needed here.'] as const),
      ...(checked.issues ?? []).map(({ path: [field = ''], message }) => [String(field), message] as const),
    ]
    if (checked.issues !== undefined || problems.length > 0)
      return uploadPage(visit, { form, received, typed, problems })
    const ids = Object.values(received).flatMap(all => all.map(({ id }) => id))
    return done(visit, { content: checked.value, files: received }, () => uploads.keep(ids))
  }

  async function done(visit: Visit<StoredForm, Sent>, result: Sent, grant: () => Promise<void>): Promise<Response> {
    return (await visit.flow.complete(result, grant)) ? visit.pages.done() : visit.again()
  }

  async function route(request: Request, at: Route<StoredForm, Sent>): Promise<Response | undefined> {
    if (request.method === 'OPTIONS') return preflight()
    if (request.method !== 'POST') return undefined
    const token = request.headers.get(uploadHeader)
    if (token !== null) return routeByToken(request, at, token)
    const form = new URLSearchParams({ beckon: request.headers.get('x-beckon-form') ?? '' })
    const taken = await at.take(at.rest, form)
    if (taken.kind !== 'open') return reply(taken.response.status, { problem: 'This page is not yours, or is over.' })
    return act(request, taken.flow)
  }

  async function routeByToken(request: Request, at: Route<StoredForm, Sent>, token: string): Promise<Response> {
    const flow = await flowOf(at, new URL(request.url).searchParams.get('field') ?? '', token)
    const problem = 'This upload is not yours, or is over.'
    const response = flow === undefined ? reply(403, { problem }) : await act(request, flow)
    for (const [name, value] of Object.entries(corsHeaders)) response.headers.set(name, value)
    return response
  }

  /** What someone does about a field who may: uploads a file, takes one back, or looks what is there. */
  async function act(request: Request, open: OpenFilesFlow): Promise<Response> {
    const { searchParams } = new URL(request.url)
    const field = searchParams.get('field') ?? ''
    const { files: known } = open.data
    const schema = Object.hasOwn(known, field) ? known[field] : undefined
    if (schema === undefined) return reply(400, { problem: 'Nothing of that name is asked for.' })
    const uploads = uploadsOf(open)
    if (searchParams.has('list')) {
      const { [field]: all = [] } = await uploads.received()
      return reply(200, { files: all.map(file => ({ id: file.id, name: file.name, words: wordsOf(file) })) })
    }
    const removed = searchParams.get('remove')
    if (removed === null) {
      sweepLater(open.store)
      return upload(request, { field, schema, uploads }, serving)
    }
    await uploads.remove(field, removed)
    return reply(200, {})
  }

  const asker: FileAsker = {
    async ask(call, settings, { message, show, timeoutMs = defaultTimeoutMs, ...asked }) {
      const data = toData(asked)
      const end = await runFlowOf({ call, settings }, flow, { message, show, timeoutMs, begin: () => ({ data }) })
      return outcomeOf(end, place)
    },

    inWidget: (call, settings, { timeoutMs = defaultTimeoutMs, ...ask }) => {
      const filesOf = (taken: ReceivedFiles) => filesFrom(taken, place)
      return askInWidget({ call, settings, flow, uploadsOf, filesOf }, { ...ask, timeoutMs })
    },
  }
  return { flow, asker }
}

interface Upload {
  readonly field: string
  readonly schema: FileSchema
  readonly uploads: FlowUploads
}

async function upload(request: Request, { field, schema, uploads }: Upload, serving: Serving): Promise<Response> {
  const { place, clock, stallMs } = serving
  if (request.body === null) return reply(400, { problem: 'There is no file in this.' })
  if (Number(request.headers.get('content-length')) > schema.maxBytes)
    return reply(413, { problem: tooLarge(schema.maxBytes) })
  let id: string | undefined
  try {
    id = await uploads.begin(field, schema)
    const name = fileName(decoded(request.headers.get('x-file-name') ?? ''))
    const file = await receive(request.body, { id, name, schema, place, clock, stallMs })
    await checkScan(file, serving)
    await uploads.finish(field, file, schema)
    return reply(200, { id, name: file.name, words: wordsOf(file) })
  } catch (error) {
    if (id !== undefined) await uploads.remove(field, id)
    if (error instanceof UploadRefusedError) return reply(error.status, { problem: error.message })
    // The sender went away, or the place is: nobody can be told more.
    if (request.signal.aborted) return reply(499, { problem: 'The upload was cut off.' })
    throw error
  }
}

async function checkScan(file: Received, { scan, place }: Serving): Promise<void> {
  if (scan === undefined) return
  const look = async () => scan(uploadedFile(file, place))
  const problem = await look().catch(() => {
    throw new UploadRefusedError(503, 'The file could not be checked now. Try again in a moment.')
  })
  if (problem !== undefined) throw new UploadRefusedError(422, problem)
}

function uploadedFile(file: Received, place: FilePlace): UploadedFile {
  return { ...file, stream: () => place.get(file.id), delete: () => place.delete(file.id) }
}

/** What a person did, for the handler; undefined when the time was over. */
function outcomeOf(end: FlowEnd<Sent>, place: FilePlace): Outcome<SentFiles> | undefined {
  if (end.kind === 'expired') return undefined
  if (end.kind === 'declined') return { action: 'decline', ...(end.reason !== undefined && { reason: end.reason }) }
  if (end.kind === 'cancelled') return { action: 'cancel' }
  if (end.kind !== 'done') throw new Error(end.kind === 'failed' ? end.reason : 'No page can be opened.')
  if (end.result === null || 'declined' in end.result) return { action: 'decline' }
  const { content: fields, files: received } = end.result
  return { action: 'accept', content: { fields, files: filesFrom(received, place) } }
}

function filesFrom(received: ReceivedFiles, place: FilePlace): SentFiles['files'] {
  const given = Object.entries(received).map(([name, all]) => [name, all.map(file => uploadedFile(file, place))])
  return Object.fromEntries(given)
}

function reply(status: number, body: object): Response {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }
  // What was not read of a refused upload is not waited for.
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, ...(status >= 400 && { Connection: 'close' }) },
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
