import type { Content, Form } from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import { readMessage } from '../crypto/bound-message.js'
import type { InputRequest } from '../protocol/codec.js'
import { keyMeta } from '../protocol/elicitation.js'

interface AskBase {
  /** What the person reads. Empty for what goes to the client itself. */
  readonly message: string
  /** What is shown beside it; clients that know no blocks have it in the message, as text. Absent where there is nothing. */
  readonly show?: readonly Block[]
  /** The author's own name for the ask, where it has one; a second ask of the same name gets `-2` behind it. */
  readonly key: string | undefined
  /** The tool or prompt by name, the resource by URI. */
  readonly tool: string
}

/** An ask as the test client got it. */
export type TestAsk = AskBase &
  (
    | { readonly kind: 'confirm' }
    /** The form as it was sent: lowered where the revision is an old one. */
    | { readonly kind: 'form'; readonly schema: Form }
    | { readonly kind: 'url'; readonly url: string; readonly elicitationId: string | undefined }
    | { readonly kind: 'sample'; readonly params: Readonly<Record<string, unknown>> }
    | { readonly kind: 'roots' }
  )

/** What the test client sent back: an outcome; for `sample` and `roots` a result. */
export type TestReply =
  | { readonly action: 'accept'; readonly content?: Content }
  | { readonly action: 'decline' | 'cancel' }
  | Readonly<Record<string, unknown>>

/** An ask with what became of it. */
export type Asked = TestAsk & {
  /** Undefined while it is open, and for one that was withdrawn. */
  readonly outcome: TestReply | undefined
}

const generatedKey = /^ask-\d+-/

/** Reads a request of the server. `id` is its name among the input requests, where there are any. */
export function readAsk(request: InputRequest, tool: string, id?: string): TestAsk {
  // Our own server wrote these, and a test client is no place to check that again.
  const {
    message = '',
    requestedSchema,
    mode,
    url,
    elicitationId,
    _meta,
    ...rest
  } = (request.params ?? {}) as {
    message?: string
    requestedSchema?: Form
    mode?: string
    url?: string
    elicitationId?: string
    _meta?: Record<string, unknown>
  }
  const key = id ?? (typeof _meta?.[keyMeta] === 'string' ? _meta[keyMeta] : undefined)
  const { question, blocks: show } = readMessage(message, _meta)
  const words = { message: question, ...(show.length > 0 && { show }) }
  const base = { ...words, tool, key: key !== undefined && generatedKey.test(key) ? undefined : key }
  if (request.method === 'sampling/createMessage') return { ...base, kind: 'sample', params: rest }
  if (request.method === 'roots/list') return { ...base, kind: 'roots' }
  if (mode === 'url') return { ...base, kind: 'url', url: String(url), elicitationId }
  const schema: Form = requestedSchema ?? { type: 'object', properties: {} }
  // An ask with nothing to fill in is a confirm.
  return Object.keys(schema.properties).length === 0 ? { ...base, kind: 'confirm' } : { ...base, kind: 'form', schema }
}

/** An ask in words, for a message about it. */
export function nameAsk({ kind, message, tool, key }: TestAsk): string {
  const named = key === undefined ? '' : `, key "${key}"`
  return message === ''
    ? `"${tool}" asked the client for "${kind}"${named}`
    : `"${tool}" asked "${message}" (${kind}${named})`
}
