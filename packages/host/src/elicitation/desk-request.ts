// An elicitation as an ask on a desk.
import { type Form, inspectUrl, plainName } from '@beckon/core'
import { type DeskRequest, readMessage } from 'beckon/desk/adapter'
import { lenientForm } from './lenient-form.js'

/** What a server sends as `elicitation/create`, before anything of it was looked at. */
export interface ElicitationParams {
  readonly mode?: unknown
  readonly message?: unknown
  readonly requestedSchema?: unknown
  readonly url?: unknown
  readonly elicitationId?: unknown
  readonly _meta?: unknown
}

/** Where a server says who asks through it. */
const askerMeta = 'beckon/asker'

/** An ask, and the form that its answer has to fit; a page to visit has none. */
export interface Put {
  readonly request: Omit<DeskRequest, 'id'>
  readonly form?: Form
  /** Who asks, where the server says that it is not itself. */
  readonly asker: string | undefined
  readonly leftOut: readonly string[]
}

/** @throws Error saying why it cannot be shown to a person */
export function deskRequest(params: ElicitationParams): Put {
  const said = readMessage(typeof params.message === 'string' ? params.message : '', params._meta)
  const words = { message: said.question, ...(said.blocks.length > 0 && { show: said.blocks }) }
  const asker = askerIn(params._meta)
  if (params.mode === 'url') return { request: { ...words, url: safeUrl(params.url) }, asker, leftOut: [] }
  const { form, leftOut } = lenientForm(params.requestedSchema)
  // Without questions it is a confirmation.
  const hasQuestions = Object.keys(form.properties).length > 0
  return { request: { ...words, ...(hasQuestions && { form }) }, form, asker, leftOut }
}

function askerIn(meta: unknown): string | undefined {
  const asker = typeof meta === 'object' && meta !== null && askerMeta in meta ? meta[askerMeta] : undefined
  return typeof asker === 'string' ? plainName(asker) : undefined
}

/** The text as the server wrote it, so that a person can be warned of how it was written. */
function safeUrl(url: unknown): string {
  if (typeof url !== 'string') throw new Error('The page to visit has no address.')
  const inspected = inspectUrl(url, { allowHttp: true })
  if (inspected.kind === 'refused') throw new Error(`The page to visit is refused: ${inspected.message}`)
  return url
}
