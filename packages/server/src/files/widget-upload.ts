// Uploads from the page of a widget. It runs in a frame without cookies, in a host or in the inbox, so that nothing tells whose it is
// but a token for each field, which is in what its ask gives it. Threat: a token in other hands. It is good for one field of one ask
// while that is open, and lets one upload, and take back, nothing else; what counts is what the answer names, and the answer comes by
// the ask. So whoever has the token and not the ask can take a file away, which is noticed, and slip none in. No page of another site
// has it: browsers let anybody's page send here, without cookies, and without a token it is refused before a byte is read.
import type { WidgetJson } from '@beckon/core/widgets'
import type { FileAsk, NamedFiles } from '../author/ask-files.js'
import type { AskSettings } from '../author/ask-person.js'
import type { FileSchema } from '../author/file-schema.js'
import type { Call } from '../call/call.js'
import { digest } from '../crypto/digest.js'
import { randomSecret } from '../crypto/random-bytes.js'
import { randomId } from '../crypto/random-id.js'
import { beginFlow } from '../flows/begin-flow.js'
import { flowsIn } from '../flows/flows.js'
import type { Flow, OpenFlow, Route } from '../flows/index.js'
import { openFlow } from '../flows/open-flow.js'
import { labelFrom } from '../pages/label.js'
import type { JsonValue } from '../store/index.js'
import { inWords, type Received, tooLarge } from './receive.js'
import { fromData, toData } from './stored-form.js'
import type { FlowUploads } from './uploads.js'

/** The header that has the token. */
export const uploadHeader = 'x-beckon-upload'

/** What a step of the call keeps of an upload that was begun. */
export interface BegunUpload {
  readonly flowId: string
  /** Where files are sent. */
  readonly url: string
  readonly expiresAt: number
  readonly tokens: Readonly<Record<string, string>>
}

/** Begins an upload for a call, once; null where no page could reach this server. */
export async function beginUpload(
  { call, settings, flow }: { readonly call: Call; readonly settings: AskSettings; readonly flow: Flow },
  { message, timeoutMs, ...asked }: Omit<FileAsk, 'show' | 'timeoutMs'> & { readonly timeoutMs: number },
): Promise<BegunUpload | null> {
  const flows = flowsIn(settings)
  if (flows === undefined) return null
  const begun = await call.step('upload', async () => {
    const ids = { flowId: randomId(), elicitationId: randomId() }
    const tokens = Object.fromEntries(Array.from(asked.files.keys(), name => [name, randomSecret(24)]))
    const begin = () => ({ data: { ...(toData(asked) as object), tokens } as JsonValue })
    try {
      const { allowHttp } = settings
      const { record } = await beginFlow(flows, call, { flow, message, timeoutMs, allowHttp, ids, begin })
      const url = `${await flows.address.base()}/beckon/${flow.name}/${ids.flowId}`
      return { flowId: ids.flowId, url, expiresAt: record.expiresAt, tokens }
    } catch {
      // What is wrong with the address is said where a person would be sent there.
      return null
    }
  })
  // Only the step above makes it.
  return begun as BegunUpload | null
}

/** What the page is given. */
export function pageData(
  { url, tokens }: BegunUpload,
  { files, required }: Pick<FileAsk, 'files' | 'required'>,
): WidgetJson {
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
export async function takeUpload(
  settings: AskSettings,
  { flowId }: BegunUpload,
  { named, uploadsOf }: { readonly named: NamedFiles; readonly uploadsOf: (flow: OpenFlow) => FlowUploads },
): Promise<Readonly<Record<string, readonly Received[]>> | undefined> {
  const flow = await find(settings, flowId)
  if (flow === undefined) return undefined
  const uploads = uploadsOf(flow)
  const received = await uploads.received()
  const taken: Record<string, readonly Received[]> = {}
  for (const [field, ids] of named) {
    const wanted = new Set(ids)
    const found = (received[field] ?? []).filter(({ id }) => wanted.has(id))
    if (found.length < wanted.size) return undefined
    taken[field] = found
  }
  const kept = Object.values(taken).flatMap(all => all.map(({ id }) => id))
  const isMine = await flow.complete({ content: {}, files: taken } as unknown as JsonValue, () => uploads.keep(kept))
  // A process that died after it has taken them.
  return isMine || flow.status === 'done' ? taken : undefined
}

/** Nobody waits for it any more: nothing is taken, and what had come goes. */
export async function endUpload(
  settings: AskSettings,
  { flowId }: BegunUpload,
  uploadsOf: (flow: OpenFlow) => FlowUploads,
): Promise<void> {
  const flow = await find(settings, flowId)
  if (flow !== undefined && (await flow.fail('This was answered elsewhere, or not at all.')))
    await uploadsOf(flow).removeAll()
}

async function find(settings: AskSettings, flowId: string): Promise<OpenFlow | undefined> {
  const flows = flowsIn(settings)
  const record = await flows?.records.find(flowId)
  return flows && record && openFlow(flows, flowId, record)
}

/** The flow that a token is for, while it can go on. */
export async function flowOf(at: Route, field: string, token: string): Promise<OpenFlow | undefined> {
  const flow = await at.find(at.rest)
  if (flow === undefined || flow.isExpired || (flow.status !== 'pending' && flow.status !== 'opened')) return undefined
  const { tokens = {} } = fromData(flow.data)
  const expected = Object.hasOwn(tokens, field) ? tokens[field] : undefined
  // Digests, so that the time that it takes tells nothing of the token.
  return expected !== undefined && digest(expected) === digest(token) ? flow : undefined
}

/** Any page may send here, and read what is said: without a token it is told nothing. Cookies do not come along. */
export const corsHeaders: Readonly<Record<string, string>> = { 'Access-Control-Allow-Origin': '*' }

/** What a browser asks before it sends anything. */
export function preflight(): Response {
  const headers = {
    ...corsHeaders,
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': `content-type, x-file-name, ${uploadHeader}`,
    'Access-Control-Max-Age': '600',
  }
  return new Response(null, { status: 204, headers })
}
